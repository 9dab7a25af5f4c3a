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
