import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { RangeScale } from './range-scale.ts';
import {
  dragged,
  grip,
  gripNear,
  openBounds,
  percentOf,
  valuesOf,
  withKey,
  withPercent,
  withSteps,
  withValue,
  type Bounds,
} from './range-thumbs.ts';

const scale: RangeScale = { edges: [0, 10, 20, 30, 40], bend: false, digits: 0, step: 1 };
const at = (low: number | null, high: number | null): Bounds => ({ low, high });

describe('a thumb', () => {
  it('at its own end lets go of its bound', () => {
    expect(withPercent(scale, at(10, 30), 0, 0)).toEqual(at(null, 30));
    expect(withPercent(scale, at(10, 30), 1, 1)).toEqual(at(10, null));
    expect(withValue(scale, at(10, 30), 0, -5)).toEqual(at(null, 30));
    expect(withValue(scale, at(10, 30), 1, 40)).toEqual(at(10, null));
  });

  it('stops at the other one', () => {
    expect(withPercent(scale, at(10, 30), 0, 0.9)).toEqual(at(30, 30));
    expect(withPercent(scale, at(10, 30), 1, 0.1)).toEqual(at(10, 10));
  });

  it('that is open steps from the end of the scale', () => {
    expect(withSteps(scale, openBounds, 0, 1)).toEqual(at(1, null));
    expect(withSteps(scale, openBounds, 0, 10)).toEqual(at(10, null));
    expect(withSteps(scale, openBounds, 1, -1)).toEqual(at(null, 39));
    expect(withSteps(scale, openBounds, 0, -1)).toEqual(openBounds);
  });

  it('keeps a typed bound beyond the scale, shown at its end', () => {
    expect(percentOf(scale, at(null, 154), 1)).toBe(1);
    expect(valuesOf(scale, at(90, null))).toEqual([90, 90]);
    expect(valuesOf(scale, at(null, -7))).toEqual([-7, -7]);
  });

  it('never ends up past the other, whatever is done to it', () => {
    const move = fc.tuple(
      fc.constantFrom(0 as const, 1 as const),
      fc.double({ min: 0, max: 1, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(move, { maxLength: 30 }), (moves) => {
        const end = moves.reduce(
          (bounds, [thumb, percent]) => withPercent(scale, bounds, thumb, percent),
          openBounds,
        );
        expect(percentOf(scale, end, 0)).toBeLessThanOrEqual(percentOf(scale, end, 1));
        const [low, high] = valuesOf(scale, end);
        expect(low).toBeLessThanOrEqual(high);
      }),
    );
  });
});

describe('a thumb among stops', () => {
  const stops = [0, 3, 10, 12, 20, 30, 40];

  it('comes to rest on the nearest one, and lets go of its bound at the end', () => {
    const lows = [0.01, 0.07, 0.2, 0.28, 0.99].map((to) => withPercent(scale, openBounds, 0, to, stops).low);
    expect(lows).toEqual([null, 3, 10, 12, 40]);
    expect(withPercent(scale, openBounds, 1, 0.99, stops).high).toBeNull();
  });

  it('is never anywhere else, except at the other one', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(share, share, (one, other) => {
        const first = withPercent(scale, at(null, 17), 0, one, stops);
        expect([null, 17, ...stops]).toContain(first.low);
        const second = withPercent(scale, first, 1, other, stops);
        expect([null, first.low, ...stops]).toContain(second.high);
      }),
    );
  });

  it('stays on a typed value until it is moved', () => {
    const held = grip(scale, at(7, 160), 1);
    expect(dragged(scale, held, 1, stops)).toBe(held);
    expect(dragged(scale, grip(scale, at(7, 160), 0), 7 / 40, stops).bounds.low).toBe(7);
    expect(dragged(scale, held, 0.52, stops).bounds).toEqual(at(7, 20));
  });

  it('is taken by the track where it is nearer', () => {
    expect(gripNear(scale, at(10, 30), 0.3).thumb).toBe(0);
    expect(gripNear(scale, at(10, 30), 0.7).thumb).toBe(1);
    expect(dragged(scale, gripNear(scale, at(20, 20), 0.1), 0.1).bounds).toEqual(at(4, 20));
  });
});

describe('a key', () => {
  const pressed = (bounds: Bounds, thumb: 0 | 1, key: string, shiftKey = false): Bounds | null =>
    withKey(scale, bounds, thumb, { key, shiftKey });

  it('moves a thumb by one step, or by ten', () => {
    expect(pressed(at(10, 30), 0, 'ArrowRight')).toEqual(at(11, 30));
    expect(pressed(at(10, 30), 0, 'ArrowUp', true)).toEqual(at(20, 30));
    expect(pressed(at(10, 30), 1, 'ArrowDown')).toEqual(at(10, 29));
    expect(pressed(at(10, 30), 1, 'PageDown')).toEqual(at(10, 20));
    expect(pressed(at(10, 30), 0, 'PageUp')).toEqual(at(20, 30));
    expect(pressed(at(10, 30), 0, 'Tab')).toBeNull();
  });

  it('goes to an open end, or to the other thumb', () => {
    expect(pressed(at(10, 30), 0, 'Home')).toEqual(at(null, 30));
    expect(pressed(at(10, 30), 1, 'End')).toEqual(at(10, null));
    expect(pressed(at(10, 30), 0, 'End')).toEqual(at(30, 30));
    expect(pressed(at(10, 30), 1, 'Home')).toEqual(at(10, 10));
    expect(pressed(at(null, 30), 1, 'Home')).toEqual(at(null, 0));
  });

  it('moves a bound that was typed beyond the end, and does not let go of it', () => {
    expect(pressed(at(null, 160), 1, 'ArrowLeft')).toEqual(at(null, 159));
    expect(pressed(at(-160, null), 0, 'ArrowRight')).toEqual(at(-159, null));
    expect(pressed(at(null, 41), 1, 'PageDown')).toEqual(at(null, 31));
  });

  it('parts two thumbs that stand at the minimum', () => {
    expect(pressed(at(null, 0), 1, 'ArrowRight')).toEqual(at(null, 1));
  });
});

describe('two thumbs on one value', () => {
  it.each([0, 1] as const)('part in the direction of the drag when %d is taken', (taken) => {
    const held = grip(scale, at(20, 20), taken);
    expect(dragged(scale, held, 0.25)).toMatchObject({ bounds: at(10, 20), thumb: 0 });
    expect(dragged(scale, held, 0.75)).toMatchObject({ bounds: at(20, 30), thumb: 1 });
  });

  it('stay with the thumb the first move chose', () => {
    const held = dragged(scale, grip(scale, at(20, 20), 1), 0.25);
    expect(dragged(scale, held, 0.9)).toMatchObject({ bounds: at(20, 20), thumb: 0 });
  });

  it('wait for a move that tells which of them is meant', () => {
    const held = dragged(scale, grip(scale, at(20, 20), 0), 0.499, [0, 10, 20, 30]);
    expect(held.isStacked).toBe(true);
    expect(dragged(scale, held, 0.8, [0, 10, 20, 30])).toMatchObject({ bounds: at(20, 30), thumb: 1 });
  });

  it('can be taken apart at either end of the scale', () => {
    expect(dragged(scale, grip(scale, at(null, 0), 0), 0.5).bounds).toEqual(at(null, 20));
    expect(dragged(scale, grip(scale, at(40, null), 1), 0.5).bounds).toEqual(at(20, null));
  });
});
