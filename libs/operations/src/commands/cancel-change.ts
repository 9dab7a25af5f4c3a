import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { handle, type EventStore, type Handle } from '@tapedeck/eventing';
import { requestCommandContext } from '@tapedeck/platform/http';
import { EVENT_STORE } from '@tapedeck/platform/tokens';
import { operationsDecider, type OperationsCommand } from '../domain/decide.ts';
import { operationsEvents, operationsStream } from '../events.ts';

/** Cancels a rebuild or roll-back that is under way; the projector does it. */
export class CancelChange extends Command<void> {
  constructor(
    readonly projection: string,
    readonly requestId: string,
  ) {
    super();
  }
}

@CommandHandler(CancelChange)
export class CancelChangeHandler implements ICommandHandler<CancelChange> {
  readonly #handle: Handle<OperationsCommand>;

  constructor(@Inject(EVENT_STORE) store: EventStore) {
    this.#handle = handle(store, operationsDecider, operationsEvents);
  }

  async execute({ projection, requestId }: CancelChange): Promise<void> {
    await this.#handle(
      operationsStream(projection),
      { type: 'RequestCancel', projection, requestId },
      requestCommandContext(),
    );
  }
}
