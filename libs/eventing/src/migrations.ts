import { projectionBuildsSql, projectionOriginsSql, projectionsSql } from './migrations/projections.ts';
import { reactionsSql } from './migrations/reactions.ts';
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

/** What the role of each process may do with one object of a database, as GRANT writes it. */
export type EventingGrant = Readonly<{ database: string; on: string; api?: string; projector?: string }>;

/**
 * The tables for the checkpoints and parked events of projections, for a database other than that of the tape.
 *
 * @example
 * export const strategyMigrations = [...projectionTables('eventing/004-projections-of-the-catalogue', 'catalogue')];
 */
export const projectionTables = (id: string, database: string): readonly EventingMigration[] => [
  { id, database, sql: projectionsSql },
  { id: `${id}/origins`, database, sql: projectionOriginsSql },
  { id: `${id}/builds`, database, sql: projectionBuildsSql },
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
  { id: 'eventing/013-reactions', database: 'tapedeck', sql: reactionsSql },
];

/** What belongs to `projectionTables` in the same database. */
export const projectionGrants = (database: string): readonly EventingGrant[] => [
  {
    database,
    on: 'table projection_checkpoints',
    api: 'select',
    projector: 'select, insert, update, delete',
  },
  {
    database,
    on: 'table projection_parked_events',
    api: 'select',
    projector: 'select, insert, update, delete',
  },
  { database, on: 'table ignored_events', api: 'select', projector: 'select, insert, delete' },
];

const onTape = (on: string, api?: string, projector: string | undefined = api): EventingGrant => ({
  database: 'tapedeck',
  on,
  ...(api === undefined ? {} : { api }),
  ...(projector === undefined ? {} : { projector }),
});

/** The tape is changed only by `tape_append`, which runs as its owner. */
export const eventingGrants: readonly EventingGrant[] = [
  onTape('table tape_events', 'select'),
  onTape('function tape_append', 'execute'),
  onTape('function tape_settling', 'execute'),
  onTape('function tape_server', 'execute'),
  onTape('table tape_snapshots', 'select, insert, update'),
  onTape('table tape_master_key', 'select, insert'),
  onTape('table tape_personal_subjects', 'select (subject), insert'),
  onTape('table personal_data_keys', 'select, insert, update (wrapped, forgotten_at)'),
  onTape('table reaction_pending_events', 'select', 'select, insert, update, delete'),
  ...projectionGrants('tapedeck'),
];
