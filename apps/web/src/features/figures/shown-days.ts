/** How many days are shown, by the word in the address. */
export const ranges = [
  { name: '30', text: '30 days', days: 30 },
  { name: '90', text: '90 days', days: 90 },
  { name: 'all', text: '13 months', days: Infinity },
] as const;
export type Range = (typeof ranges)[number];

export const rangeNamed = (name: string | null): Range =>
  ranges.find((range) => range.name === name) ?? ranges[1];

/** A value for each day, the newest last. */
export type Series = Readonly<{ name: string; values: readonly number[] }>;

const lastOf = <T>(values: readonly T[], { days }: Range): readonly T[] =>
  values.slice(Math.max(0, values.length - days));

export type Shown = Readonly<{ days: readonly string[]; series: readonly Series[] }>;

/** What of days and values is in the range. */
export const shownIn = (range: Range, days: readonly string[], series: readonly Series[]): Shown => ({
  days: lastOf(days, range),
  series: series.map(({ name, values }) => ({ name, values: lastOf(values, range) })),
});

export const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** The sum of several series on each day. */
export const totalsOf = (series: readonly Readonly<{ values: readonly number[] }>[]): readonly number[] =>
  (series[0]?.values ?? []).map((_, day) => sumOf(series.map(({ values }) => values[day] ?? 0)));
