/**
 * The scale of a slider: each bin of its histogram has the same width on the track. Positions on the track go
 * from 0 to 1; inside a bin they are interpolated.
 */
export type RangeScale = Readonly<{
  /** Ascending bin edges, at least two; equal neighbours are allowed. */
  edges: readonly number[];
  /** Interpolates on a symmetric logarithm: for bins of unequal width, which may span magnitudes. */
  isSymlog: boolean;
  /** Decimals of a dragged value. */
  decimals: number;
  step: number;
}>;

const symlog = (value: number): number => Math.sign(value) * Math.log1p(Math.abs(value));
const inverseSymlog = (value: number): number => Math.sign(value) * Math.expm1(Math.abs(value));

const clamp = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value));

const edgeAt = ({ edges }: RangeScale, index: number): number =>
  edges[clamp(index, 0, edges.length - 1)] ?? 0;

export const minOfScale = (scale: RangeScale): number => edgeAt(scale, 0);
export const maxOfScale = (scale: RangeScale): number => edgeAt(scale, scale.edges.length - 1);

/** The bin that counts a value; the first and the last bin are open-ended. */
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

/** Never falls as the value rises. */
export const positionOf = (scale: RangeScale, value: number): number => {
  const bins = scale.edges.length - 1;
  const bin = binOf(scale.edges, value);
  const [low, high] = [edgeAt(scale, bin), edgeAt(scale, bin + 1)];
  if (high <= low) return clamp((bin + (value < low ? 0 : 1)) / bins, 0, 1);
  const share = scale.isSymlog
    ? (symlog(value) - symlog(low)) / (symlog(high) - symlog(low))
    : (value - low) / (high - low);
  return clamp((bin + clamp(share, 0, 1)) / bins, 0, 1);
};

export const valueAt = (scale: RangeScale, position: number): number => {
  const bins = scale.edges.length - 1;
  const binPosition = clamp(position, 0, 1) * bins;
  const bin = Math.min(bins - 1, Math.floor(binPosition));
  const [low, high] = [edgeAt(scale, bin), edgeAt(scale, bin + 1)];
  const share = binPosition - bin;
  if (!scale.isSymlog) return low + (high - low) * share;
  return inverseSymlog(symlog(low) + (symlog(high) - symlog(low)) * share);
};

/** The snap point nearest to a position; `snapPoints` are ascending, at least one. */
export const nearestSnapPoint = (
  scale: RangeScale,
  snapPoints: readonly number[],
  position: number,
): number => {
  const snapPointAt = (index: number): number => snapPoints[clamp(index, 0, snapPoints.length - 1)] ?? 0;
  let from = 0;
  let to = snapPoints.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (positionOf(scale, snapPointAt(middle)) < position) from = middle + 1;
    else to = middle;
  }
  const [before, after] = [snapPointAt(from - 1), snapPointAt(from)];
  return position - positionOf(scale, before) < positionOf(scale, after) - position ? before : after;
};

/** At most the given decimals, and three significant digits. */
export const roundValue = (value: number, decimals: number): number => {
  const magnitude = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  const kept = Math.min(decimals, Math.max(2 - magnitude, 0));
  const unit = magnitude > 2 ? 10 ** (magnitude - 2) : 1;
  return unit > 1 ? Math.round(value / unit) * unit + 0 : Number(value.toFixed(kept)) + 0;
};

/** Moves a value by multiples of the step; a value between two multiples first goes to the next one. */
export const stepValue = (value: number, step: number, steps: number): number => {
  const multiple = value / step;
  const nearest = Math.round(multiple);
  const isOnStep = Math.abs(multiple - nearest) < 1e-6;
  const from = isOnStep ? nearest : steps > 0 ? Math.floor(multiple) : Math.ceil(multiple);
  return Number(((from + steps) * step).toPrecision(12)) + 0;
};

/** Lower is rounder: 0, then powers of ten, then halves of them. */
const roundness = (value: number): number => {
  if (value === 0) return 0;
  const lead = Math.abs(value) / 10 ** Math.floor(Math.log10(Math.abs(value)) + 1e-9);
  return Math.abs(lead - 1) < 1e-6 ? 1 : Math.abs(lead - 5) < 1e-6 ? 2 : 3;
};

const powersOfTen = Array.from({ length: 14 }, (_, index) => 10 ** (index - 3));
const roundValues: readonly number[] = [0, ...powersOfTen.flatMap((power) => [power, 2 * power, 5 * power])]
  .flatMap((value) => (value === 0 ? [0] : [value, -value]))
  .sort((one, other) => roundness(one) - roundness(other) || Math.abs(one) - Math.abs(other));

const evenTicks = (low: number, high: number): readonly number[] => {
  const minStep = (high - low) / 6;
  const power = 10 ** Math.floor(Math.log10(minStep));
  const step = ([1, 2, 5, 10].find((times) => times * power >= minStep) ?? 10) * power;
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: count }, (_, index) => Number(((first + index) * step).toPrecision(12)) + 0);
};

export type Tick = Readonly<{ value: number; position: number }>;

/** Round values, far enough apart for their labels. */
export const ticks = (scale: RangeScale, minGap = 0.14): readonly Tick[] => {
  const [low, high] = [minOfScale(scale), maxOfScale(scale)];
  if (!(high > low)) return [];
  const candidates = scale.isSymlog ? roundValues : evenTicks(low, high);
  return candidates
    .filter((value) => value > low && value < high)
    .map((value) => ({ value, position: positionOf(scale, value) }))
    .filter(({ position }) => position > 0.03 && position < 0.97)
    .reduce<readonly Tick[]>(
      (chosen, tick) =>
        chosen.every(({ position }) => Math.abs(position - tick.position) >= minGap)
          ? [...chosen, tick]
          : chosen,
      [],
    );
};
