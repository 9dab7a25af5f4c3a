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
