import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { derivedId, DomainError, type Clock } from '@tapedeck/kernel';
import { requestCommandContext, type RequestAccount } from '@tapedeck/platform/http';
import { CLOCK } from '@tapedeck/platform/tokens';
import { sqlLimits, type CommitSqlBody, type ExecuteSqlBody, type SqlAnswer } from '../contract.ts';
import { sha256Of, type Caller, type Execution } from '../run/execute.ts';
import { SQL_CONSOLE, type SqlConsoleService } from '../run/tokens.ts';

export type Sender = Readonly<{ account: RequestAccount; ip: string; signal: AbortSignal }>;

/** Runs a statement, and rolls back what it changes; `plan` only shows how it would run. */
export class ExecuteSql extends Command<SqlAnswer> {
  constructor(
    readonly sender: Sender,
    readonly body: ExecuteSqlBody,
    readonly path: 'either' | 'plan',
  ) {
    super();
  }
}

/** Commits what the first request has shown. */
export class CommitSql extends Command<SqlAnswer> {
  constructor(
    readonly sender: Sender,
    readonly body: CommitSqlBody,
  ) {
    super();
  }
}

const callerOf = ({ account, ip }: Sender): Caller => ({
  accountId: account.id,
  role: account.roles.join(','),
  ip,
  session: account.session?.publicId ?? null,
});

const executionOf = (
  sender: Sender,
  { sqlQuery, queryId }: Pick<ExecuteSqlBody, 'sqlQuery' | 'queryId'>,
): Omit<Execution, 'path'> => ({
  caller: callerOf(sender),
  queryId: queryId ?? derivedId('sql query', requestCommandContext().commandId),
  sql: sqlQuery,
  signal: sender.signal,
  context: (part) => requestCommandContext({ part }),
});

@CommandHandler(ExecuteSql)
export class ExecuteSqlHandler implements ICommandHandler<ExecuteSql> {
  readonly #console: SqlConsoleService;

  constructor(@Inject(SQL_CONSOLE) service: SqlConsoleService) {
    this.#console = service;
  }

  execute({ sender, body, path }: ExecuteSql): Promise<SqlAnswer> {
    return this.#console.execute({ ...executionOf(sender, body), path });
  }
}

const signInAgain = (): DomainError =>
  new DomainError(
    'forbidden',
    'SIGN_IN_AGAIN',
    'A change is committed by somebody who has just signed in: sign in again, then commit it.',
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
    return this.#console.execute({ ...execution, path: 'write', confirmedRows: body.rowCount });
  }
}
