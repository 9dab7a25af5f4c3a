import type { Migration } from '../migrations.ts';
import type { Grant } from '../roles/grants.ts';

/** Counts of requests by client; a crash of the server may lose them. */
export const platformMigrations: readonly Migration[] = [
  {
    id: 'platform/001-rate-limit-counts',
    database: 'tapedeck',
    sql: `
create unlogged table rate_limit_counts (
  client bytea primary key,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  requests integer not null
);
create index rate_limit_counts_ends_at on rate_limit_counts (ends_at);
`,
  },
];

export const platformGrants: readonly Grant[] = [
  { database: 'tapedeck', on: 'table rate_limit_counts', api: 'select, insert, update, delete' },
];
