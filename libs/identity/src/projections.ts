import type { Projection } from '@tapedeck/eventing';
import type { Grant } from '@tapedeck/platform/database-roles';
import type { Migration } from '@tapedeck/platform/migrations';
import { sessionsSql } from './migrations/sessions.ts';
import { accounts } from './projections/accounts.ts';

export const identityProjections: readonly Projection[] = [accounts];

export const identityMigrations: readonly Migration[] = [
  { id: 'identity/001-sessions', database: 'tapedeck', sql: sessionsSql },
];

export const identityGrants: readonly Grant[] = [
  { database: 'tapedeck', on: 'table sessions', api: 'select, insert, update, delete' },
];
