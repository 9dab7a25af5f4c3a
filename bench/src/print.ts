/** One of the product's aims, what this run measured, and whether it reached the aim. */
export type Claim = Readonly<{ claim: string; aim: string; measured: string; reached: boolean }>;

export const say = (line = ''): void => {
  process.stdout.write(`${line}\n`);
};

const grouped = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

export const count = (value: number): string => grouped.format(value);
export const times = (value: number): string => `${value < 10 ? value.toFixed(1) : value.toFixed(0)}×`;
/** Milliseconds with a useful number of digits. */
export const ms = (value: number): string => {
  if (value >= 100) return grouped.format(value);
  return value >= 1 ? value.toFixed(1) : value.toFixed(3);
};

/** Prints a table with columns as wide as their content: the first aligned left, the others right. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): void => {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  say(line(head));
  say(widths.map((width) => '-'.repeat(width)).join('  '));
  for (const row of rows) say(line(row));
  say();
};

export const printClaims = (claims: readonly Claim[]): void =>
  table(
    ['claim', 'aim', 'measured', 'reached'],
    claims.map(({ claim, aim, measured, reached }) => [claim, aim, measured, reached ? 'yes' : 'NO']),
  );
