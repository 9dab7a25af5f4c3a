import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addMonths, boundary, nextBoundary } from './calendar.ts';
import { share, unusedPart } from './proration.ts';

const seconds = (iso: string): number => Date.parse(iso) / 1_000;
const instant = fc.integer({ min: seconds('2024-01-01T00:00:00Z'), max: seconds('2032-01-01T00:00:00Z') });
const month = { interval: 'month', count: 1 };
const year = { interval: 'year', count: 1 };

describe('periods', () => {
  it('return to day 31 after shorter months, and to 29 February every four years', () => {
    const last = seconds('2027-01-31T10:00:00Z');
    const days = [1, 2, 3, 4, 12, 13].map((n) => new Date(addMonths(last, n) * 1_000).toISOString());
    expect(days.map((text) => text.slice(0, 10))).toEqual([
      '2027-02-28',
      '2027-03-31',
      '2027-04-30',
      '2027-05-31',
      '2028-01-31',
      '2028-02-29',
    ]);
    const leap = seconds('2028-02-29T10:00:00Z');
    const years = [1, 2, 3, 4].map((n) => new Date(boundary(leap, year, n) * 1_000).toISOString());
    expect(years.map((text) => text.slice(0, 10))).toEqual([
      '2029-02-28',
      '2030-02-28',
      '2031-02-28',
      '2032-02-29',
    ]);
  });

  it('follow each other without a gap, on the same time of day in UTC, from any anchor', () => {
    fc.assert(
      fc.property(
        instant,
        fc.constantFrom(month, year),
        fc.integer({ min: 0, max: 60 }),
        (anchor, length, n) => {
          const start = boundary(anchor, length, n);
          expect(nextBoundary(anchor, length, start)).toBe(boundary(anchor, length, n + 1));
          expect(nextBoundary(anchor, length, start - 1)).toBe(start);
          expect((start - anchor) % 86_400).toBe(0);
          const day = new Date(anchor * 1_000).getUTCDate();
          const reached = new Date(start * 1_000).getUTCDate();
          if (reached === day) return;
          // The month is too short: its last day.
          expect(reached).toBeLessThan(day);
          expect(new Date((start + 86_400) * 1_000).getUTCDate()).toBe(1);
        },
      ),
    );
  });
});

describe('proration', () => {
  const span = fc
    .tuple(instant, fc.integer({ min: 1, max: 366 * 86_400 }))
    .map(([start, length]) => ({ start, end: start + length }));
  const amount = fc.integer({ min: 0, max: 1_000_000 });

  it('is the exact part of the amount, rounded, so that credit and rest are the whole', () => {
    fc.assert(
      fc.property(amount, span, fc.integer({ min: 0, max: 366 * 86_400 }), (whole, period, after) => {
        const length = period.end - period.start;
        const rest = Math.max(0, length - after);
        const unused = unusedPart(whole, period, period.start + after);
        expect(Math.abs(unused - (whole * rest) / length)).toBeLessThanOrEqual(0.5);
        // Both round a half up, so together they may be one minor unit more.
        const both = unused + share(whole, length - rest, length);
        expect(both === whole || (both === whole + 1 && (2 * whole * rest) % length === 0)).toBe(true);
      }),
    );
  });

  it('returns less the later it is asked, everything at the start, and nothing at the end', () => {
    fc.assert(
      fc.property(
        amount,
        span,
        fc.nat({ max: 366 * 86_400 }),
        fc.nat({ max: 86_400 }),
        (whole, period, at, more) => {
          const time = period.start + at;
          expect(unusedPart(whole, period, time + more)).toBeLessThanOrEqual(unusedPart(whole, period, time));
          expect(unusedPart(whole, period, period.start)).toBe(whole);
          expect(unusedPart(whole, period, period.end)).toBe(0);
        },
      ),
    );
  });

  it('rounds halves away from zero, for credits as for charges', () => {
    expect([share(1, 1, 2), share(-1, 1, 2), share(999, 1, 2), share(5, 1, 10)]).toEqual([1, -1, 500, 1]);
  });
});
