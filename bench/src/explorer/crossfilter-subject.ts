import crossfilter from 'crossfilter2';
import { binOf, firstRows, sortFacet, type Figures, type Ranges, type Refreshed } from './figures.ts';
import type { Contender } from './subject.ts';

const unknownValue = -Number.MAX_VALUE;
/** crossfilter needs values with an order: unknown is below, infinity above all known values. */
const ordered = (value: number): number => {
  if (Number.isNaN(value)) return unknownValue;
  return Math.min(value, Number.MAX_VALUE / 2);
};

const bits = new DataView(new ArrayBuffer(8));
/** The next larger number: a range of crossfilter excludes its upper end, a range of the product includes it. */
const above = (value: number): number => {
  if (value === 0) return Number.MIN_VALUE;
  bits.setFloat64(0, value);
  bits.setBigInt64(0, bits.getBigInt64(0) + (value > 0 ? 1n : -1n));
  return bits.getFloat64(0);
};

/**
 * crossfilter2 keeps the filters of one user: moving a slider changes only one of them. Another user needs a copy of all
 * data, or all filters have to be set again.
 */
export const crossfilterContender = ({ ids, columns, edges }: Figures): Contender => {
  const rows = crossfilter(Array.from(ids.keys()));
  const dimensions = columns.map((column) => rows.dimension((row) => ordered(column[row] ?? NaN)));
  const groups = dimensions.map((dimension, facet) => {
    const own = edges[facet] ?? [];
    // crossfilter needs the bins in the order of the values: unknown first.
    return dimension.group<number, number>((value) => (value === unknownValue ? -1 : binOf(own, value)));
  });
  const all = rows.groupAll<number>().reduceCount();
  let current: Ranges = [];

  const histogram = (facet: number): readonly number[] => {
    const counts = (edges[facet] ?? []).map(() => 0);
    for (const { key, value } of groups[facet]?.all() ?? [])
      counts[key < 0 ? counts.length - 1 : key] = value;
    return counts;
  };
  const first = (): readonly string[] => {
    const column = columns[sortFacet] ?? new Float64Array(0);
    const valueOf = (row: number | undefined): number => (row === undefined ? NaN : (column[row] ?? NaN));
    // Rows with equal values come in any order: takes enough of them to find the first ones by id.
    let wanted = firstRows + 1;
    let top = dimensions[sortFacet]?.top(wanted) ?? [];
    while (top.length === wanted && valueOf(top[firstRows - 1]) === valueOf(top.at(-1))) {
      wanted *= 2;
      top = dimensions[sortFacet]?.top(wanted) ?? [];
    }
    const id = (row: number): string => ids[row] ?? '';
    return top
      .sort((a, b) => valueOf(b) - valueOf(a) || (id(a) < id(b) ? -1 : 1))
      .slice(0, firstRows)
      .map(id);
  };
  const refresh = (ranges: Ranges): Promise<Refreshed> => {
    ranges.forEach(({ low, high }, facet) => {
      if (current[facet]?.low === low && current[facet]?.high === high) return;
      dimensions[facet]?.filterRange([ordered(low), above(ordered(high))]);
    });
    current = ranges;
    return Promise.resolve({
      total: all.value(),
      first: first(),
      histograms: groups.map((_, facet) => histogram(facet)),
    });
  };
  return {
    subjects: [{ name: 'crossfilter2, one user', kind: 'stateful', refresh }],
    close: () => Promise.resolve(),
  };
};
