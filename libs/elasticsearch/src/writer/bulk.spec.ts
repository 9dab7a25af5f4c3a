import { describe, expect, it } from '@jest/globals';
import { retryDecision, splitIntoBatches } from './bulk.ts';

describe('retryDecision', () => {
  it.each([
    [200, 'done'],
    [201, 'done'],
    [409, 'done'],
    [429, 'retry'],
    [503, 'retry'],
    [404, 'index missing'],
    [400, 'rejected'],
    [500, 'rejected'],
  ])('of status %i is %s', (status, decision) => {
    expect(retryDecision(status)).toBe(decision);
  });
});

describe('splitIntoBatches', () => {
  it('limits lines and characters, and gives a document above the limit a batch of its own', () => {
    const split = (lines: readonly string[]): readonly (readonly string[])[] =>
      splitIntoBatches(lines, { maxLines: 3, maxCharacters: 4 });
    expect(split([])).toEqual([]);
    expect(split(['a', 'b', 'c', 'd'])).toEqual([['a', 'b', 'c'], ['d']]);
    expect(split(['aaaaaaa', 'bb', 'cc', 'd'])).toEqual([['aaaaaaa'], ['bb', 'cc'], ['d']]);
  });
});
