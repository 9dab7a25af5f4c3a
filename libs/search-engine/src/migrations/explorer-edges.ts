/** The histogram edges of each catalogue version; the newest one is in use (D12). */
export const explorerEdgesSql = `
create table explorer_edges (
  version  integer     primary key,
  known    jsonb       not null,
  edges    jsonb       not null,
  drawn_at timestamptz not null default now()
);
`;
