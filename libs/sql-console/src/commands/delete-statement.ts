import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { handle, type EventStore, type Handle } from '@tapedeck/eventing';
import type { AccountId } from '@tapedeck/kernel';
import { requestCommandContext } from '@tapedeck/platform/http';
import { EVENT_STORE } from '@tapedeck/platform/tokens';
import {
  savedStatementsDecider,
  type SavedStatementCommand,
  type StatementId,
} from '../domain/saved-statements.ts';
import { savedStatementEvents, savedStatementsStream } from '../events.ts';

/** Deletes a saved statement. */
export class DeleteStatement extends Command<void> {
  readonly type = 'DeleteStatement';

  constructor(
    readonly accountId: AccountId,
    readonly statementId: StatementId,
  ) {
    super();
  }
}

@CommandHandler(DeleteStatement)
export class DeleteStatementHandler implements ICommandHandler<DeleteStatement> {
  readonly #handle: Handle<SavedStatementCommand>;

  constructor(@Inject(EVENT_STORE) store: EventStore) {
    this.#handle = handle(store, savedStatementsDecider, savedStatementEvents);
  }

  async execute(command: DeleteStatement): Promise<void> {
    await this.#handle(savedStatementsStream(command.accountId), command, requestCommandContext());
  }
}
