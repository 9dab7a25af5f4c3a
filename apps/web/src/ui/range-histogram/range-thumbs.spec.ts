import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { RangeScale } from './range-scale.ts';
import {
  dragThumb,
  holdThumb,
  holdNearestThumb,
  openBounds,
  thumbPosition,
  thumbValues,
  withKey,
  withPosition,
  withSteps,
  withValue,
  type Bounds,
} from './range-thumbs.ts';

const scale: RangeScale = { edges: [0, 10, 20, 30, 40], isSymlog: false, decimals: 0, step: 1 };
const bounds = (low: number | null, high: number | null): Bounds => ({ low, high });

describe('a thumb', () => {
  it('opens its bound at its own end', () => {
    expect(withPosition(scale, bounds(10, 30), 0, 0)).toEqual(bounds(null, 30));
    expect(withPosition(scale, bounds(10, 30), 1, 1)).toEqual(bounds(10, null));
    expect(withValue(scale, bounds(10, 30), 0, -5)).toEqual(bounds(null, 30));
    expect(withValue(scale, bounds(10, 30), 1, 40)).toEqual(bounds(10, null));
  });

  it('stops at the other thumb', () => {
    expect(withPosition(scale, bounds(10, 30), 0, 0.9)).toEqual(bounds(30, 30));
    expect(withPosition(scale, bounds(10, 30), 1, 0.1)).toEqual(bounds(10, 10));
  });

  it('steps from the end of the scale when its bound is open', () => {
    expect(withSteps(scale, openBounds, 0, 1)).toEqual(bounds(1, null));
    expect(withSteps(scale, openBounds, 0, 10)).toEqual(bounds(10, null));
    expect(withSteps(scale, openBounds, 1, -1)).toEqual(bounds(null, 39));
    expect(withSteps(scale, openBounds, 0, -1)).toEqual(openBounds);
  });

  it('keeps a typed bound beyond the scale and is shown at the end', () => {
    expect(thumbPosition(scale, bounds(null, 154), 1)).toBe(1);
    expect(thumbValues(scale, bounds(90, null))).toEqual([90, 90]);
    expect(thumbValues(scale, bounds(null, -7))).toEqual([-7, -7]);
  });

  it('never passes the other thumb', () => {
    const move = fc.tuple(
      fc.constantFrom(0 as const, 1 as const),
      fc.double({ min: 0, max: 1, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(move, { maxLength: 30 }), (moves) => {
        const end = moves.reduce(
          (bounds, [thumb, position]) => withPosition(scale, bounds, thumb, position),
          openBounds,
        );
        expect(thumbPosition(scale, end, 0)).toBeLessThanOrEqual(thumbPosition(scale, end, 1));
        const [low, high] = thumbValues(scale, end);
        expect(low).toBeLessThanOrEqual(high);
      }),
    );
  });
});

describe('a thumb with snap points', () => {
  const snapPoints = [0, 3, 10, 12, 20, 30, 40];

  it('snaps to the nearest snap point and opens its bound at the end', () => {
    const lows = [0.01, 0.07, 0.2, 0.28, 0.99].map(
      (to) => withPosition(scale, openBounds, 0, to, snapPoints).low,
    );
    expect(lows).toEqual([null, 3, 10, 12, 40]);
    expect(withPosition(scale, openBounds, 1, 0.99, snapPoints).high).toBeNull();
  });

  it('is always at a snap point or at the other thumb', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(share, share, (one, other) => {
        const first = withPosition(scale, bounds(null, 17), 0, one, snapPoints);
        expect([null, 17, ...snapPoints]).toContain(first.low);
        const second = withPosition(scale, first, 1, other, snapPoints);
        expect([null, first.low, ...snapPoints]).toContain(second.high);
      }),
    );
  });

  it('stays on a typed value until it is moved', () => {
    const held = holdThumb(scale, bounds(7, 160), 1);
    expect(dragThumb(scale, held, 1, snapPoints)).toBe(held);
    expect(dragThumb(scale, holdThumb(scale, bounds(7, 160), 0), 7 / 40, snapPoints).bounds.low).toBe(7);
    expect(dragThumb(scale, held, 0.52, snapPoints).bounds).toEqual(bounds(7, 20));
  });

  it('is held when the track is pressed nearer to it than to the other thumb', () => {
    expect(holdNearestThumb(scale, bounds(10, 30), 0.3).thumb).toBe(0);
    expect(holdNearestThumb(scale, bounds(10, 30), 0.7).thumb).toBe(1);
    expect(dragThumb(scale, holdNearestThumb(scale, bounds(20, 20), 0.1), 0.1).bounds).toEqual(bounds(4, 20));
  });
});

describe('a key', () => {
  const press = (bounds: Bounds, thumb: 0 | 1, key: string, shiftKey = false): Bounds | null =>
    withKey(scale, bounds, thumb, { key, shiftKey });

  it('moves a thumb by one step or by ten', () => {
    expect(press(bounds(10, 30), 0, 'ArrowRight')).toEqual(bounds(11, 30));
    expect(press(bounds(10, 30), 0, 'ArrowUp', true)).toEqual(bounds(20, 30));
    expect(press(bounds(10, 30), 1, 'ArrowDown')).toEqual(bounds(10, 29));
    expect(press(bounds(10, 30), 1, 'PageDown')).toEqual(bounds(10, 20));
    expect(press(bounds(10, 30), 0, 'PageUp')).toEqual(bounds(20, 30));
    expect(press(bounds(10, 30), 0, 'Tab')).toBeNull();
  });

  it('moves a thumb to its open end or to the other thumb', () => {
    expect(press(bounds(10, 30), 0, 'Home')).toEqual(bounds(null, 30));
    expect(press(bounds(10, 30), 1, 'End')).toEqual(bounds(10, null));
    expect(press(bounds(10, 30), 0, 'End')).toEqual(bounds(30, 30));
    expect(press(bounds(10, 30), 1, 'Home')).toEqual(bounds(10, 10));
    expect(press(bounds(null, 30), 1, 'Home')).toEqual(bounds(null, 0));
  });

  it('moves a bound that was typed beyond the end without opening it', () => {
    expect(press(bounds(null, 160), 1, 'ArrowLeft')).toEqual(bounds(null, 159));
    expect(press(bounds(-160, null), 0, 'ArrowRight')).toEqual(bounds(-159, null));
    expect(press(bounds(null, 41), 1, 'PageDown')).toEqual(bounds(null, 31));
  });

  it('separates two thumbs at the minimum', () => {
    expect(press(bounds(null, 0), 1, 'ArrowRight')).toEqual(bounds(null, 1));
  });
});

describe('two thumbs on one value', () => {
  it.each([0, 1] as const)('separate in the direction of the drag when thumb %d is pressed', (pressed) => {
    const held = holdThumb(scale, bounds(20, 20), pressed);
    expect(dragThumb(scale, held, 0.25)).toMatchObject({ bounds: bounds(10, 20), thumb: 0 });
    expect(dragThumb(scale, held, 0.75)).toMatchObject({ bounds: bounds(20, 30), thumb: 1 });
  });

  it('keep dragging the thumb that the first move chose', () => {
    const held = dragThumb(scale, holdThumb(scale, bounds(20, 20), 1), 0.25);
    expect(dragThumb(scale, held, 0.9)).toMatchObject({ bounds: bounds(20, 20), thumb: 0 });
  });

  it('wait for a move with a direction', () => {
    const held = dragThumb(scale, holdThumb(scale, bounds(20, 20), 0), 0.499, [0, 10, 20, 30]);
    expect(held.isStacked).toBe(true);
    expect(dragThumb(scale, held, 0.8, [0, 10, 20, 30])).toMatchObject({ bounds: bounds(20, 30), thumb: 1 });
  });

  it('can be separated at either end of the scale', () => {
    expect(dragThumb(scale, holdThumb(scale, bounds(null, 0), 0), 0.5).bounds).toEqual(bounds(null, 20));
    expect(dragThumb(scale, holdThumb(scale, bounds(40, null), 1), 0.5).bounds).toEqual(bounds(20, null));
  });
});
