import type { Grant } from '@tapedeck/platform/database-roles';
import type { Migration } from '@tapedeck/platform/migrations';
import { endQuerySql } from './migrations/end-query.ts';

export const sqlConsoleMigrations: readonly Migration[] = [
  { id: 'sql-console/001-end-query', database: 'catalogue', sql: endQuerySql },
];

export const sqlConsoleGrants: readonly Grant[] = [
  { database: 'catalogue', on: 'function console_end_query', api: 'execute' },
];
