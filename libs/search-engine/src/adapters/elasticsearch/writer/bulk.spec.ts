import { describe, expect, it } from '@jest/globals';
import { fateOf, piecesOf, waitBefore } from './retry-policy.ts';

describe('what becomes of a bulk', () => {
  it.each([
    [200, 'done'],
    [201, 'done'],
    [409, 'done'],
    [429, 'again'],
    [503, 'again'],
    [404, 'index gone'],
    [400, 'refused'],
    [500, 'refused'],
  ])('status %i is %s', (status, fate) => {
    expect(fateOf(status)).toBe(fate);
  });

  it('waits longer from failure to failure, five seconds at most, never all writers the same time', () => {
    const waits = [0, 1, 2, 3, 6, 60].map((failures) => waitBefore(failures, () => 1));
    expect(waits).toEqual([100, 200, 400, 800, 5_000, 5_000]);
    expect(waitBefore(3, () => 0)).toBe(400);
  });

  it('is cut by number and by size, and a document that is too large goes alone', () => {
    const cut = (lines: readonly string[]): readonly (readonly string[])[] =>
      piecesOf(lines, { lines: 3, characters: 4 });
    expect(cut([])).toEqual([]);
    expect(cut(['a', 'b', 'c', 'd'])).toEqual([['a', 'b', 'c'], ['d']]);
    expect(cut(['aaaaaaa', 'bb', 'cc', 'd'])).toEqual([['aaaaaaa'], ['bb', 'cc'], ['d']]);
  });
});
