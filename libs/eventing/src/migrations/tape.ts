/** The events and the versions of their streams. */
export const tapeSql = `
create sequence tape_position as bigint cache 1;

create table tape_streams (
  stream  text    primary key,
  version integer not null
) with (fillfactor = 80);

create table tape_events (
  position       bigint      primary key,
  stream         text        not null,
  version        integer     not null,
  id             uuid        not null unique,
  type           text        not null,
  schema_version smallint    not null,
  data           json        not null,
  metadata       json        not null,
  recorded_at    timestamptz not null default now(),
  unique (stream, version)
);

create function tape_is_immutable() returns trigger language plpgsql as $$
begin
  raise exception 'the tape is immutable: % on tape_events is not allowed', tg_op using errcode = '42501';
end $$;

create trigger tape_is_immutable before update or delete or truncate on tape_events
  for each statement execute function tape_is_immutable();
alter table tape_events enable always trigger tape_is_immutable;
`;

/** One key per account. A forgotten account keeps its row, without the key, so that no new key is created for it. */
export const personalDataKeysSql = `
create table personal_data_keys (
  subject      text        primary key,
  key_id       uuid        not null,
  wrapped      bytea,
  created_at   timestamptz not null default now(),
  forgotten_at timestamptz,
  check ((wrapped is null) = (forgotten_at is not null))
);
`;

/** The fingerprint of the key that encrypts those of `personal_data_keys`: a wrong one is noticed at the start. */
export const masterKeySql = `
create table tape_master_key (
  is_only     boolean primary key default true check (is_only),
  fingerprint text    not null
);
`;

/**
 * The accounts that ever had a key, so that none gets a second one. Part of the tape, and restored with it; an index over
 * the events would slow down every append.
 */
export const personalSubjectsSql = `
drop index if exists tape_events_personal_subject;

create table tape_personal_subjects (subject text primary key);

insert into tape_personal_subjects
  select subject from personal_data_keys
  union
  select metadata ->> 'personalSubject' from tape_events where metadata ->> 'personalSubject' is not null;

create function tape_personal_subjects_are_immutable() returns trigger language plpgsql as $$
begin
  raise exception '% on tape_personal_subjects is not allowed: it belongs to the tape', tg_op using errcode = '42501';
end $$;

create trigger tape_personal_subjects_are_immutable before update or delete or truncate on tape_personal_subjects
  for each statement execute function tape_personal_subjects_are_immutable();
alter table tape_personal_subjects enable always trigger tape_personal_subjects_are_immutable;
`;

/** So that a read model is built in a time that depends on its own events, not on the size of the tape. */
export const eventTypesIndexSql = `
create index tape_events_type on tape_events (type, position);
`;

/** The states of long streams: what is missing is computed from the events again. */
export const snapshotsSql = `
create table tape_snapshots (
  stream   text    primary key,
  form     integer not null,
  version  integer not null,
  position bigint  not null,
  event_id uuid    not null,
  content  bytea   not null
);
`;
