type Rows = Readonly<{ columns: readonly string[]; rows: readonly (readonly (string | null)[])[] }>;

/** What a spreadsheet would read as a formula. */
const formula = /^[=+\-@\t\r]/;
const number = /^-?\d+(?:\.\d+)?$/;

const cell = (value: string | null): string => {
  if (value === null) return '';
  const safe = formula.test(value) && !number.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** CSV by RFC 4180; NULL is an empty cell, and no cell is a formula. */
export const toCsv = ({ columns, rows }: Rows): string =>
  [columns, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
