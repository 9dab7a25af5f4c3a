import type { Row } from '../../projection.ts';

type Value = Row[string] | undefined;

/** How the values of one column are sent: as the elements of an array parameter. */
export type ColumnCodec = Readonly<{
  /** SQL type of the parameter. */
  parameter: string;
  /** SQL that casts an element to the type of the column; empty when it has this type. */
  cast: string;
  /** A value as an element of PostgreSQL's array literal. */
  element: (value: Value) => string;
}>;

// Not linear: the types of columns are our own.
const constraints =
  /\s+(?:not\s+null|null|default|primary|unique|references|check|generated|collate|constraint)\b.*$/is;

/** The SQL type of a column with this definition. */
export const typeOf = (definition: string): string => definition.trim().replace(constraints, '');

const quotedElement = (text: string): string =>
  `"${/["\\]/.test(text) ? text.replaceAll(/["\\]/g, String.raw`\$&`) : text}"`;

const plainElement = (value: Value): string => {
  switch (typeof value) {
    case 'string':
      return quotedElement(value);
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      if (value === null || value === undefined) return 'NULL';
      return quotedElement(value instanceof Date ? value.toISOString() : JSON.stringify(value));
  }
};

const jsonElement = (value: Value): string =>
  value === null || value === undefined ? 'NULL' : quotedElement(JSON.stringify(value));

const arrayElement = (value: Value): string =>
  Array.isArray(value) ? quotedElement(`{${value.map(plainElement).join(',')}}`) : plainElement(value);

/**
 * The codec of a column with this SQL definition.
 *
 * @example
 * columnCodec('text[] not null').element(['a', 'b']); // '"{\"a\",\"b\"}"'
 */
export const columnCodec = (definition: string): ColumnCodec => {
  const type = typeOf(definition);
  // PostgreSQL requires an array of arrays to be rectangular, so arrays are sent as text.
  if (type.endsWith(']')) return { parameter: 'text[]', cast: `::${type}`, element: arrayElement };
  if (/^jsonb?$/i.test(type)) return { parameter: `${type}[]`, cast: '', element: jsonElement };
  return { parameter: `${type}[]`, cast: '', element: plainElement };
};
