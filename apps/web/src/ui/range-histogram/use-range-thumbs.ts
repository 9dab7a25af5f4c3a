import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import type { RangeBrush } from './range-brush.ts';
import { followPointer } from './pointer-drag.ts';
import { rounded, type RangeScale } from './range-scale.ts';
import {
  dragged,
  grip,
  gripNear,
  sameBounds,
  withKey,
  withValue,
  type Bounds,
  type Grip,
  type Thumb,
} from './range-thumbs.ts';

export type RangeThumbsOptions = Readonly<{
  scale: RangeScale;
  bounds: Bounds;
  brush: RangeBrush;
  /** The bounds that are meant where those at the end of the scale mean more than they say. */
  tidy: (bounds: Bounds) => Bounds;
  /** Once per drag or key press, and only for a change. */
  onCommit: (bounds: Bounds, by: 'drag' | 'key') => void;
}>;

export type RangeThumbs = Readonly<{
  track: RefObject<HTMLDivElement | null>;
  /** Of the two thumbs. */
  inputs: readonly [RefObject<HTMLInputElement | null>, RefObject<HTMLInputElement | null>];
  committed: Bounds;
  /** As they are dragged now. */
  shown: Bounds;
  held: Thumb | null;
  /** Answers whether the key was one of a slider's. */
  pressKey: (thumb: Thumb, event: Readonly<{ key: string; shiftKey: boolean }>) => boolean;
  /** Assistive technology sets values without taking hold. */
  setValue: (thumb: Thumb, value: number) => void;
}>;

/** The thumbs between what has been committed and what the hand or the keyboard makes of it. */
export const useRangeThumbs = (options: RangeThumbsOptions): RangeThumbs => {
  const track = useRef<HTMLDivElement>(null);
  const low = useRef<HTMLInputElement>(null);
  const high = useRef<HTMLInputElement>(null);
  const [held, setHeld] = useState<Grip | null>(null);
  // Events come between renders.
  const latest = useRef(options);
  useLayoutEffect(() => {
    latest.current = options;
  });

  useEffect(() => {
    if (!track.current) return;
    let live: Grip | null = null;
    const put = (next: Grip): void => {
      if (next.thumb !== live?.thumb) (next.thumb === 0 ? low : high).current?.focus({ preventScroll: true });
      live = next;
      setHeld(next);
    };
    return followPointer(track.current, {
      onTake: (thumb, percent) => {
        const { scale, bounds, brush } = latest.current;
        brush.onReady();
        const next = thumb === null ? gripNear(scale, bounds, percent) : grip(scale, bounds, thumb);
        put(next);
        return next.takenAt;
      },
      onDrag: (percent) => {
        const { scale, brush, tidy } = latest.current;
        const next = live && dragged(scale, live, percent, brush.stops());
        if (!next || next === live) return;
        // In this frame and not in a later one, together with all that follows the thumb.
        flushSync(() => {
          put({ ...next, bounds: tidy(next.bounds) });
          brush.onMove(tidy(next.bounds));
        });
      },
      onDrop: () => {
        const { bounds, brush, onCommit } = latest.current;
        if (live && !sameBounds(live.bounds, bounds)) onCommit(live.bounds, 'drag');
        live = null;
        setHeld(null);
        brush.onRelease();
      },
      onTakeBack: () => {
        live = null;
        setHeld(null);
        latest.current.brush.onTakeBack();
      },
    });
  }, []);

  const step = (next: Bounds): void => {
    const { bounds, brush, tidy, onCommit } = latest.current;
    const meant = tidy(next);
    if (sameBounds(meant, bounds)) return;
    brush.onReady();
    brush.onMove(meant);
    onCommit(meant, 'key');
    brush.onRelease();
  };
  return {
    track,
    inputs: [low, high],
    committed: options.bounds,
    shown: held?.bounds ?? options.bounds,
    held: held?.thumb ?? null,
    pressKey: (thumb, event) => {
      const next = withKey(options.scale, options.bounds, thumb, event);
      if (next) step(next);
      return next !== null;
    },
    setValue: (thumb, value) =>
      step(withValue(options.scale, options.bounds, thumb, rounded(value, options.scale.digits))),
  };
};
