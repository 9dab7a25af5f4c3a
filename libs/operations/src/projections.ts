import type { Projection } from '@tapedeck/eventing';
import type { Grant } from '@tapedeck/platform/database-roles';
import type { Migration } from '@tapedeck/platform/migrations';
import { tapeDaysSql } from './migrations/tape-days.ts';
import { operations } from './projections/operations.ts';

export const operationsProjections: readonly Projection[] = [operations];

export const operationsMigrations: readonly Migration[] = [
  { id: 'operations/001-tape-days', database: 'tapedeck', sql: tapeDaysSql },
];

export const operationsGrants: readonly Grant[] = ['tape_days', 'tape_days_counted'].map((table) => ({
  database: 'tapedeck',
  on: `table ${table}`,
  api: 'select',
  projector: 'select, insert, update',
}));
