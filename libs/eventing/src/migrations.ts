import { personalDataKeysSql } from './migrations/personal-data-keys.ts';
import { projectionsSql } from './migrations/projections.ts';
import { tapeSql } from './migrations/tape.ts';

/** In the shape of the platform's migrations. */
export type EventingMigration = Readonly<{ id: string; database: string; sql: string }>;

/**
 * The checkpoints and parked events of projections in a database other than the tape's.
 *
 * @example
 * export const strategyMigrations = [projectionTables('eventing/004-projections-of-the-catalogue', 'catalogue')];
 */
export const projectionTables = (id: string, database: string): EventingMigration => ({
  id,
  database,
  sql: projectionsSql,
});

/**
 * The tape, and projections in the tape's own database; run in order, each once.
 *
 * @example
 * await migrate(databases, [...eventingMigrations, ...identityMigrations]);
 */
export const eventingMigrations: readonly EventingMigration[] = [
  { id: 'eventing/001-tape', database: 'tapedeck', sql: tapeSql },
  { id: 'eventing/002-personal-data-keys', database: 'tapedeck', sql: personalDataKeysSql },
  projectionTables('eventing/003-projections', 'tapedeck'),
];
