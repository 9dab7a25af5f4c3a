/** One key per account; a forgotten account keeps its row without a key, so that it gets no new one. */
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
