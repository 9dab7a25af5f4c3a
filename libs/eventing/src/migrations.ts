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
  { id: 'eventing-001-tape', database: 'tapedeck', sql: tapeSql },
];
