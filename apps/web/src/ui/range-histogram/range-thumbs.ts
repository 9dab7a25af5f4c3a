import {
  highest,
  lowest,
  nearestStop,
  nudged,
  place,
  rounded,
  valueAt,
  type RangeScale,
} from './range-scale.ts';

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

/** Snaps to the nearest of the stops, or without them to a value that can be read. */
export const withPercent = (
  scale: RangeScale,
  bounds: Bounds,
  thumb: Thumb,
  percent: number,
  stops: readonly number[] | null = null,
): Bounds => {
  const atItsEnd = thumb === 0 ? percent <= endZone : percent >= 1 - endZone;
  if (atItsEnd) return thumb === 0 ? { ...bounds, low: null } : { ...bounds, high: null };
  const value = stops?.length
    ? nearestStop(scale, stops, percent)
    : rounded(valueAt(scale, percent), scale.digits);
  return withValue(scale, bounds, thumb, value);
};

const isBeyond = (scale: RangeScale, { low, high }: Bounds, thumb: Thumb): boolean =>
  thumb === 0 ? low !== null && low < lowest(scale) : high !== null && high > highest(scale);

/** Steps that come to the end of the scale open the bound; one typed beyond the end stays and moves. */
export const withSteps = (scale: RangeScale, bounds: Bounds, thumb: Thumb, steps: number): Bounds => {
  const value = nudged(valuesOf(scale, bounds)[thumb], scale.step, steps);
  if (!isBeyond(scale, bounds, thumb)) return withValue(scale, bounds, thumb, value);
  return thumb === 0
    ? { ...bounds, low: Math.min(value, bounds.high ?? Infinity) }
    : { ...bounds, high: Math.max(value, bounds.low ?? -Infinity) };
};

/** What a key asks of a thumb; null for a key that is none of a slider's. */
export const withKey = (
  scale: RangeScale,
  bounds: Bounds,
  thumb: Thumb,
  { key, shiftKey }: Readonly<{ key: string; shiftKey: boolean }>,
): Bounds | null => {
  const one = shiftKey ? 10 : 1;
  const steps = new Map([
    ['ArrowLeft', -one],
    ['ArrowDown', -one],
    ['ArrowRight', one],
    ['ArrowUp', one],
    ['PageDown', -10],
    ['PageUp', 10],
  ]).get(key);
  if (steps !== undefined) return withSteps(scale, bounds, thumb, steps);
  if (key !== 'Home' && key !== 'End') return null;
  if ((key === 'Home') === (thumb === 0)) return { ...bounds, [thumb === 0 ? 'low' : 'high']: null };
  return withValue(scale, bounds, thumb, valuesOf(scale, bounds)[thumb === 0 ? 1 : 0]);
};

export type Grip = Readonly<{
  bounds: Bounds;
  thumb: Thumb;
  /** Where the thumb stood when it was taken: a pointer that has not left it changes nothing. */
  takenAt: number;
  /** Both thumbs stood there, until the first move tells which of them is meant. */
  isStacked: boolean;
  isMoved: boolean;
}>;

export const grip = (scale: RangeScale, bounds: Bounds, thumb: Thumb): Grip => {
  const [low, high] = [percentOf(scale, bounds, 0), percentOf(scale, bounds, 1)];
  return {
    bounds,
    thumb,
    takenAt: thumb === 0 ? low : high,
    isStacked: Math.abs(high - low) < 1e-9,
    isMoved: false,
  };
};

/** Takes the thumb that is nearer to a place. */
export const gripNear = (scale: RangeScale, bounds: Bounds, percent: number): Grip => {
  const [low, high] = [percentOf(scale, bounds, 0), percentOf(scale, bounds, 1)];
  return grip(scale, bounds, Math.abs(percent - low) < Math.abs(percent - high) ? 0 : 1);
};

/** Two thumbs on one value part in the direction of the drag, whichever of them lies on top. */
export const dragged = (
  scale: RangeScale,
  held: Grip,
  percent: number,
  stops: readonly number[] | null = null,
): Grip => {
  if (!held.isMoved && Math.abs(percent - held.takenAt) < 1e-6) return held;
  const thumb = held.isStacked ? (percent < held.takenAt ? 0 : 1) : held.thumb;
  const bounds = withPercent(scale, held.bounds, thumb, percent, stops);
  if (sameBounds(bounds, held.bounds)) return held;
  return { ...held, bounds, thumb, isStacked: false, isMoved: true };
};
