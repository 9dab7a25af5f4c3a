import { describe, expect, it } from '@jest/globals';
import { recent } from './recent-cache.ts';

describe('recent values', () => {
  it('stay while they are used, however many others come', () => {
    const values = recent<number, string>(3);
    values.set(0, 'kept');
    for (let key = 1; key < 50; key++) {
      values.set(key, `value ${key}`);
      expect(values.get(0)).toBe('kept');
    }
  });

  it('are at least so many, and twice as many at most', () => {
    const values = recent<number, number>(3);
    for (let key = 0; key < 20; key++) {
      values.set(key, key);
      const known = Array.from({ length: key + 1 }, (_, at) => at).filter((at) => at > key - 3);
      // A look is a use, so each state is looked at through the last ones only.
      expect(known.map((at) => values.get(at))).toEqual(known);
    }
    const left = Array.from({ length: 20 }, (_, at) => values.get(at)).filter((value) => value !== undefined);
    expect(left.length).toBeLessThanOrEqual(6);
  });

  it('are replaced', () => {
    const values = recent<string, number>(2);
    values.set('a', 1);
    values.set('a', 2);
    expect([values.get('a'), values.get('b')]).toEqual([2, undefined]);
  });
});
