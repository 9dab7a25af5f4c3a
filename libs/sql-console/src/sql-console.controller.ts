import { Body, Controller, Get, Ip, Param, ParseUUIDPipe, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  CurrentAccount,
  RateLimited,
  RequestSignal,
  Returns,
  Roles,
  SendsCommands,
  type RequestAccount,
} from '@tapedeck/platform/http';
import { CancelSql } from './commands/cancel-sql.ts';
import { CommitSql } from './commands/commit-sql.ts';
import { ExecuteSql } from './commands/execute-sql.ts';
import { CommitSqlBody, ExecuteSqlBody, SqlAnswer, SqlHistory, SqlSchema } from './contract.ts';
import { ShowHistory } from './queries/show-history.ts';
import { ShowSchema } from './queries/show-schema.ts';

@Roles('admin')
@Controller('api/admin')
export class SqlConsoleController {
  readonly #commands: CommandBus;
  readonly #queries: QueryBus;

  constructor(commands: CommandBus, queries: QueryBus) {
    this.#commands = commands;
    this.#queries = queries;
  }

  @Post('execute-sql')
  @RateLimited('sql')
  @SendsCommands()
  @Returns(200, SqlAnswer, { description: 'What it changes is rolled back' })
  execute(
    @CurrentAccount() account: RequestAccount,
    @Ip() ip: string,
    @RequestSignal() signal: AbortSignal,
    @Body({ schema: ExecuteSqlBody }) body: ExecuteSqlBody,
  ): Promise<SqlAnswer> {
    return this.#commands.execute(new ExecuteSql({ account, ip, signal }, body, 'either'));
  }

  @Post('sql/plan')
  @RateLimited('sql')
  @SendsCommands()
  @Returns(200, SqlAnswer, { description: 'Executes nothing' })
  plan(
    @CurrentAccount() account: RequestAccount,
    @Ip() ip: string,
    @RequestSignal() signal: AbortSignal,
    @Body({ schema: ExecuteSqlBody }) body: ExecuteSqlBody,
  ): Promise<SqlAnswer> {
    return this.#commands.execute(new ExecuteSql({ account, ip, signal }, body, 'plan'));
  }

  @Post('sql/commit')
  @RateLimited('sql')
  @SendsCommands()
  @Returns(200, SqlAnswer, { description: 'The changes are on the tape' })
  commit(
    @CurrentAccount() account: RequestAccount,
    @Ip() ip: string,
    @RequestSignal() signal: AbortSignal,
    @Body({ schema: CommitSqlBody }) body: CommitSqlBody,
  ): Promise<SqlAnswer> {
    return this.#commands.execute(new CommitSql({ account, ip, signal }, body));
  }

  @Post('sql/:queryId/cancel')
  @Returns(204, undefined)
  cancel(
    @CurrentAccount() { id }: RequestAccount,
    @Param('queryId', ParseUUIDPipe) queryId: string,
  ): Promise<void> {
    return this.#commands.execute(new CancelSql(id, queryId));
  }

  @Get('sql/history')
  @Returns(200, SqlHistory)
  history(@CurrentAccount() { id }: RequestAccount): Promise<SqlHistory> {
    return this.#queries.execute(new ShowHistory(id));
  }

  @Get('sql/schema')
  @Returns(200, SqlSchema)
  schema(): Promise<SqlSchema> {
    return this.#queries.execute(new ShowSchema());
  }
}
