import { describe, expect, it } from '@jest/globals';
import { deckRange, shareOf, ticksOf, timeOf } from './deck-scale.ts';

const at = (text: string): number => Date.parse(`${text}Z`);
const labels = (from: string, to: string, maxTicks = 8): readonly string[] =>
  ticksOf({ from: at(from), to: at(to) }, maxTicks).map(({ label }) => label);

describe('the labels of the tape', () => {
  it.each([
    [
      'minutes',
      '2026-11-25T21:11',
      '2026-11-25T21:15',
      ['Nov 25, 21:11', '21:12', '21:13', '21:14', '21:15'],
    ],
    [
      'hours, with the day where it changes',
      '2026-11-25T20:10',
      '2026-11-26T04:00',
      ['Nov 25, 21:00', '22:00', '23:00', 'Nov 26, 00:00', '01:00', '02:00', '03:00', '04:00'],
    ],
    [
      'days',
      '2026-11-25T21:11',
      '2026-11-30T12:00',
      ['Nov 26, 2026', 'Nov 27', 'Nov 28', 'Nov 29', 'Nov 30'],
    ],
    ['months, with the year', '2026-11-28T00:00', '2027-03-12T00:00', ['Dec 2026', 'Jan 2027', 'Feb', 'Mar']],
    [
      'years',
      '2021-06-01T00:00',
      '2024-03-12T00:00',
      ['Jul 2021', 'Jan 2022', 'Jul', 'Jan 2023', 'Jul', 'Jan 2024'],
    ],
    [
      'decades',
      '1951-06-01T00:00',
      '2024-03-12T00:00',
      ['1960', '1970', '1980', '1990', '2000', '2010', '2020'],
    ],
  ])('are round %s', (_, from, to, expected) => {
    expect(labels(from, to)).toEqual(expected);
  });

  it('are never none', () => {
    for (const [from, to] of [
      ['2026-11-25T21:11:10', '2026-11-25T21:11:20'],
      ['2026-11-25T21:11:10', '2026-11-25T21:12:20'],
      ['1990-01-01T00:00', '2090-01-01T00:00'],
    ] as const)
      expect(labels(from, to).length).toBeGreaterThan(0);
  });

  it('begin at the left end when the first round instant is far away', () => {
    expect(labels('2026-11-05T00:00', '2027-06-20T00:00', 4)[0]).toBe('Nov 2026');
  });
});

describe('the range of the tape', () => {
  const [first, now] = [at('2026-01-01T00:00'), at('2026-11-01T00:00')];

  it('goes on to the end of the access, but leaves the past its space', () => {
    const soon = at('2026-11-10T00:00');
    expect(deckRange(first, now, soon).to).toBe(soon);
    const far = deckRange(first, now, at('2027-11-01T00:00'));
    expect(shareOf(far, now)).toBeCloseTo((100 * 1.015) / 1.215);
    expect(shareOf(far, first)).toBeGreaterThan(1);
  });

  it('ends now without access, and has a length also for a first event just now', () => {
    expect(deckRange(first, now, null).to).toBe(now);
    expect(deckRange(first, now, first).to).toBe(now);
    const { from, to } = deckRange(now, now, null);
    expect(to).toBeGreaterThan(from);
  });

  it('gives a time for each place, and the place for the time', () => {
    const range = deckRange(first, now, null);
    expect([0, 37, 100].map((share) => shareOf(range, timeOf(range, share)))).toEqual([
      0,
      expect.closeTo(37),
      100,
    ]);
  });
});
