import type { Projection } from '@tapedeck/eventing';
import type { Grant } from '@tapedeck/platform/database-roles';
import type { Migration } from '@tapedeck/platform/migrations';
import { explorerStrategies } from './projections/explorer-strategies.ts';

export { explorerStrategies };

export const searchEngineProjections: readonly Projection[] = [explorerStrategies];

/** Bin edges of each catalogue version; the newest one is in use. */
const edgesSql = `
create table explorer_edges (
  version  integer     primary key,
  known    jsonb       not null,
  edges    jsonb       not null,
  drawn_at timestamptz not null default now()
);
`;

/** The projector's progress with each search index, and the identity of the catalogue in this database. */
const indexSql = `
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

/** Tables that are not read models; ids are stored in databases and stay as they are. */
export const searchEngineMigrations: readonly Migration[] = [
  { id: 'explorer/001-edges', database: 'catalogue', sql: edgesSql },
  { id: 'explorer/002-index', database: 'catalogue', sql: indexSql },
];

const inCatalogue = (on: string, api: string, projector: string): Grant => ({
  database: 'catalogue',
  on,
  api,
  projector,
});

/** Whichever process computes new edges stores them; only the projector writes the index. */
export const searchEngineGrants: readonly Grant[] = [
  inCatalogue('table explorer_edges', 'select, insert', 'select, insert'),
  inCatalogue('table explorer_index', 'select', 'select, insert, update'),
  inCatalogue('table explorer_identity', 'select', 'select'),
];
