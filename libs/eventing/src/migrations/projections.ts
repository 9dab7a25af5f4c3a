/** For each version of a projection: its checkpoint, its lease and its parked events. */
export const projectionsSql = `
create table projection_checkpoints (
  projection   text        not null,
  version      integer     not null,
  position     bigint      not null default 0,
  status       text        not null check (status in ('building', 'live', 'retired')),
  indexed      boolean     not null default false,
  parked       integer     not null default 0,
  tables_hash  text        not null,
  views_hash   text        not null default '',
  lease_owner  text,
  lease_until  timestamptz,
  lease_epoch  bigint      not null default 0,
  last_error   text,
  updated_at   timestamptz not null default now(),
  primary key (projection, version)
) with (fillfactor = 50);
create unique index projection_checkpoints_live on projection_checkpoints (projection) where status = 'live';

create table projection_parked_events (
  projection text        not null,
  version    integer     not null,
  position   bigint      not null,
  key        text        not null,
  stream     text        not null,
  type       text        not null,
  error      text,
  attempts   integer     not null default 0,
  parked_at  timestamptz not null default now(),
  primary key (projection, version, position)
);
create index projection_parked_events_key on projection_parked_events (projection, version, key, position);
`;

/** What a second build of a read model and the pages of operations need to know. */
export const projectionBuildsSql = `
alter table projection_checkpoints
  -- How many events were read into this build; its growth is a rate.
  add column events_read bigint not null default 0,
  -- The position of the event that asked for this build, or for the last swap with the other one.
  add column change      bigint not null default 0;

-- Parked events that a person has ignored. The later events of their keys were handled.
create table ignored_events (
  subscriber     text    not null,
  version        integer not null,
  position       bigint  not null,
  key            text    not null,
  stream         text    not null,
  stream_version integer,
  type           text    not null,
  primary key (subscriber, version, position)
);
`;

/** What replays, the comparison of checkpoint and tape, and the removal of old versions need to know. */
export const projectionOriginsSql = `
alter table projection_checkpoints
  -- The newest event on the tape that the checkpoint has passed, as far as the runner knows it.
  add column event_position  bigint,
  add column event_stream    text,
  add column event_version   integer,
  add column event_id        uuid,
  -- Grows with every event that is parked or replayed: a copy of the rows must then be made again.
  add column parking_changes bigint      not null default 0,
  add column types_hash      text        not null default '',
  add column stored_tables   text[],
  add column retired_at      timestamptz,
  add column run_at          timestamptz not null default now(),
  add column last_error_code text;
update projection_checkpoints set retired_at = now() where status = 'retired';

-- Unknown for events that were parked before this column existed.
alter table projection_parked_events add column stream_version integer;
`;
