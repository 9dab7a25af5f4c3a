import type { Scale } from './facet-row.ts';
import { facetFields, facetRecord, facets, type FacetField } from './facets.ts';

/** One more than its bins, strictly increasing numbers for every field and scale. */
export type FacetEdges = Readonly<Record<FacetField, Readonly<Record<Scale, readonly number[]>>>>;
export type KnownCounts = Readonly<Record<FacetField, number>>;

/** The edges of one catalogue version, and the number of known values per field for which they were computed. */
export type EdgeSet = Readonly<{ version: number; known: KnownCounts; edges: FacetEdges }>;

/** Known finite values of every field, ascending. */
export type SortedFigures = Readonly<Record<FacetField, Float64Array>>;

/** Linear axes leave out this share of the rows at either end; the open end bins contain them. */
const tailShare = 0.005;

const steps = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 15, 20];

const roundSteps = (min: number, whole: boolean): readonly number[] => {
  if (whole && min < 10) return Array.from({ length: 12 }, (_, i) => Math.max(1, Math.ceil(min)) + i);
  const power = 10 ** Math.floor(Math.log10(min));
  return steps.map((step) => step * power).filter((step) => step >= min * (1 - 1e-12));
};

/** Removes the rounding error of sums of decimal steps (0.30000000000000004); no figure has 12 digits. */
const withoutRoundingError = (value: number): number => Number(value.toPrecision(12)) + 0;

const linearEdges = (low: number, high: number, bins: number, whole: boolean): readonly number[] => {
  const candidates = roundSteps((high - low) / bins, whole);
  const fits = (step: number): boolean =>
    withoutRoundingError(Math.floor(low / step) * step + bins * step) >= high;
  const step = candidates.find(fits) ?? ((high - low) / bins) * 1.5;
  const first = Math.floor(low / step);
  const edges = Array.from({ length: bins + 1 }, (_, i) => withoutRoundingError((first + i) * step));
  // Values slightly below zero do not make the axis start a whole step below it.
  return low < 0 && -low < step ? [Number(low.toPrecision(3)), ...edges.slice(1)] : edges;
};

/** A logarithm for both signs, linear around zero; `symexp` is its inverse. */
export const symlog = (value: number, unit = 1): number =>
  Math.sign(value) * Math.log1p(Math.abs(value) / unit);
export const symexp = (value: number, unit = 1): number =>
  Math.sign(value) * Math.expm1(Math.abs(value)) * unit;

/** Each edge with the fewest digits that keep the edges in order. */
const rounded = (edges: readonly number[]): readonly number[] => {
  const out: number[] = [];
  edges.forEach((edge, i) => {
    const above = out[i - 1] ?? -Infinity;
    const below = edges[i + 1] ?? Infinity;
    const fits = (value: number): boolean => value > above && value < below;
    const short = [3, 4, 6, 9].map((digits) => Number(edge.toPrecision(digits)) + 0).find(fits);
    out.push(short ?? edge);
  });
  return out;
};

const logEdges = (low: number, high: number, bins: number, unit: number): readonly number[] => {
  const from = symlog(low, unit);
  const width = (symlog(high, unit) - from) / bins;
  return rounded(Array.from({ length: bins + 1 }, (_, i) => symexp(from + i * width, unit)));
};

/**
 * Bins with numbers of rows as equal as ties allow: a value that fills more than a bin's share gets one bin, and the
 * other rows are divided again. Null when there are too few different values to fill every bin.
 */
const quantileEdges = (sorted: Float64Array, bins: number): readonly number[] | null => {
  const starts: number[] = [];
  for (let i = 0; i < sorted.length; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) starts.push(i);
  if (starts.length <= bins) return null;
  const startAt = (index: number): number => starts[index] ?? sorted.length;
  const edges: number[] = [];
  for (let bin = 0, index = 0; bin < bins; bin++) {
    const start = startAt(index);
    edges.push(sorted[start] ?? 0);
    const target = start + (sorted.length - start) / (bins - bin);
    // Leaves enough different values for the later bins and the last edge.
    const latest = starts.length - (bins - bin);
    index++;
    while (index < latest && startAt(index) < target) index++;
  }
  edges.push(sorted[sorted.length - 1] ?? 0);
  return rounded(edges);
};

const isWhole = (field: FacetField): boolean => facets[field].unitsPerOne === 1;

const axis = (field: FacetField, low: number, high: number): readonly [number, number] => {
  const close = high - low <= 1e-6 * Math.max(1, Math.abs(low), Math.abs(high));
  if (!close) return [low, high];
  return [low, low + Math.max(Math.abs(low), isWhole(field) ? facets[field].bins : 1)];
};

const edgesOf = (field: FacetField, sorted: Float64Array): Readonly<Record<Scale, readonly number[]>> => {
  const whole = isWhole(field);
  const { bins, emptyAxis: empty, linearAround } = facets[field];
  const at = (share: number): number | undefined => sorted[Math.round(share * (sorted.length - 1))];
  const [low, high] = axis(field, at(tailShare) ?? empty[0], at(1 - tailShare) ?? empty[1]);
  const [min, max] = axis(field, at(0) ?? empty[0], at(1) ?? empty[1]);
  const linear = linearEdges(low, high, bins, whole);
  return {
    linear,
    log: logEdges(min, max, bins, linearAround),
    quantile: quantileEdges(sorted, bins) ?? linear,
  };
};

/** The edges for a catalogue with these values; the same values give the same edges. */
export const computeEdges = (figures: SortedFigures): FacetEdges =>
  facetRecord((field) => edgesOf(field, figures[field]));

const smallCatalogue = 20;

const outgrown = (before: number, now: number): boolean => {
  if (before === 0) return now > 0;
  return Math.abs(now - before) >= smallCatalogue && (now >= before * 2 || now * 2 <= before);
};

/**
 * True when a catalogue needs a new version of its edges: with the first known value of a field, and when the number of
 * known values of a field has doubled or halved (by at least 20) since the edges were computed.
 */
export const edgesOutgrown = (current: EdgeSet | null, known: KnownCounts): boolean =>
  facetFields.some((field) => outgrown(current?.known[field] ?? 0, known[field]));

/** The edges between bins: the first and the last edge divide nothing, as the end bins are open. */
export const innerEdges = (edges: readonly number[]): readonly number[] => edges.slice(1, -1);

/** The bin of a known value. */
export const binOf = (edges: readonly number[], value: number): number => {
  let bin = 0;
  while (bin < edges.length - 2 && value >= (edges[bin + 1] ?? Infinity)) bin++;
  return bin;
};
