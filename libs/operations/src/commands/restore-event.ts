import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { handle, type EventStore, type Handle } from '@tapedeck/eventing';
import { derivedId } from '@tapedeck/kernel';
import { requestCommandContext } from '@tapedeck/platform/http';
import { EVENT_STORE } from '@tapedeck/platform/tokens';
import type { IgnoreBody } from '../contract.ts';
import { operationsDecider, type OperationsCommand } from '../domain/decide.ts';
import { operationsEvents, operationsStream, reasonSubject } from '../domain/operations.ts';

export class RestoreEvent extends Command<void> {
  constructor(
    readonly content: IgnoreBody,
    readonly mayRebuild: boolean,
  ) {
    super();
  }
}

@CommandHandler(RestoreEvent)
export class RestoreEventHandler implements ICommandHandler<RestoreEvent> {
  readonly #handle: Handle<OperationsCommand>;

  constructor(@Inject(EVENT_STORE) store: EventStore) {
    this.#handle = handle(store, operationsDecider, operationsEvents);
  }

  async execute({ content: { consumer, position, reason }, mayRebuild }: RestoreEvent): Promise<void> {
    const context = requestCommandContext();
    const requestId = derivedId('operation', context.commandId);
    const personalSubject = reasonSubject(requestId);
    await this.#handle(
      operationsStream(consumer),
      {
        type: 'RestoreEvent',
        subscriber: consumer,
        position,
        requestId,
        reason,
        personalSubject,
        mayRebuild,
      },
      context,
    );
  }
}
