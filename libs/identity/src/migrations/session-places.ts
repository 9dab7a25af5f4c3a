/** Where a session began: a coarse place, and a key by which sessions of one network are known as such. No address. */
export const sessionPlacesSql = `
alter table sessions
  add column place text,
  add column network_key bytea;
`;
