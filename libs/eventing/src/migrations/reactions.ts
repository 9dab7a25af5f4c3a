/** Which checkpoints are not those of read models, and the events that reactions and effects have not finished. */
export const reactionsSql = `
alter table projection_checkpoints add column kind text not null default 'projection'
  check (kind in ('projection', 'reaction', 'effect', 'due-dates'));

create table reaction_pending_events (
  reaction        text        not null,
  position        bigint      not null,
  key             text        not null,
  stream          text        not null,
  stream_version  integer     not null,
  type            text        not null,
  attempts        integer     not null default 0,
  error           text,
  waiting_for     text,
  parked          boolean     not null default false,
  -- Null for a parked event, and for one behind another event of its key.
  next_attempt_at timestamptz,
  -- By the clock of the product; the other times are the server's.
  pending_since   timestamptz not null,
  primary key (reaction, key, position)
);
create index reaction_pending_events_next on reaction_pending_events (reaction, next_attempt_at, position)
  where next_attempt_at is not null;
`;
