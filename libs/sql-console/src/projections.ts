import type { Projection } from '@tapedeck/eventing';
import type { Grant } from '@tapedeck/platform/database-roles';
import type { Migration } from '@tapedeck/platform/migrations';
import { endNamedQuerySql, endQuerySql } from './migrations/end-query.ts';
import { savedStatements } from './projections/saved-statements.ts';

export const sqlConsoleProjections: readonly Projection[] = [savedStatements];

export const sqlConsoleMigrations: readonly Migration[] = [
  { id: 'sql-console/001-end-query', database: 'catalogue', sql: endQuerySql },
  { id: 'sql-console/002-end-named-query', database: 'catalogue', sql: endNamedQuerySql },
];

export const sqlConsoleGrants: readonly Grant[] = [
  { database: 'catalogue', on: 'function console_end_query', api: 'execute' },
];
