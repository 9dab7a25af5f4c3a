import { describe, expect, it } from '@jest/globals';
import type { Favourite, FavouriteStrategy } from './favourite.ts';
import { favouriteSorts, sortFavourites, withAnyTag } from './order.ts';

const strategy = (figures: Partial<FavouriteStrategy> = {}): FavouriteStrategy => ({
  title: 'A',
  author: null,
  total_pandl_percent: null,
  max_drawdown_percent: null,
  profit_factor_numeric: null,
  sharpe_ratio_numeric: null,
  total_trades: null,
  likes: null,
  views: null,
  revised_at: null,
  ...figures,
});

const favourite = (
  urlId: string,
  figures: Partial<FavouriteStrategy> | null = {},
  rest: Partial<Favourite> = {},
): Favourite => ({
  urlId,
  tags: [],
  addedAt: '2027-01-01T00:00:00.000Z',
  etag: '"1"',
  strategy: figures && strategy(figures),
  ...rest,
});

const ids = (favourites: readonly Favourite[]): string => favourites.map(({ urlId }) => urlId).join('');

describe('sortFavourites', () => {
  it('sorts figures as numbers, with infinity above all, and unknown ones last in both directions', () => {
    const all = [
      favourite('a', { profit_factor_numeric: '10' }),
      favourite('b', null),
      favourite('c', { profit_factor_numeric: 'Infinity' }),
      favourite('d', { profit_factor_numeric: '9.5' }),
      favourite('e'),
    ];
    expect(ids(sortFavourites(all, 'profit_factor', 'desc'))).toBe('cadbe');
    expect(ids(sortFavourites(all, 'profit_factor', 'asc'))).toBe('dacbe');
  });

  it('sorts equal ones by id, whatever the direction', () => {
    const all = ['c', 'B', 'a'].map((id) => favourite(id, { likes: 1 }));
    expect(ids(sortFavourites(all, 'likes', 'asc'))).toBe('Bac');
    expect(ids(sortFavourites(all, 'likes', 'desc'))).toBe('Bac');
  });

  it('sorts by the time of adding and by title', () => {
    const all = [
      favourite('a', { title: 'beta' }, { addedAt: '2027-01-02T00:00:00.000Z' }),
      favourite('b', { title: 'Alpha' }, { addedAt: '2027-01-01T00:00:00.000Z' }),
    ];
    expect(ids(sortFavourites(all, 'added_at', 'desc'))).toBe('ab');
    expect(ids(sortFavourites(all, 'title', 'asc'))).toBe('ba');
  });

  it('has an order for every figure, and changes no list', () => {
    const one = favourite('a', {
      total_pandl_percent: '1',
      max_drawdown_percent: '1',
      profit_factor_numeric: '1',
      sharpe_ratio_numeric: '1',
      total_trades: '1',
      likes: 1,
      views: 1,
      title: '1',
    });
    const other = favourite('b', null, { addedAt: '1' });
    const all = Object.freeze([other, one]);
    for (const sort of favouriteSorts) expect(ids(sortFavourites(all, sort, 'desc'))).toBe('ab');
  });
});

describe('withAnyTag', () => {
  it('keeps those with any of the tags, and all of them without one', () => {
    const all = [
      favourite('a', {}, { tags: ['x'] }),
      favourite('b', {}, { tags: ['y', 'z'] }),
      favourite('c'),
    ];
    expect(ids(withAnyTag(all, ['x', 'z']))).toBe('ab');
    expect(ids(withAnyTag(all, ['X']))).toBe('');
    expect(ids(withAnyTag(all, []))).toBe('abc');
  });
});
