import {
  maxOfScale,
  minOfScale,
  nearestSnapPoint,
  positionOf,
  roundValue,
  stepValue,
  valueAt,
  type RangeScale,
} from './range-scale.ts';

/** A bound that is null is open. */
export type Bounds = Readonly<{ low: number | null; high: number | null }>;
/** 0 sets the minimum, 1 the maximum. */
export type Thumb = 0 | 1;

export const openBounds: Bounds = { low: null, high: null };

/** A thumb this near to its own end opens its bound. */
const endTolerance = 0.004;

export const sameBounds = (one: Bounds, other: Bounds): boolean =>
  one.low === other.low && one.high === other.high;

export const thumbPosition = (scale: RangeScale, { low, high }: Bounds, thumb: Thumb): number =>
  thumb === 0 ? (low === null ? 0 : positionOf(scale, low)) : high === null ? 1 : positionOf(scale, high);

/** An open thumb is at the end of the scale, or at the other thumb if that is beyond the end. */
export const thumbValues = (
  scale: RangeScale,
  { low, high }: Bounds,
): readonly [low: number, high: number] => [
  low ?? Math.min(minOfScale(scale), high ?? Infinity),
  high ?? Math.max(maxOfScale(scale), low ?? -Infinity),
];

/** Sets one bound: never past the other one, and open at the end of the scale. */
export const withValue = (scale: RangeScale, bounds: Bounds, thumb: Thumb, value: number): Bounds => {
  if (thumb === 0) {
    const low = Math.min(value, bounds.high ?? Infinity);
    return { ...bounds, low: low <= minOfScale(scale) ? null : low };
  }
  const high = Math.max(value, bounds.low ?? -Infinity);
  return { ...bounds, high: high >= maxOfScale(scale) ? null : high };
};

/** Snaps to the nearest snap point; without snap points to a rounded value. */
export const withPosition = (
  scale: RangeScale,
  bounds: Bounds,
  thumb: Thumb,
  position: number,
  snapPoints: readonly number[] | null = null,
): Bounds => {
  const isAtEnd = thumb === 0 ? position <= endTolerance : position >= 1 - endTolerance;
  if (isAtEnd) return thumb === 0 ? { ...bounds, low: null } : { ...bounds, high: null };
  const value = snapPoints?.length
    ? nearestSnapPoint(scale, snapPoints, position)
    : roundValue(valueAt(scale, position), scale.decimals);
  return withValue(scale, bounds, thumb, value);
};

const isBeyondScale = (scale: RangeScale, { low, high }: Bounds, thumb: Thumb): boolean =>
  thumb === 0 ? low !== null && low < minOfScale(scale) : high !== null && high > maxOfScale(scale);

/** A step to the end of the scale opens the bound; a bound typed beyond the end keeps its value and moves. */
export const withSteps = (scale: RangeScale, bounds: Bounds, thumb: Thumb, steps: number): Bounds => {
  const value = stepValue(thumbValues(scale, bounds)[thumb], scale.step, steps);
  if (!isBeyondScale(scale, bounds, thumb)) return withValue(scale, bounds, thumb, value);
  return thumb === 0
    ? { ...bounds, low: Math.min(value, bounds.high ?? Infinity) }
    : { ...bounds, high: Math.max(value, bounds.low ?? -Infinity) };
};

/** The bounds after a key press; null for a key that does not move a slider. */
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
  return withValue(scale, bounds, thumb, thumbValues(scale, bounds)[thumb === 0 ? 1 : 0]);
};

export type HeldThumb = Readonly<{
  bounds: Bounds;
  thumb: Thumb;
  /** Where the thumb was when it was pressed: nothing changes until the pointer leaves this position. */
  startPosition: number;
  /** Both thumbs were there; the first move decides which of them is held. */
  isStacked: boolean;
  isMoved: boolean;
}>;

export const holdThumb = (scale: RangeScale, bounds: Bounds, thumb: Thumb): HeldThumb => {
  const [low, high] = [thumbPosition(scale, bounds, 0), thumbPosition(scale, bounds, 1)];
  return {
    bounds,
    thumb,
    startPosition: thumb === 0 ? low : high,
    isStacked: Math.abs(high - low) < 1e-9,
    isMoved: false,
  };
};

export const holdNearestThumb = (scale: RangeScale, bounds: Bounds, position: number): HeldThumb => {
  const [low, high] = [thumbPosition(scale, bounds, 0), thumbPosition(scale, bounds, 1)];
  return holdThumb(scale, bounds, Math.abs(position - low) < Math.abs(position - high) ? 0 : 1);
};

/** Of two thumbs on one value the one in the direction of the drag moves, whichever lies on top. */
export const dragThumb = (
  scale: RangeScale,
  held: HeldThumb,
  position: number,
  snapPoints: readonly number[] | null = null,
): HeldThumb => {
  if (!held.isMoved && Math.abs(position - held.startPosition) < 1e-6) return held;
  const thumb = held.isStacked ? (position < held.startPosition ? 0 : 1) : held.thumb;
  const bounds = withPosition(scale, held.bounds, thumb, position, snapPoints);
  if (sameBounds(bounds, held.bounds)) return held;
  return { ...held, bounds, thumb, isStacked: false, isMoved: true };
};
