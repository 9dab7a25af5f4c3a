import type { SqlSchema } from '@tapedeck/sql-console/contract';

export type SchemaTable = SqlSchema['tables'][number];

/** The tables with the columns whose names contain the text; all of a table whose own name does. */
export const filterTables = (tables: readonly SchemaTable[], text: string): readonly SchemaTable[] => {
  const part = text.trim().toLowerCase();
  if (part === '') return tables;
  return tables.flatMap((table) => {
    if (table.name.includes(part)) return [table];
    const columns = table.columns.filter(({ name, type }) => name.includes(part) || type === part);
    return columns.length === 0 ? [] : [{ ...table, columns }];
  });
};

const shortTypes: Readonly<Record<string, string>> = {
  'timestamp with time zone': 'timestamptz',
  'timestamp without time zone': 'timestamp',
  'double precision': 'double',
  'character varying': 'varchar',
};

/** @example shortType('timestamp with time zone') // 'timestamptz' */
export const shortType = (type: string): string => shortTypes[type] ?? type;
