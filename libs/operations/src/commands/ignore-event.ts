import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { handle, readEvents, stateAfterSealed, type EventStore, type Handle } from '@tapedeck/eventing';
import type { WaitingEvent } from '@tapedeck/eventing/reactions';
import { derivedId, DomainError } from '@tapedeck/kernel';
import { requestCommandContext } from '@tapedeck/platform/http';
import { EVENT_STORE } from '@tapedeck/platform/tokens';
import type { IgnoreBody } from '../contract.ts';
import { operationsDecider, type OperationsCommand } from '../domain/decide.ts';
import { operationsEvents, operationsStream, reasonSubject } from '../domain/operations.ts';
import { OPERATIONS_READS, type OperationsReads } from '../queries/operations-reads.ts';
import { readWaiting } from '../queries/show-parked.ts';

export class IgnoreEvent extends Command<void> {
  constructor(
    readonly content: IgnoreBody,
    /** For admins. */
    readonly withProjections: boolean,
  ) {
    super();
  }
}

const notParked = (found: WaitingEvent | undefined): DomainError =>
  new DomainError(
    'conflict',
    'NOT_PARKED',
    found
      ? 'Only a parked event can be ignored: this one will be tried automatically.'
      : 'This event is no longer waiting: reload the page.',
  );

@CommandHandler(IgnoreEvent)
export class IgnoreEventHandler implements ICommandHandler<IgnoreEvent> {
  readonly #reads: OperationsReads;
  readonly #handle: Handle<OperationsCommand>;

  constructor(@Inject(EVENT_STORE) store: EventStore, @Inject(OPERATIONS_READS) reads: OperationsReads) {
    this.#reads = reads;
    this.#handle = handle(store, operationsDecider, operationsEvents);
  }

  async execute({ content, withProjections }: IgnoreEvent): Promise<void> {
    const { consumer, position, reason } = content;
    const filter = { withProjections, consumer, positions: [BigInt(position)] };
    const [found] = await readWaiting(this.#reads, filter, 1);
    if (found?.state !== 'parked') {
      if (await this.#isIgnored(consumer, position)) return;
      throw notParked(found);
    }
    const context = requestCommandContext();
    const { kind, key, stream, type: eventType, group } = found;
    await this.#handle(
      operationsStream(consumer),
      {
        type: 'IgnoreEvent',
        subscriber: consumer,
        position,
        kind,
        key,
        stream,
        eventType,
        group: group ?? '',
        reason,
        personalSubject: reasonSubject(derivedId('operation', context.commandId)),
      },
      context,
    );
  }

  /** Somebody else was a moment earlier. */
  async #isIgnored(consumer: string, position: string): Promise<boolean> {
    const { store } = this.#reads;
    const events = await readEvents(store, operationsStream(consumer), operationsEvents, { form: 'sealed' });
    return stateAfterSealed(operationsDecider, events).ignored.has(position);
  }
}
