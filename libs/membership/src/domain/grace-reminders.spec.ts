import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { graceReminders } from './grace-reminders.ts';

const dayMs = 86_400_000;
const start = Date.UTC(2026, 1, 1);
const iso = (ms: number): string => new Date(ms).toISOString();

describe('the reminders of a grace', () => {
  it.each([
    [14, { middle: 7, last: 13 }],
    [7, { middle: 3.5, last: 6 }],
    [3, { middle: 1.5, last: 2 }],
    [2, { last: 1 }],
    [1, {}],
    [0, {}],
  ])('of %d days are in its middle and a day before its end', (days, expected) => {
    const reminders = graceReminders(iso(start), iso(start + days * dayMs));
    const found = reminders.map(({ which, at }) => [which, (Date.parse(at) - start) / dayMs]);
    expect(Object.fromEntries(found)).toEqual(expected);
  });

  it('are within it, in their order, and never twice, whatever its length', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400 * dayMs }), (length) => {
        const times = graceReminders(iso(start), iso(start + length)).map(({ at }) => Date.parse(at));
        expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b));
        expect(times.every((time) => time > start && time < start + length)).toBe(true);
      }),
    );
  });
});
