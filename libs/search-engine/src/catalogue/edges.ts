import { binCount, facetFields, type FacetField, type Scale, facetRecord } from '../contract.ts';

/** `binCount + 1` strictly increasing numbers for every field and scale. */
export type FacetEdges = Readonly<Record<FacetField, Readonly<Record<Scale, readonly number[]>>>>;
export type KnownCounts = Readonly<Record<FacetField, number>>;

/** The edges of one catalogue version, and how many known values it had when they were drawn. */
export type EdgeSet = Readonly<{ version: number; known: KnownCounts; edges: FacetEdges }>;

/** Known finite values of every field, ascending. */
export type SortedFigures = Readonly<Record<FacetField, Float64Array>>;

/** What an axis shows while its field has no value at all: the sliders' defaults of the specification. */
const emptyAxis: Readonly<Record<FacetField, readonly [low: number, high: number]>> = {
  totalPandlPercent: [-100, 300_000_000],
  maxDrawdownPercent: [0, 100],
  profitFactor: [0, 10],
  sharpeRatio: [-5, 5],
  likes: [0, 20_349],
  views: [0, 999],
  comments: [0, 53],
  codeLines: [0, 4_328],
};

const wholeNumbers: ReadonlySet<FacetField> = new Set(['likes', 'views', 'comments', 'codeLines']);
/** Where the logarithmic axis stops being linear around zero. */
const linearAround: Readonly<Record<FacetField, number>> = {
  totalPandlPercent: 1,
  maxDrawdownPercent: 1,
  profitFactor: 0.1,
  sharpeRatio: 0.1,
  likes: 1,
  views: 1,
  comments: 1,
  codeLines: 1,
};
/** Linear axes leave out this share of the rows at either end; the end bins are open and hold them. */
const tail = 0.005;

const steps = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 15, 20];

const roundSteps = (least: number, whole: boolean): readonly number[] => {
  if (whole && least < 10) return Array.from({ length: 12 }, (_, i) => Math.max(1, Math.ceil(least)) + i);
  const power = 10 ** Math.floor(Math.log10(least));
  return steps.map((step) => step * power).filter((step) => step >= least * (1 - 1e-12));
};

/** Sums of decimal steps carry binary dust (0.30000000000000004); 12 digits are beyond any figure here. */
const clean = (value: number): number => Number(value.toPrecision(12)) + 0;

const linearEdges = (low: number, high: number, bins: number, whole: boolean): readonly number[] => {
  const candidates = roundSteps((high - low) / bins, whole);
  const fits = (step: number): boolean => clean(Math.floor(low / step) * step + bins * step) >= high;
  const step = candidates.find(fits) ?? ((high - low) / bins) * 1.5;
  const first = Math.floor(low / step);
  const edges = Array.from({ length: bins + 1 }, (_, i) => clean((first + i) * step));
  // A little below zero is no reason to begin a whole step below it.
  return low < 0 && -low < step ? [Number(low.toPrecision(3)), ...edges.slice(1)] : edges;
};

const symlog = (value: number, unit: number): number => Math.sign(value) * Math.log1p(Math.abs(value) / unit);
const symexp = (value: number, unit: number): number => Math.sign(value) * Math.expm1(Math.abs(value)) * unit;

/** Each edge with as few digits as keep the edges in order. */
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
 * Bins of as equal a weight as ties allow: a value that fills more than a bin's share gets one bin,
 * and the rest is shared out anew. Null when there are too few different values to fill every bin.
 */
const quantileEdges = (sorted: Float64Array, bins: number): readonly number[] | null => {
  const starts: number[] = [];
  for (let i = 0; i < sorted.length; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) starts.push(i);
  if (starts.length <= bins) return null;
  const startAt = (index: number): number => starts[index] ?? sorted.length;
  const edges: number[] = [];
  for (let bin = 0, index = 0; bin < bins; bin++) {
    const place = startAt(index);
    edges.push(sorted[place] ?? 0);
    const target = place + (sorted.length - place) / (bins - bin);
    // Enough different values stay back for every later bin and for the closing edge.
    const latest = starts.length - (bins - bin);
    index++;
    while (index < latest && startAt(index) < target) index++;
  }
  edges.push(sorted[sorted.length - 1] ?? 0);
  return rounded(edges);
};

const axis = (field: FacetField, low: number, high: number): readonly [number, number] => {
  const close = high - low <= 1e-6 * Math.max(1, Math.abs(low), Math.abs(high));
  if (!close) return [low, high];
  return [low, low + Math.max(Math.abs(low), wholeNumbers.has(field) ? binCount[field] : 1)];
};

const edgesOf = (field: FacetField, sorted: Float64Array): Readonly<Record<Scale, readonly number[]>> => {
  const bins = binCount[field];
  const whole = wholeNumbers.has(field);
  const empty = emptyAxis[field];
  const at = (share: number): number | undefined => sorted[Math.round(share * (sorted.length - 1))];
  const [low, high] = axis(field, at(tail) ?? empty[0], at(1 - tail) ?? empty[1]);
  const [min, max] = axis(field, at(0) ?? empty[0], at(1) ?? empty[1]);
  const linear = linearEdges(low, high, bins, whole);
  return {
    linear,
    log: logEdges(min, max, bins, linearAround[field]),
    quantile: quantileEdges(sorted, bins) ?? linear,
  };
};

/** Edges for a catalogue with these values; the same values give the same edges. */
export const computeEdges = (figures: SortedFigures): FacetEdges =>
  facetRecord((field) => edgesOf(field, figures[field]));

const smallCatalogue = 20;

const outgrown = (before: number, now: number): boolean => {
  if (before === 0) return now > 0;
  return Math.abs(now - before) >= smallCatalogue && (now >= before * 2 || now * 2 <= before);
};

/**
 * When a catalogue begins a new version of its edges: with the first known value of a field, and when the
 * known values of a field have doubled or halved (by at least 20) since the edges were drawn. Everything
 * else leaves them as they are (D12).
 */
export const edgesOutgrown = (drawn: EdgeSet | null, known: KnownCounts): boolean =>
  facetFields.some((field) => outgrown(drawn?.known[field] ?? 0, known[field]));
