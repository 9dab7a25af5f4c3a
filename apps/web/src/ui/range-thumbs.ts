import { highest, lowest, nudged, place, rounded, valueAt, type RangeScale } from './range-scale.ts';

/** A bound that is null is open. */
export type Bounds = Readonly<{ low: number | null; high: number | null }>;
/** 0 is the minimum's thumb, 1 the maximum's. */
export type Thumb = 0 | 1;

export const openBounds: Bounds = { low: null, high: null };
export const isOpen = ({ low, high }: Bounds): boolean => low === null && high === null;

/** A thumb this near to its end has let go of its bound. */
const endZone = 0.004;

export const sameBounds = (one: Bounds, other: Bounds): boolean =>
  one.low === other.low && one.high === other.high;

export const percentOf = (scale: RangeScale, { low, high }: Bounds, thumb: Thumb): number =>
  thumb === 0 ? (low === null ? 0 : place(scale, low)) : high === null ? 1 : place(scale, high);

/** Where the thumbs stand in figures; an open one stands at the end of the scale, or at the other if that is beyond. */
export const valuesOf = (scale: RangeScale, { low, high }: Bounds): readonly [number, number] => [
  low ?? Math.min(lowest(scale), high ?? Infinity),
  high ?? Math.max(highest(scale), low ?? -Infinity),
];

/** The bounds with one thumb at a value: never past the other thumb, and open at its own end. */
export const withValue = (scale: RangeScale, bounds: Bounds, thumb: Thumb, value: number): Bounds => {
  if (thumb === 0) {
    const low = Math.min(value, bounds.high ?? Infinity);
    return { ...bounds, low: low <= lowest(scale) ? null : low };
  }
  const high = Math.max(value, bounds.low ?? -Infinity);
  return { ...bounds, high: high >= highest(scale) ? null : high };
};

export const withPercent = (scale: RangeScale, bounds: Bounds, thumb: Thumb, percent: number): Bounds => {
  const atItsEnd = thumb === 0 ? percent <= endZone : percent >= 1 - endZone;
  if (atItsEnd) return thumb === 0 ? { ...bounds, low: null } : { ...bounds, high: null };
  return withValue(scale, bounds, thumb, rounded(valueAt(scale, percent), scale.digits));
};

export const withSteps = (scale: RangeScale, bounds: Bounds, thumb: Thumb, steps: number): Bounds =>
  withValue(scale, bounds, thumb, nudged(valuesOf(scale, bounds)[thumb], scale.step, steps));

export type Grip = Readonly<{
  bounds: Bounds;
  thumb: Thumb;
  /** Where both thumbs stood when one was taken, until the first move tells which of them is meant. */
  stackedAt: number | null;
}>;

export const grip = (scale: RangeScale, bounds: Bounds, thumb: Thumb): Grip => {
  const [low, high] = [percentOf(scale, bounds, 0), percentOf(scale, bounds, 1)];
  return { bounds, thumb, stackedAt: Math.abs(high - low) < 1e-9 ? low : null };
};

/** Two thumbs on one value part in the direction of the drag, whichever of them lies on top. */
export const dragged = (scale: RangeScale, held: Grip, percent: number): Grip => {
  if (held.stackedAt !== null && percent === held.stackedAt) return held;
  const thumb = held.stackedAt === null ? held.thumb : percent < held.stackedAt ? 0 : 1;
  return { bounds: withPercent(scale, held.bounds, thumb, percent), thumb, stackedAt: null };
};
