import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { handle, type EventStore, type Handle } from '@tapedeck/eventing';
import { requestCommandContext } from '@tapedeck/platform/http';
import { EVENT_STORE } from '@tapedeck/platform/tokens';
import type { RetryBody } from '../contract.ts';
import { operationsDecider, type OperationsCommand } from '../domain/decide.ts';
import { operationsEvents, operationsStream } from '../domain/operations.ts';
import { OPERATIONS_READS, type OperationsReads } from '../queries/operations-reads.ts';
import { readWaiting, type ParkedFilter } from '../queries/show-parked.ts';

/** Returns how many events are tried again. */
export class RetryEvents extends Command<number> {
  constructor(
    readonly what: RetryBody,
    /** For admins. */
    readonly withProjections: boolean,
  ) {
    super();
  }
}

/** More can be retried by doing it once more. */
const maxRetried = 5_000;

const filterOf = ({ what, withProjections }: RetryEvents): ParkedFilter => {
  const { consumer } = what;
  if ('position' in what) return { withProjections, consumer, positions: [BigInt(what.position)] };
  return { withProjections, consumer, group: what.group, states: ['parked', 'retrying', 'waiting'] };
};

@CommandHandler(RetryEvents)
export class RetryEventsHandler implements ICommandHandler<RetryEvents> {
  readonly #reads: OperationsReads;
  readonly #handle: Handle<OperationsCommand>;

  constructor(@Inject(EVENT_STORE) store: EventStore, @Inject(OPERATIONS_READS) reads: OperationsReads) {
    this.#reads = reads;
    this.#handle = handle(store, operationsDecider, operationsEvents);
  }

  /** What was handled meanwhile is not found; that is no error. */
  async execute(command: RetryEvents): Promise<number> {
    const found = await readWaiting(this.#reads, filterOf(command), maxRetried);
    const positions = found.map(({ position }) => String(position));
    const { consumer } = command.what;
    await this.#handle(
      operationsStream(consumer),
      { type: 'RetryEvents', subscriber: consumer, positions, reason: 'by-hand' },
      requestCommandContext(),
    );
    return positions.length;
  }
}
