import { describe, expect, it } from '@jest/globals';
import { createIdempotencyKeys, type Try } from './idempotency-keys.ts';

const star: Try = { changes: 'star 1', content: 'add' };
const unstar: Try = { changes: 'star 1', content: 'remove' };
const otherStar: Try = { changes: 'star 2', content: 'add' };

describe('idempotency keys', () => {
  it('stay the same while the same mutation is tried again without an answer', () => {
    const { keyFor } = createIdempotencyKeys(() => 0);
    const key = keyFor(star);
    expect(keyFor(otherStar)).not.toBe(key);
    expect([keyFor(star), keyFor(star)]).toEqual([key, key]);
  });

  it('are UUIDs of version 7 with the time of the try', () => {
    const { keyFor } = createIdempotencyKeys(() => 0x01890a5dac96);
    expect(keyFor(star)).toMatch(/^01890a5d-ac96-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('are new after an answer', () => {
    const { keyFor, end } = createIdempotencyKeys(() => 0);
    const keys = [star, unstar, star].map((attempt) => {
      const key = keyFor(attempt);
      end(attempt, key);
      return key;
    });
    expect(new Set(keys).size).toBe(3);
  });

  it('are new when another mutation of the same thing was sent in between, without an answer to any', () => {
    const { keyFor } = createIdempotencyKeys(() => 0);
    expect(new Set([star, unstar, star].map(keyFor)).size).toBe(3);
  });

  it('do not end by the late answer to an earlier intention', () => {
    const { keyFor, end } = createIdempotencyKeys(() => 0);
    const first = keyFor(star);
    const second = keyFor(unstar);
    end(star, first);
    expect(keyFor(unstar)).toBe(second);
  });

  it('are new five minutes after the last try', () => {
    let now = 0;
    const { keyFor } = createIdempotencyKeys(() => now);
    const key = keyFor(star);
    now += 299_999;
    expect(keyFor(star)).toBe(key);
    now += 300_000;
    expect(keyFor(star)).not.toBe(key);
  });

  it('are remembered for a limited number of things', () => {
    const { keyFor } = createIdempotencyKeys(() => 0);
    const key = keyFor(star);
    const others = Array.from({ length: 100 }, (_, at) => ({ changes: `other ${at}`, content: '' }));
    const last = others.map(keyFor).at(-1);
    expect(others.slice(-1).map(keyFor)).toEqual([last]);
    expect(keyFor(star)).not.toBe(key);
  });
});
