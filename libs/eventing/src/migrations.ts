import { projectionOriginsSql, projectionsSql } from './migrations/projections.ts';
import { tapeAppendSql } from './migrations/tape-append.ts';
import { tapeFunctionsSql } from './migrations/tape-functions.ts';
import {
  eventTypesIndexSql,
  masterKeySql,
  personalDataKeysSql,
  personalSubjectsSql,
  snapshotsSql,
  tapeSql,
} from './migrations/tape.ts';

/** One step of a database's schema; runs once. The platform's `migrate` executes such steps. */
export type EventingMigration = Readonly<{ id: string; database: string; sql: string }>;

/**
 * The tables for the checkpoints and parked events of projections, for a database other than that of the tape.
 *
 * @example
 * export const strategyMigrations = [...projectionTables('eventing/004-projections-of-the-catalogue', 'catalogue')];
 */
export const projectionTables = (id: string, database: string): readonly EventingMigration[] => [
  { id, database, sql: projectionsSql },
  { id: `${id}/origins`, database, sql: projectionOriginsSql },
];

/**
 * The tables of the tape, and those for projections in the same database, in the order in which they are created.
 *
 * @example
 * await migrate(databases, [...eventingMigrations, ...identityMigrations]);
 */
export const eventingMigrations: readonly EventingMigration[] = [
  { id: 'eventing/001-tape', database: 'tapedeck', sql: tapeSql },
  { id: 'eventing/002-personal-data-keys', database: 'tapedeck', sql: personalDataKeysSql },
  ...projectionTables('eventing/003-projections', 'tapedeck'),
  { id: 'eventing/007-personal-subjects', database: 'tapedeck', sql: personalSubjectsSql },
  { id: 'eventing/008-tape-functions', database: 'tapedeck', sql: tapeFunctionsSql },
  { id: 'eventing/009-event-types', database: 'tapedeck', sql: eventTypesIndexSql },
  { id: 'eventing/010-append-in-sets', database: 'tapedeck', sql: tapeAppendSql },
  { id: 'eventing/011-master-key', database: 'tapedeck', sql: masterKeySql },
  { id: 'eventing/012-snapshots', database: 'tapedeck', sql: snapshotsSql },
];
