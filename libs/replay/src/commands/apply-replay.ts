import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { handle, type EventStore, type Handle } from '@tapedeck/eventing';
import { derivedId } from '@tapedeck/kernel';
import { requestCommandContext } from '@tapedeck/platform/http';
import { EVENT_STORE } from '@tapedeck/platform/tokens';
import {
  type ReplayCommand,
  replayDecider,
  replayEvents,
  replayStream,
  replaySubject,
  type ReplayTried,
  unknownReplay,
} from '../domain/replay.ts';
import { completeReplay, readReplay, recordTried } from '../run/recorded-replays.ts';
import { chosenOf } from '../run/outside-work.ts';
import { toPlan } from '../run/replay-plan.ts';
import { REPLAY_SERVICE, type ReplayRun, type ReplayService } from '../run/run-replay.ts';
import type { ReplayOutcome } from '../contract.ts';

/** Appends what a dry run has shown, if the tape and Stripe are still as they were then. */
export class ApplyReplay extends Command<ReplayOutcome> {
  constructor(
    readonly replayId: string,
    readonly fingerprint: string,
    readonly reason: string,
    /** Keys of parked requests and mails that are sent with it. */
    readonly releases: readonly string[],
  ) {
    super();
  }
}

@CommandHandler(ApplyReplay)
export class ApplyReplayHandler implements ICommandHandler<ApplyReplay> {
  readonly #store: EventStore;
  readonly #service: ReplayService;
  readonly #handle: Handle<ReplayCommand>;

  constructor(@Inject(EVENT_STORE) store: EventStore, @Inject(REPLAY_SERVICE) service: ReplayService) {
    this.#store = store;
    this.#service = service;
    this.#handle = handle(store, replayDecider, replayEvents);
  }

  async execute(command: ApplyReplay): Promise<ReplayOutcome> {
    const { replayId, fingerprint, reason, releases: keys } = command;
    const context = { ...requestCommandContext(), correlationId: replayId };
    const known = await readReplay(this.#store, replayId);
    if (known.status === 'none') throw unknownReplay();
    const { mode, target, at } = known.tried;
    const run = await this.#service.run({ replayId, mode, target, at, actor: context.actor });
    // Another request may have confirmed it meanwhile.
    const { status } = await readReplay(this.#store, replayId);
    if (status === 'tried') {
      const isSame = run.figures.fingerprint === fingerprint && known.tried.fingerprint === fingerprint;
      if (!isSame) return this.#outdated(known.tried);
      const personalSubject = await this.#subjectOf(run);
      const { figures } = run;
      const releases = chosenOf(run.outside, keys);
      const applied = { fingerprint, figures, reason, personalSubject, releases };
      await this.#handle(replayStream(replayId), { type: 'ApplyReplay', ...applied }, context);
    }
    if (status !== 'applied') {
      await completeReplay(this.#service.ports, run, requestCommandContext({ part: 'complete' }));
    }
    return { outcome: 'applied', plan: toPlan(run, this.#service) };
  }

  /** A new dry run, which says what would change now. */
  async #outdated({ mode, target }: ReplayTried['data']): Promise<ReplayOutcome> {
    const context = requestCommandContext({ part: 'again' });
    const replayId = derivedId('replay', context.commandId);
    const run = await this.#service.run({ replayId, mode, target, at: context.now, actor: context.actor });
    await recordTried(this.#handle, run, context);
    return { outcome: 'outdated', plan: toPlan(run, this.#service) };
  }

  /** The reason is forgotten together with the account that it is about. */
  async #subjectOf({ accountId, request: { replayId } }: ReplayRun): Promise<string> {
    const own = replaySubject(replayId);
    if (accountId === null) return own;
    const keys = await this.#service.ports.keys.keysOf([accountId]);
    return keys.get(accountId) === 'forgotten' ? own : accountId;
  }
}
