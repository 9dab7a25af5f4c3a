import type { Projection } from '@tapedeck/eventing';
import type { Migration } from '@tapedeck/platform/migrations';
import { sessionsSql } from './migrations/sessions.ts';
import { accounts } from './projections/accounts.ts';

export const identityProjections: readonly Projection[] = [accounts];

export const identityMigrations: readonly Migration[] = [
  { id: 'identity/001-sessions', database: 'tapedeck', sql: sessionsSql },
];
