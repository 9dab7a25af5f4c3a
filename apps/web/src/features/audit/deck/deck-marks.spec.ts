import { describe, expect, it } from '@jest/globals';
import type { TapeDeck } from '@tapedeck/audit/contract';
import { laneMarks, nearestTime } from './deck-marks.ts';

const range = { from: 0, to: 100_000, now: 100_000 };
const deck = (marks: TapeDeck['marks']): TapeDeck => ({
  bands: [],
  kinds: [
    { type: 'PaymentRecorded', lane: 'payment', isFailure: false },
    { type: 'PaymentFailed', lane: 'payment', isFailure: true },
    { type: 'NoteAdded', lane: 'admin', isFailure: false },
  ],
  marks,
  total: marks.length,
});
const marksIn = (lane: string, marks: TapeDeck['marks']) =>
  laneMarks(deck(marks), range).find((one) => one.lane === lane)?.marks ?? [];

describe('the marks of the tape', () => {
  it('stand in their lanes at their times', () => {
    const all: TapeDeck['marks'] = [
      [90_000, 2],
      [50_000, 0],
    ];
    expect(marksIn('payment', all)).toEqual([
      { x: 50, first: 50_000, last: 50_000, count: 1, isFailure: false, types: ['PaymentRecorded'] },
    ]);
    expect(marksIn('admin', all).map(({ x }) => x)).toEqual([90]);
    expect(marksIn('mail', all)).toEqual([]);
  });

  it('are one for events at the same place, which shows a failure among them', () => {
    const together = marksIn('payment', [
      [50_010, 0],
      [50_005, 1],
      [50_000, 0],
    ]);
    expect(together).toEqual([
      {
        x: expect.closeTo(50.01),
        first: 50_000,
        last: 50_010,
        count: 3,
        isFailure: true,
        types: ['PaymentRecorded', 'PaymentFailed'],
      },
    ]);
  });

  it('are few however many events there are, and none of them is lost', () => {
    const many = Array.from({ length: 20_000 }, (_, index): [number, number] => [index * 5, 0]);
    const drawn = marksIn('payment', many);
    expect(drawn.length).toBeLessThanOrEqual(401);
    expect(drawn.reduce((sum, { count }) => sum + count, 0)).toBe(20_000);
  });

  it('are found from a place near to them', () => {
    const all = laneMarks(
      deck([
        [50_000, 0],
        [52_000, 2],
      ]),
      range,
    );
    expect(nearestTime(all, 51.5, 1)).toBe(52_000);
    expect(nearestTime(all, 60, 1)).toBeUndefined();
  });
});
