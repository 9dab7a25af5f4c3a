/**
 * Where a value lies along a slider whose plot has one equal part for each bin. Inside a bin the place is found
 * by interpolation; `bend` is for bins of unequal width, which may span magnitudes.
 */
export type RangeScale = Readonly<{
  /** Ascending bin edges, at least two; equal neighbours are allowed. */
  edges: readonly number[];
  bend: boolean;
  /** Decimals of a dragged value. */
  digits: number;
  step: number;
}>;

const symlog = (value: number): number => Math.sign(value) * Math.log1p(Math.abs(value));
const unsymlog = (value: number): number => Math.sign(value) * Math.expm1(Math.abs(value));

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

const edgeAt = ({ edges }: RangeScale, at: number): number => edges[clamp(at, 0, edges.length - 1)] ?? 0;

export const lowest = (scale: RangeScale): number => edgeAt(scale, 0);
export const highest = (scale: RangeScale): number => edgeAt(scale, scale.edges.length - 1);

/** The bin a value counts in; the first and the last one are open-ended. */
export const binOf = (edges: readonly number[], value: number): number => {
  let from = 0;
  let to = edges.length - 1;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((edges[middle] ?? Infinity) <= value) from = middle + 1;
    else to = middle;
  }
  return clamp(from - 1, 0, Math.max(0, edges.length - 2));
};

/** 0 at the left end, 1 at the right one; never falls as the value rises. */
export const place = (scale: RangeScale, value: number): number => {
  const bins = scale.edges.length - 1;
  const bin = binOf(scale.edges, value);
  const [low, high] = [edgeAt(scale, bin), edgeAt(scale, bin + 1)];
  if (high <= low) return clamp((bin + (value < low ? 0 : 1)) / bins, 0, 1);
  const share = scale.bend
    ? (symlog(value) - symlog(low)) / (symlog(high) - symlog(low))
    : (value - low) / (high - low);
  return clamp((bin + clamp(share, 0, 1)) / bins, 0, 1);
};

export const valueAt = (scale: RangeScale, position: number): number => {
  const bins = scale.edges.length - 1;
  const along = clamp(position, 0, 1) * bins;
  const bin = Math.min(bins - 1, Math.floor(along));
  const [low, high] = [edgeAt(scale, bin), edgeAt(scale, bin + 1)];
  const share = along - bin;
  if (!scale.bend) return low + (high - low) * share;
  return unsymlog(symlog(low) + (symlog(high) - symlog(low)) * share);
};

/** Of ascending stops, at least one, the one that lies nearest to a place. */
export const nearestStop = (scale: RangeScale, stops: readonly number[], position: number): number => {
  const stopAt = (at: number): number => stops[clamp(at, 0, stops.length - 1)] ?? 0;
  let from = 0;
  let to = stops.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (place(scale, stopAt(middle)) < position) from = middle + 1;
    else to = middle;
  }
  const [before, after] = [stopAt(from - 1), stopAt(from)];
  return position - place(scale, before) < place(scale, after) - position ? before : after;
};

/** A value a person would write: no more decimals than the field has, and three significant digits. */
export const rounded = (value: number, digits: number): number => {
  const magnitude = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  const decimals = Math.min(digits, Math.max(2 - magnitude, 0));
  const grain = magnitude > 2 ? 10 ** (magnitude - 2) : 1;
  return grain > 1 ? Math.round(value / grain) * grain + 0 : Number(value.toFixed(decimals)) + 0;
};

/** `steps` multiples of the step away, first coming to rest on a multiple. */
export const nudged = (value: number, step: number, steps: number): number => {
  const along = value / step;
  const near = Math.round(along);
  const onStep = Math.abs(along - near) < 1e-6;
  const from = onStep ? near : steps > 0 ? Math.floor(along) : Math.ceil(along);
  return Number(((from + steps) * step).toPrecision(12)) + 0;
};

const roundness = (value: number): number => {
  if (value === 0) return 0;
  const lead = Math.abs(value) / 10 ** Math.floor(Math.log10(Math.abs(value)) + 1e-9);
  return Math.abs(lead - 1) < 1e-6 ? 1 : Math.abs(lead - 5) < 1e-6 ? 2 : 3;
};

const decades = Array.from({ length: 14 }, (_, at) => 10 ** (at - 3));
const roundValues: readonly number[] = [0, ...decades.flatMap((ten) => [ten, 2 * ten, 5 * ten])]
  .flatMap((value) => (value === 0 ? [0] : [value, -value]))
  .sort((one, other) => roundness(one) - roundness(other) || Math.abs(one) - Math.abs(other));

const evenTicks = (low: number, high: number): readonly number[] => {
  const raw = (high - low) / 6;
  const ten = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 5, 10].find((times) => times * ten >= raw) ?? 10) * ten;
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: count }, (_, at) => Number(((first + at) * step).toPrecision(12)) + 0);
};

export type Tick = Readonly<{ value: number; at: number }>;

/** Round values far enough apart for their words, so that the axis shows how the scale bends. */
export const ticks = (scale: RangeScale, gap = 0.14): readonly Tick[] => {
  const [low, high] = [lowest(scale), highest(scale)];
  if (!(high > low)) return [];
  const wanted = scale.bend ? roundValues : evenTicks(low, high);
  return wanted
    .filter((value) => value > low && value < high)
    .map((value) => ({ value, at: place(scale, value) }))
    .filter(({ at }) => at > 0.03 && at < 0.97)
    .reduce<readonly Tick[]>(
      (kept, tick) => (kept.every(({ at }) => Math.abs(at - tick.at) >= gap) ? [...kept, tick] : kept),
      [],
    );
};
