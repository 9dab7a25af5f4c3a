import type { Bounds } from './range-thumbs.ts';

export type LiveCounts = Readonly<{
  counts: ArrayLike<number>;
  /** Rows without a value. */
  unknown: number;
}>;

/**
 * Live counts while a slider is moved, outside of React: a frame updates only what shows a count. What the getters
 * return stays the same object until the listeners are called.
 */
export type RangeBrush = Readonly<{
  /** The slider will probably be moved soon: a pointer rests on it, it has the focus, or it is pressed. */
  onReady: () => void;
  /** The values at which a dragged thumb stops, ascending; null while they are not known. */
  snapPoints: () => readonly number[] | null;
  /** At most once per frame. */
  onMove: (bounds: Bounds) => void;
  /** After the last bounds have been committed. */
  onRelease: () => void;
  onCancel: () => void;
  subscribe: (listener: () => void) => () => void;
  /** Replace the counts of the slider's histogram; null where those are still right. */
  counts: () => LiveCounts | null;
  /** Number of results with the bounds as they are moved now; null where it is not known exactly. */
  total: () => number | null;
}>;

const doNothing = (): void => undefined;
const none = (): null => null;

/** For a slider that updates nothing while it is moved. */
export const noBrush: RangeBrush = {
  onReady: doNothing,
  snapPoints: none,
  onMove: doNothing,
  onRelease: doNothing,
  onCancel: doNothing,
  subscribe: () => doNothing,
  counts: none,
  total: none,
};
