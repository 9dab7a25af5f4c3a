import type { Bounds } from './range-thumbs.ts';

export type CountsNow = Readonly<{
  counts: ArrayLike<number>;
  /** Without a value. */
  unknown: number;
}>;

/**
 * What is counted anew while a slider is moved, outside of React: a frame may write to what shows a count and to
 * nothing else. What is read stays the same object until listeners are called.
 */
export type RangeBrush = Readonly<{
  /** Somebody is about to move the slider. */
  onReady: () => void;
  /** Where a dragged thumb comes to rest, ascending; null while that is not known. */
  stops: () => readonly number[] | null;
  /** At most once a frame. */
  onMove: (bounds: Bounds) => void;
  /** After the bounds it has come to rest at have been committed. */
  onRelease: () => void;
  onTakeBack: () => void;
  subscribe: (listener: () => void) => () => void;
  /** In place of the slider's own histogram; null where that holds. */
  counts: () => CountsNow | null;
  /** How many are found with the bounds as they are moved now; null where that is not known exactly. */
  total: () => number | null;
}>;

const nothing = (): void => undefined;
const unknown = (): null => null;

/** A slider that moves alone. */
export const noBrush: RangeBrush = {
  onReady: nothing,
  stops: unknown,
  onMove: nothing,
  onRelease: nothing,
  onTakeBack: nothing,
  subscribe: () => nothing,
  counts: unknown,
  total: unknown,
};
