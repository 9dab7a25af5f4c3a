import { describe, expect, it } from '@jest/globals';
import type { Favourite } from '@tapedeck/favourites/contract';
import { greetingAt, morningLine } from './morning-line.ts';

const now = Date.parse('2027-03-10T09:00:00.000Z');

const favourite = (revisedAt: string | null): Favourite => ({
  urlId: String(revisedAt),
  tags: [],
  addedAt: '2027-01-01T00:00:00.000Z',
  etag: '"1"',
  strategy: {
    title: 'A',
    author: null,
    total_pandl_percent: null,
    max_drawdown_percent: null,
    profit_factor_numeric: null,
    sharpe_ratio_numeric: null,
    total_trades: null,
    likes: null,
    views: null,
    revised_at: revisedAt,
  },
});
const recent = favourite('2027-03-03T09:00:00.000Z');
const old = favourite('2027-03-03T08:59:59.999Z');

describe('the greeting', () => {
  it('follows the hour', () => {
    expect([4, 5, 11, 12, 17, 18, 23, 0].map(greetingAt)).toEqual([
      'Good evening',
      'Good morning',
      'Good morning',
      'Good afternoon',
      'Good afternoon',
      'Good evening',
      'Good evening',
      'Good evening',
    ]);
  });
});

describe('the morning line', () => {
  it.each([
    [[recent, old], [], 'One strategy you follow was revised in the last 7 days.'],
    [[recent, recent], [], 'Two strategies you follow were revised in the last 7 days.'],
    [[old], [{ newMatches: 1 }], 'One new strategy matches your saved searches.'],
    [
      [],
      [{ newMatches: 7 }, { newMatches: null }, { newMatches: 5 }],
      '12 new strategies match your saved searches.',
    ],
    [
      [recent],
      [{ newMatches: 2 }],
      'One strategy you follow was revised in the last 7 days, and two new ones match your saved searches.',
    ],
    [
      [recent, recent],
      [{ newMatches: 1 }],
      'Two strategies you follow were revised in the last 7 days, and one new one matches your saved searches.',
    ],
    [
      [old, { ...old, strategy: null }],
      [{ newMatches: 0 }],
      'Nothing is new in the strategies that you follow.',
    ],
    [[], [], 'Star strategies in the explorer, and this page says when they are revised.'],
  ])('of %j and %j', (favourites, searches, line) => {
    expect(morningLine(favourites, searches, now)).toBe(line);
  });
});
