/** How many events of each type were recorded on each day (UTC), and up to which position that is counted. */
export const tapeDaysSql = `
create table tape_days (
  day    date   not null,
  type   text   not null,
  events bigint not null,
  primary key (day, type)
);

create table tape_days_counted (
  is_only  boolean primary key default true check (is_only),
  position bigint  not null
);
insert into tape_days_counted (position) values (0);
`;
