import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { RangeScale } from './range-scale.ts';
import {
  dragged,
  grip,
  openBounds,
  percentOf,
  valuesOf,
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

  it('can be taken apart at either end of the scale', () => {
    expect(dragged(scale, grip(scale, at(null, 0), 0), 0.5).bounds).toEqual(at(null, 20));
    expect(dragged(scale, grip(scale, at(40, null), 1), 0.5).bounds).toEqual(at(20, null));
  });
});
