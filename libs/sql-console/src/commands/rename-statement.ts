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

/** Gives a saved statement another name. */
export class RenameStatement extends Command<void> {
  readonly type = 'RenameStatement';

  constructor(
    readonly accountId: AccountId,
    readonly statementId: StatementId,
    readonly name: string,
  ) {
    super();
  }
}

@CommandHandler(RenameStatement)
export class RenameStatementHandler implements ICommandHandler<RenameStatement> {
  readonly #handle: Handle<SavedStatementCommand>;

  constructor(@Inject(EVENT_STORE) store: EventStore) {
    this.#handle = handle(store, savedStatementsDecider, savedStatementEvents);
  }

  async execute(command: RenameStatement): Promise<void> {
    await this.#handle(savedStatementsStream(command.accountId), command, requestCommandContext());
  }
}
