import type { Grant } from '@tapedeck/platform/database-roles';
import type { Migration } from '@tapedeck/platform/migrations';

/**
 * Files that are to be imported, until they are. A file without a hash is still arriving. Two files with one hash are
 * one import.
 */
export const uploadMigration: Migration = {
  id: 'strategies/002-uploads',
  database: 'tapedeck',
  sql: `
create table strategy_uploads (
  import_id   uuid primary key,
  name        text not null,
  actor_id    text not null,
  actor_kind  text not null,
  started_at  timestamptz not null default now(),
  sha256      text unique,
  size        integer,
  lease_token bigint not null default 0,
  lease_until timestamptz,
  failures    integer not null default 0,
  phase       text not null default 'extracting',
  processed   integer not null default 0,
  total       integer not null default 0,
  current     text not null default '',
  errors      jsonb not null default '[]',
  error_count integer not null default 0
);
create table strategy_upload_chunks (
  import_id uuid not null references strategy_uploads on delete cascade,
  number    integer not null,
  bytes     bytea not null,
  primary key (import_id, number)
);
alter table strategy_upload_chunks alter column bytes set storage external;
`,
};

export const uploadGrants: readonly Grant[] = [
  {
    database: 'tapedeck',
    on: 'table strategy_uploads',
    api: 'select, insert, update (name, sha256, size), delete',
    projector: 'select, update, delete',
  },
  {
    database: 'tapedeck',
    on: 'table strategy_upload_chunks',
    api: 'insert',
    projector: 'select',
  },
];
