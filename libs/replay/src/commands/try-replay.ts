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
  type ReplayMode,
  type ReplayTarget,
} from '../domain/replay.ts';
import { readReplay, recordTried } from '../run/recorded-replays.ts';
import { toPlan } from '../run/replay-plan.ts';
import { REPLAY_SERVICE, type ReplayService } from '../run/run-replay.ts';
import type { ReplayPlan } from '../contract.ts';

/** A dry run. It is recorded, and changes nothing. */
export class TryReplay extends Command<ReplayPlan> {
  constructor(
    readonly mode: ReplayMode,
    readonly target: ReplayTarget,
  ) {
    super();
  }
}

@CommandHandler(TryReplay)
export class TryReplayHandler implements ICommandHandler<TryReplay> {
  readonly #store: EventStore;
  readonly #service: ReplayService;
  readonly #handle: Handle<ReplayCommand>;

  constructor(@Inject(EVENT_STORE) store: EventStore, @Inject(REPLAY_SERVICE) service: ReplayService) {
    this.#store = store;
    this.#service = service;
    this.#handle = handle(store, replayDecider, replayEvents);
  }

  async execute({ mode, target }: TryReplay): Promise<ReplayPlan> {
    const context = requestCommandContext();
    const replayId = derivedId('replay', context.commandId);
    const known = await readReplay(this.#store, replayId);
    const at = known.status === 'none' ? context.now : known.tried.at;
    const run = await this.#service.run({ replayId, mode, target, at, actor: context.actor });
    await recordTried(this.#handle, run, context);
    return toPlan(run, this.#service);
  }
}
