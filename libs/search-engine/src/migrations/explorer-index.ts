/** What the projector says of each search index, for the processes that answer from it. */
export const explorerIndexSql = `
create table explorer_index (
  name           text        primary key,
  stamp          bigint      not null default 0,
  reached        bigint      not null default 0,
  rebuild_wanted bigint      not null default 0,
  rebuild_done   bigint      not null default 0,
  updated_at     timestamptz not null default now()
);
create table explorer_identity (
  single boolean primary key default true check (single),
  id     uuid    not null default gen_random_uuid()
);
insert into explorer_identity default values;
`;
