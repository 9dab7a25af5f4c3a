import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { SliderState } from 'react-stately';
import { highest, lowest, place, valueAt, type RangeScale } from './range-scale.ts';
import {
  dragged,
  grip,
  percentOf,
  sameBounds,
  valuesOf,
  withSteps,
  withValue,
  type Bounds,
  type Grip,
  type Thumb,
} from './range-thumbs.ts';

export type RangeThumbsOptions = Readonly<{
  scale: RangeScale;
  bounds: Bounds;
  /** Once per drag or key press, and only for a change. */
  onCommit: (bounds: Bounds) => void;
  /** What a screen reader says for a thumb. */
  describe: (thumb: Thumb, bounds: Bounds, held: boolean) => string;
}>;

export type RangeThumbs = Readonly<{ state: SliderState; shown: Bounds; held: Thumb | null }>;

type Hold = Readonly<{
  held: Grip | null;
  take: (index: number) => Grip;
  move: (change: (held: Grip) => Grip, index: number) => void;
  release: () => void;
}>;

const asThumb = (index: number): Thumb => (index === 0 ? 0 : 1);

const useHold = ({ scale, bounds, onCommit }: RangeThumbsOptions): Hold => {
  const [held, setHeld] = useState<Grip | null>(null);
  // The slider's hooks call back between renders, from closures of an earlier one.
  const live = useRef<Grip | null>(null);
  const latest = useRef({ scale, bounds, onCommit });
  useLayoutEffect(() => {
    latest.current = { scale, bounds, onCommit };
  });
  const put = (next: Grip | null): void => {
    live.current = next;
    setHeld(next);
  };
  const take = (index: number): Grip => {
    if (!live.current) put(grip(latest.current.scale, latest.current.bounds, asThumb(index)));
    return live.current ?? grip(latest.current.scale, latest.current.bounds, asThumb(index));
  };
  const release = (): void => {
    const ended = live.current;
    put(null);
    if (ended && !sameBounds(ended.bounds, latest.current.bounds)) latest.current.onCommit(ended.bounds);
  };
  const isHeld = held !== null;
  const onPointerCancel = useEffectEvent(release);
  useEffect(() => {
    if (!isHeld) return;
    const onCancel = (): void => onPointerCancel();
    window.addEventListener('pointercancel', onCancel);
    return () => window.removeEventListener('pointercancel', onCancel);
  }, [isHeld]);
  const move = (change: (from: Grip) => Grip, index: number): void => {
    // Assistive technology sets a value without taking the thumb first.
    const wasTaken = live.current !== null;
    put(change(take(index)));
    if (!wasTaken) release();
  };
  return { held, take, move, release };
};

const constantsOf = (scale: RangeScale) =>
  ({
    defaultValues: [lowest(scale), highest(scale)],
    step: scale.step,
    pageSize: scale.step * 10,
    orientation: 'horizontal',
    isDisabled: false,
    getValuePercent: (value: number) => place(scale, value),
    getPercentValue: (percent: number) => valueAt(scale, percent),
    getFormattedValue: (value?: number | number[]) => String(value ?? ''),
    isThumbEditable: () => true,
    setThumbEditable: () => undefined,
  }) satisfies Partial<SliderState>;

/**
 * The state that react-aria's slider hooks work on, with a scale that is not even and ends that are open.
 * Its own state hook knows even scales only.
 */
export const useRangeThumbs = (options: RangeThumbsOptions): RangeThumbs => {
  const { scale, describe } = options;
  const { held, take, move, release } = useHold(options);
  const [focusedThumb, setFocusedThumb] = useState<number | undefined>(undefined);
  const shown = held?.bounds ?? options.bounds;
  const values = valuesOf(scale, shown);

  const step = (index: number, steps: number): void =>
    move((from) => ({ ...from, bounds: withSteps(scale, from.bounds, asThumb(index), steps) }), index);
  const drag = (index: number, percent: number): void => {
    move((from) => {
      const next = dragged(scale, from, percent);
      if (next.thumb !== from.thumb) setFocusedThumb(next.thumb);
      return next;
    }, index);
  };

  const state: SliderState = {
    ...constantsOf(scale),
    values: [...values],
    focusedThumb,
    setFocusedThumb,
    getThumbValue: (index) => values[asThumb(index)],
    setThumbValue: (index, value) =>
      move((from) => ({ ...from, bounds: withValue(scale, from.bounds, asThumb(index), value) }), index),
    setThumbPercent: drag,
    getThumbPercent: (index) => percentOf(scale, shown, asThumb(index)),
    getThumbMinValue: (index) => (index === 0 ? Math.min(lowest(scale), values[0]) : values[0]),
    getThumbMaxValue: (index) => (index === 0 ? values[1] : Math.max(highest(scale), values[1])),
    getThumbValueLabel: (index) => describe(asThumb(index), shown, held !== null),
    isThumbDragging: (index) => held?.thumb === asThumb(index),
    setThumbDragging: (index, dragging) => (dragging ? void take(index) : release()),
    incrementThumb: (index, size = scale.step) => step(index, Math.round(size / scale.step)),
    decrementThumb: (index, size = scale.step) => step(index, -Math.round(size / scale.step)),
  };
  return { state, shown, held: held?.thumb ?? null };
};
