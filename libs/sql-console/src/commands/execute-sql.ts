import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { derivedId } from '@tapedeck/kernel';
import { requestCommandContext, type RequestAccount } from '@tapedeck/platform/http';
import type { ExecuteSqlBody, SqlAnswer } from '../contract.ts';
import type { Caller, Execution } from '../run/execute.ts';
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

const callerOf = ({ account, ip }: Sender): Caller => ({
  accountId: account.id,
  role: account.roles.join(','),
  ip,
  session: account.session?.publicId ?? null,
});

/** What both commands send. */
export const executionOf = (
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
