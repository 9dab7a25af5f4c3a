import { Module, type Provider } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { EventStore } from '@tapedeck/eventing';
import type { Databases } from '@tapedeck/platform/databases';
import { CONFIG, DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import { CancelSqlHandler } from './commands/cancel-sql.ts';
import { CommitSqlHandler } from './commands/commit-sql.ts';
import { ExecuteSqlHandler } from './commands/execute-sql.ts';
import { ListSavedStatementsHandler } from './queries/list-saved-statements.ts';
import { ShowHistoryHandler } from './queries/show-history.ts';
import { ShowSchemaHandler } from './queries/show-schema.ts';
import { createExecute } from './run/execute.ts';
import { createNewestStatements } from './run/newest-statements.ts';
import { SQL_CONSOLE, type SqlConsoleService } from './run/tokens.ts';
import { SavedStatementsController } from './saved-statements.controller.ts';
import { SqlConsoleController } from './sql-console.controller.ts';
import type { SqlConsoleConfig } from './settings.ts';

const service: Provider = {
  provide: SQL_CONSOLE,
  inject: [CONFIG, DATABASES, EVENT_STORE],
  useFactory: (
    config: SqlConsoleConfig,
    { catalogue }: Databases<'catalogue'>,
    store: EventStore,
  ): SqlConsoleService => {
    const parts = {
      catalogue,
      readUrl: config.CONSOLE_READ_DATABASE_URL,
      writeUrl: config.CONSOLE_WRITE_DATABASE_URL,
    };
    return { parts, execute: createExecute(parts, store), newest: createNewestStatements(store) };
  },
};

export { createExecute, type Execute } from './run/execute.ts';
export type { ConsoleParts } from './run/run-statement.ts';

@Module({
  imports: [CqrsModule],
  controllers: [SqlConsoleController, SavedStatementsController],
  providers: [
    service,
    ExecuteSqlHandler,
    CommitSqlHandler,
    CancelSqlHandler,
    ShowHistoryHandler,
    ShowSchemaHandler,
    ListSavedStatementsHandler,
  ],
})
export class SqlConsoleModule {}
