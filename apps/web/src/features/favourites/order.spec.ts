import { describe, expect, it } from '@jest/globals';
import {
  addressOfOrder,
  defaultOrder,
  orderOfAddress,
  reversed,
  sortedBy,
  withExistingTags,
  withTagToggled,
} from './order.ts';

describe('the order of favourites', () => {
  it('begins where the values are that are looked for, and can be reversed', () => {
    expect(sortedBy(defaultOrder, 'sharpe_ratio_all')).toMatchObject({ order: 'desc' });
    expect(sortedBy(defaultOrder, 'max_equity_drawdown')).toMatchObject({ order: 'asc' });
    const upwards = reversed(sortedBy(defaultOrder, 'likes'));
    expect(upwards).toMatchObject({ sort: 'likes', order: 'asc' });
    expect(sortedBy(upwards, 'likes')).toBe(upwards);
  });

  it('has a set of tags, and loses those that no favourite has any more', () => {
    const two = withTagToggled(withTagToggled(defaultOrder, 'a'), 'b');
    expect(withTagToggled(two, 'a').tags).toEqual(['b']);
    expect(withExistingTags(two, ['b']).tags).toEqual(['b']);
    expect(withExistingTags(two, ['a', 'b', 'c'])).toBe(two);
  });

  it('returns from its address, which leaves out the defaults', () => {
    for (const order of [
      defaultOrder,
      { ...defaultOrder, tags: ['a & b', 'ü'] },
      { tags: ['x'], sort: 'title', order: 'desc' },
      { tags: [], sort: 'added_at', order: 'asc' },
      { tags: [], sort: 'max_equity_drawdown', order: 'asc' },
    ] as const) {
      expect(orderOfAddress(addressOfOrder(order))).toEqual(order);
    }
    expect(addressOfOrder(defaultOrder).toString()).toBe('');
    expect(addressOfOrder(sortedBy(defaultOrder, 'title')).toString()).toBe('sort_by=title');
  });

  it('is the default one for an address that names none', () => {
    expect(orderOfAddress(new URLSearchParams('sort_by=luck&sort_order=up&tag=a&tag=a'))).toEqual({
      ...defaultOrder,
      tags: ['a'],
    });
  });
});
