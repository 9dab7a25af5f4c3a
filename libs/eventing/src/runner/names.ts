import type { Projection, ProjectionTable } from '../projection.ts';

const identifier = /^[a-z_][a-z0-9_]{0,49}$/;

/** A name as SQL writes it. */
export const quoted = (name: string): string => {
  if (identifier.test(name)) return `"${name}"`;
  throw new Error(`"${name}" is no table or column name: use up to 50 of a-z, 0-9 and _.`);
};

/** Where the rows of a table lie: a name of its own for every version, so that two can stand side by side. */
export const storedName = (projection: Projection, table: ProjectionTable, suffix = ''): string =>
  `${table.name}_v${projection.version}${suffix}`;

/**
 * Where the rows of one of a projection's tables lie, as SQL writes it: for a reader that must see the rows of this
 * version, whichever version is live.
 *
 * @example
 * await client.query(`select * from ${storedTable(explorerStrategies, 'explorer_strategies')}`);
 */
export const storedTable = (projection: Projection, table: string): string => {
  const found = projection.tables.find(({ name }) => name === table);
  if (found) return quoted(storedName(projection, found));
  throw new Error(`The projection ${projection.name} has no table ${table}.`);
};
