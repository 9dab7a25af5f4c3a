import type { Row } from '../projection.ts';

type Value = Row[string] | undefined;

const valueJson = (value: Value): string => {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
      // PostgreSQL reads NaN and the infinities from text.
      return Number.isFinite(value) ? String(value) : `"${value}"`;
    case 'bigint':
      return String(value);
    case 'boolean':
      return value ? 'true' : 'false';
    default:
      if (value === null || value === undefined) return 'null';
      if (Array.isArray(value)) return `[${value.map(valueJson).join(',')}]`;
      return JSON.stringify(value);
  }
};

const rowJson = (row: Row): string => {
  let text = '';
  for (const column in row) text += `${text === '' ? '{' : ','}"${column}":${valueJson(row[column])}`;
  return text === '' ? '{}' : `${text}}`;
};

// One parameter of a statement stays well below what the server and the driver take.
const chunkLength = 8_000_000;

/** The rows as JSON arrays of a size that one statement can carry. */
export const rowChunks = (rows: readonly Row[]): readonly string[] => {
  const chunks: string[] = [];
  let parts: string[] = [];
  let length = 0;
  const flush = (): void => {
    if (parts.length > 0) chunks.push(`[${parts.join(',')}]`);
    parts = [];
    length = 0;
  };
  for (const row of rows) {
    const text = rowJson(row);
    if (length + text.length > chunkLength) flush();
    parts.push(text);
    length += text.length;
  }
  flush();
  return chunks;
};
