import type { Projection } from '@tapedeck/eventing';
import { projectionGrants, projectionTables } from '@tapedeck/eventing/migrations';
import type { Grant } from '@tapedeck/platform/database-roles';
import type { Migration } from '@tapedeck/platform/migrations';
import { capturedChangesSql } from './migrations/captured-changes.ts';
import { imports } from './projections/imports.ts';
import { strategies } from './projections/strategies.ts';
import { uploadGrants, uploadMigration } from './upload/upload-tables.ts';
import type { StrategiesConfig } from './settings.ts';

/** The database of the catalogue's read models, by its name. */
export const strategyDatabases = {
  catalogue: ({ CATALOGUE_DATABASE_URL }: Pick<StrategiesConfig, 'CATALOGUE_DATABASE_URL'>): string =>
    CATALOGUE_DATABASE_URL,
};

export const strategyProjections: readonly Projection[] = [strategies, imports];

export const strategyMigrations: readonly Migration[] = [
  ...projectionTables('eventing/004-projections-of-the-catalogue', 'catalogue'),
  { id: 'strategies/001-captured-changes', database: 'catalogue', sql: capturedChangesSql },
  uploadMigration,
];

export const strategyGrants: readonly Grant[] = [
  ...projectionGrants('catalogue'),
  { database: 'catalogue', on: 'function capture_strategy_change', projector: 'execute' },
  { database: 'catalogue', on: 'function grant_catalogue_to_console', projector: 'execute' },
  ...uploadGrants,
];
