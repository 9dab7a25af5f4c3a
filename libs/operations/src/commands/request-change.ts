import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { handle, type EventStore, type Handle } from '@tapedeck/eventing';
import { listCheckpoints, type ChangeKind, type ListedCheckpoint } from '@tapedeck/eventing/projections';
import { derivedId, DomainError } from '@tapedeck/kernel';
import { requestCommandContext } from '@tapedeck/platform/http';
import { EVENT_STORE } from '@tapedeck/platform/tokens';
import { operationsDecider, type OperationsCommand } from '../domain/decide.ts';
import { operationsEvents, operationsStream, reasonSubject } from '../domain/operations.ts';
import { OPERATIONS_READS, type OperationsReads } from '../queries/operations-reads.ts';

/** Returns the id of the request: the same one for the same request. */
export class RequestChange extends Command<string> {
  constructor(
    readonly projection: string,
    readonly kind: ChangeKind,
    readonly reason: string,
  ) {
    super();
  }
}

const unknown = (name: string): DomainError =>
  new DomainError('not-found', 'PROJECTION_NOT_FOUND', `There is no read model ${name}: reload the page.`);

const nothingBefore = (name: string): DomainError =>
  new DomainError(
    'conflict',
    'NO_PREVIOUS_BUILD',
    `There is no build before the one of ${name} that is used: it was never rebuilt, or the one before was dropped.`,
  );

const isLive = (name: string, one: ListedCheckpoint): boolean =>
  one.name === name && one.kind === 'projection' && one.build === 'main' && one.status === 'live';

@CommandHandler(RequestChange)
export class RequestChangeHandler implements ICommandHandler<RequestChange> {
  readonly #reads: OperationsReads;
  readonly #handle: Handle<OperationsCommand>;

  constructor(@Inject(EVENT_STORE) store: EventStore, @Inject(OPERATIONS_READS) reads: OperationsReads) {
    this.#reads = reads;
    this.#handle = handle(store, operationsDecider, operationsEvents);
  }

  async execute({ projection, kind, reason }: RequestChange): Promise<string> {
    await this.#assertPossible(projection, kind);
    const context = requestCommandContext();
    const requestId = derivedId('operation', context.commandId);
    await this.#handle(
      operationsStream(projection),
      {
        type: kind === 'rebuild' ? 'RequestRebuild' : 'RequestRollBack',
        projection,
        requestId,
        reason,
        personalSubject: reasonSubject(requestId),
      },
      context,
    );
    return requestId;
  }

  /** @throws DomainError PROJECTION_NOT_FOUND, NO_PREVIOUS_BUILD */
  async #assertPossible(name: string, kind: ChangeKind): Promise<void> {
    const found = await Promise.all(Object.values(this.#reads.databases).map(listCheckpoints));
    const all = found.flat();
    const live = all.find((one) => isLive(name, one));
    if (!live) throw unknown(name);
    const hasPrevious = all.some(
      (one) =>
        one.name === name &&
        one.build === 'standby' &&
        one.version === live.version &&
        one.status === 'retired',
    );
    if (kind === 'roll-back' && !hasPrevious) throw nothingBefore(name);
  }
}
