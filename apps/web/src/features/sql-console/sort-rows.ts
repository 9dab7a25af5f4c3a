type Row = readonly (string | null)[];
export type Sorting = Readonly<{ column: number; isDescending: boolean }>;

const number = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const collator = new Intl.Collator('en', { numeric: true });

const compare = (a: string, b: string): number =>
  number.test(a) && number.test(b) ? Number(a) - Number(b) : collator.compare(a, b);

/** A copy in the order of a column: numbers by their value, NULL last. */
export const sortRows = (rows: readonly Row[], { column, isDescending }: Sorting): readonly Row[] =>
  rows.toSorted((one, other) => {
    const [a, b] = [one[column] ?? null, other[column] ?? null];
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
    return isDescending ? compare(b, a) : compare(a, b);
  });
