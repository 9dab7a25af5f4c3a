import { describe, expect, it } from '@jest/globals';
import { extendedTo, hashOf, rangeOfHash, rangeOfText, rangeText } from './line-range.ts';

describe('lines in an address', () => {
  it.each([
    ['#L12', { from: 12, to: 12 }],
    ['#L12-L20', { from: 12, to: 20 }],
    ['#L12-20', { from: 12, to: 20 }],
    ['#L20-L12', { from: 12, to: 20 }],
    ['#L40-L90', { from: 40, to: 49 }],
    ['#L49', { from: 49, to: 49 }],
    ['#L50', null],
    ['#L0', null],
    ['#L', null],
    ['#l12', null],
    ['#L1-L2-L3', null],
    ['#L99999999', null],
    ['#main', null],
    ['', null],
  ])('%j of 49 lines are %j', (hash, range) => {
    expect(rangeOfHash(hash, 49)).toEqual(range);
  });

  it('are written as they are read', () => {
    for (const hash of ['#L3', '#L3-L7']) {
      expect(hashOf(rangeOfHash(hash, 9) ?? { from: 0, to: 0 })).toBe(hash);
    }
  });
});

describe('typed lines', () => {
  it.each([
    ['12', { from: 12, to: 12 }],
    [' 12 - 20 ', { from: 12, to: 20 }],
    ['l12–L20', { from: 12, to: 20 }],
    ['20-12', { from: 12, to: 20 }],
    ['50', null],
    ['', null],
    ['twelve', null],
    ['1.5', null],
  ])('%j of 49 lines are %j', (text, range) => {
    expect(rangeOfText(text, 49)).toEqual(range);
  });
});

describe('the text of lines', () => {
  it('is read as the same lines', () => {
    for (const range of [
      { from: 3, to: 3 },
      { from: 3, to: 7 },
    ]) {
      expect(rangeOfText(rangeText(range), 9)).toEqual(range);
    }
  });
});

describe('marked lines', () => {
  it('extend in both directions, from their first line', () => {
    expect(extendedTo(null, 4)).toEqual({ from: 4, to: 4 });
    expect(extendedTo({ from: 4, to: 4 }, 9)).toEqual({ from: 4, to: 9 });
    expect(extendedTo({ from: 4, to: 9 }, 2)).toEqual({ from: 2, to: 4 });
  });
});
