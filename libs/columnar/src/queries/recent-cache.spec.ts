import { describe, expect, it } from '@jest/globals';
import { recentCache } from './recent-cache.ts';

describe('the cache of recent values', () => {
  it('keeps a value that is used, however many others are set', () => {
    const values = recentCache<number, string>(3);
    values.set(0, 'used');
    for (let key = 1; key < 50; key++) {
      values.set(key, `value ${key}`);
      expect(values.get(0)).toBe('used');
    }
  });

  it('keeps at least the minimum of values and at most twice as many', () => {
    const values = recentCache<number, number>(3);
    for (let key = 0; key < 20; key++) {
      values.set(key, key);
      const last = Array.from({ length: key + 1 }, (_, at) => at).filter((at) => at > key - 3);
      // Getting a value is a use, so only the last ones are read.
      expect(last.map((at) => values.get(at))).toEqual(last);
    }
    const left = Array.from({ length: 20 }, (_, at) => values.get(at)).filter((value) => value !== undefined);
    expect(left.length).toBeLessThanOrEqual(6);
  });

  it('replaces a value', () => {
    const values = recentCache<string, number>(2);
    values.set('a', 1);
    values.set('a', 2);
    expect([values.get('a'), values.get('b')]).toEqual([2, undefined]);
  });
});
