import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DomainError, type Clock } from '@tapedeck/kernel';
import { CLOCK } from '@tapedeck/platform/tokens';
import { sqlLimits, type CommitSqlBody, type SqlAnswer } from '../contract.ts';
import { sha256Of } from '../run/execute.ts';
import { SQL_CONSOLE, type SqlConsoleService } from '../run/tokens.ts';
import { executionOf, type Sender } from './execute-sql.ts';

/** Commits what the first request has shown. */
export class CommitSql extends Command<SqlAnswer> {
  constructor(
    readonly sender: Sender,
    readonly body: CommitSqlBody,
  ) {
    super();
  }
}

const signInAgain = (): DomainError =>
  new DomainError(
    'forbidden',
    'SIGN_IN_AGAIN',
    'To commit a change, you must have just signed in: sign in again, then commit it.',
  );

const otherStatement = (): DomainError =>
  new DomainError(
    'conflict',
    'STATEMENT_CHANGED',
    'This is not the statement whose changes were shown: run it again, then commit it.',
  );

@CommandHandler(CommitSql)
export class CommitSqlHandler implements ICommandHandler<CommitSql> {
  readonly #console: SqlConsoleService;
  readonly #clock: Clock;

  constructor(@Inject(SQL_CONSOLE) service: SqlConsoleService, @Inject(CLOCK) clock: Clock) {
    this.#console = service;
    this.#clock = clock;
  }

  async execute({ sender, body }: CommitSql): Promise<SqlAnswer> {
    const signedInAt = sender.account.session?.signedInAt ?? 0;
    if (this.#clock.now() - signedInAt > sqlLimits.signedInWithinMs) throw signInAgain();
    if (sha256Of(body.sqlQuery) !== body.sha256) throw otherStatement();
    const execution = executionOf(sender, body);
    const { rowCount: confirmedRows, reason } = body;
    return this.#console.execute({ ...execution, path: 'write', confirmedRows, reason });
  }
}
