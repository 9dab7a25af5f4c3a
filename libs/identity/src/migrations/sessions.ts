/** Signed-in sessions. The key is a hash of the session id, so that a leaked table opens no session; `id_token` is sealed. */
export const sessionsSql = `
create table sessions (
  id_hash bytea primary key,
  account_id uuid not null,
  roles text[] not null,
  id_token text,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  idle_seconds integer not null,
  idle_until timestamptz not null,
  ends_at timestamptz not null
);
create index sessions_account on sessions (account_id);
create index sessions_idle_until on sessions (idle_until);
`;
