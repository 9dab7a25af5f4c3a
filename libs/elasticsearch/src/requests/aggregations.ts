import type { estypes } from '@elastic/elasticsearch';
import type { FacetField, FieldRange } from '@tapedeck/search-engine/contract';
import { firstAtLeast, fromScaled, lastAtMost, scaledInfinity } from '../index/scaled-integers.ts';

type Aggregation = estypes.AggregationsAggregationContainer;
/** Inclusive from, exclusive to; a missing end is open. */
type Span = Readonly<{ key: string; from?: number; to?: number }>;

/** An aggregation of a response, with nested ones under the names that their requests gave them. */
export type AggregationResult = Readonly<{
  key?: string;
  doc_count?: number;
  value?: number | null;
  buckets?: Readonly<Record<string, AggregationResult>>;
  bins?: AggregationResult;
  max?: AggregationResult;
}>;

/** The spans below, between and above these numbers, keyed 0, 1, 2, … */
const spansBetween = (cuts: readonly number[]): readonly Span[] =>
  Array.from({ length: cuts.length + 1 }, (_, at) => {
    const [from, to] = [cuts[at - 1], cuts[at]];
    return {
      key: String(at),
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
    };
  });

const rangeAggregation = (field: string, spans: readonly Span[]): Aggregation => ({
  range: { field, keyed: true, ranges: [...spans] },
});

/** Bin i holds [edges[i], edges[i + 1]); the first and the last are open-ended. */
export const binSpans = (field: FacetField, edges: readonly number[]): readonly Span[] =>
  spansBetween(edges.slice(1, -1).map((edge) => firstAtLeast(field, edge)));

export const binsAggregation = (field: FacetField, edges: readonly number[]): Aggregation =>
  rangeAggregation(field, binSpans(field, edges));

/** The intervals of `BrushAnswer`: below snap point 0, exactly snap point 0, between 0 and 1, …, above the last one. */
export const intervalsAggregation = (field: FacetField, snapPoints: readonly number[]): Aggregation => {
  const cuts = snapPoints.flatMap((snapPoint) => {
    const from = firstAtLeast(field, snapPoint);
    // No integer stores a snap point that is finer than the field's precision: its interval is empty.
    return [from, Math.max(from, lastAtMost(field, snapPoint) + 1)];
  });
  return rangeAggregation(field, spansBetween(cuts));
};

export const countsOf = (bins: AggregationResult | undefined, length: number): number[] =>
  Array.from({ length }, (_, bin) => bins?.buckets?.[String(bin)]?.doc_count ?? 0);

/** For the smallest and the largest finite value. */
export const minMaxAggregations = (field: FacetField): Readonly<Record<'min' | 'finite', Aggregation>> => ({
  min: { min: { field } },
  finite: { filter: { range: { [field]: { lt: scaledInfinity } } }, aggs: { max: { max: { field } } } },
});

export const minMaxOf = (
  field: FacetField,
  min: AggregationResult | undefined,
  finite: AggregationResult | undefined,
): FieldRange => {
  const [low, high] = [min?.value ?? null, finite?.max?.value ?? null];
  return {
    // Null when every value is infinite.
    min: low === null || low === scaledInfinity ? null : fromScaled(field, low),
    max: high === null ? null : fromScaled(field, high),
  };
};
