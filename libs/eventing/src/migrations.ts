import { personalDataKeysSql } from './migrations/personal-data-keys.ts';
import { projectionsSql } from './migrations/projections.ts';
import { tapeSql } from './migrations/tape.ts';

/** What the tables of this room need, once per database; in the shape that the platform's migrations have. */
export type EventingMigration = Readonly<{ id: string; database: 'tapedeck' | 'catalogue'; sql: string }>;

/**
 * Run in order, each once.
 *
 * @example
 * await migrate(databases, [...eventingMigrations, ...identityMigrations]);
 */
export const eventingMigrations: readonly EventingMigration[] = [
  { id: 'eventing/001-tape', database: 'tapedeck', sql: tapeSql },
  { id: 'eventing/002-personal-data-keys', database: 'tapedeck', sql: personalDataKeysSql },
  { id: 'eventing/003-projections', database: 'tapedeck', sql: projectionsSql },
  { id: 'eventing/004-projections-of-the-catalogue', database: 'catalogue', sql: projectionsSql },
];
