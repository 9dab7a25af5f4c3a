import type { estypes } from '@elastic/elasticsearch';
import type { FacetField, FieldRange } from '../../../contract.ts';
import { firstAtLeast, fromGrains, infinite, lastAtMost } from '../index/scaled-integers.ts';

type Aggregation = estypes.AggregationsAggregationContainer;
type Span = Readonly<{ key: string; from?: number; to?: number }>;

/** The result of an aggregation, those beneath it under the names that were given to them. */
export type Result = Readonly<{
  key?: string;
  doc_count?: number;
  value?: number | null;
  buckets?: Readonly<Record<string, Result>>;
  bins?: Result;
  max?: Result;
}>;

const rangesOf = (field: string, spans: readonly Span[]): Aggregation => ({
  range: { field, keyed: true, ranges: [...spans] },
});

/** Bin i holds [edges[i], edges[i + 1]); the first and the last are open-ended (D12). */
export const binSpans = (field: FacetField, edges: readonly number[]): readonly Span[] => {
  const inner = edges.slice(1, -1).map((edge) => firstAtLeast(field, edge));
  return Array.from({ length: edges.length - 1 }, (_, bin) => {
    const [from, to] = [inner[bin - 1], inner[bin]];
    return {
      key: String(bin),
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
    };
  });
};

export const binsAggregation = (field: FacetField, edges: readonly number[]): Aggregation =>
  rangesOf(field, binSpans(field, edges));

/** Below s0, exactly s0, between s0 and s1, …, above the last stop: all known values, cell by cell. */
export const cellsAggregation = (field: FacetField, stops: readonly number[]): Aggregation => {
  const places = stops.flatMap((stop) => {
    const from = firstAtLeast(field, stop);
    // A stop between two grains has no value of its own: its cell is empty.
    return [from, Math.max(from, lastAtMost(field, stop) + 1)];
  });
  const spans = Array.from({ length: places.length + 1 }, (_, cell): Span => {
    const [from, to] = [places[cell - 1], places[cell]];
    return {
      key: String(cell),
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
    };
  });
  return rangesOf(field, spans);
};

export const countsOf = (bins: Result | undefined, length: number): number[] =>
  Array.from({ length }, (_, bin) => bins?.buckets?.[String(bin)]?.doc_count ?? 0);

/** Smallest and largest finite value. */
export const extentAggregations = (field: FacetField): Readonly<Record<'min' | 'finite', Aggregation>> => ({
  min: { min: { field } },
  finite: { filter: { range: { [field]: { lt: infinite } } }, aggs: { max: { max: { field } } } },
});

export const extentOf = (
  field: FacetField,
  min: Result | undefined,
  finite: Result | undefined,
): FieldRange => {
  const [low, high] = [min?.value ?? null, finite?.max?.value ?? null];
  return {
    // Where every value is infinite there is no smallest one.
    min: low === null || low === infinite ? null : fromGrains(field, low),
    max: high === null ? null : fromGrains(field, high),
  };
};
