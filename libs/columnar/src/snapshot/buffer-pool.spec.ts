import { describe, expect, it } from '@jest/globals';
import { bufferPool, type BufferPool } from './buffer-pool.ts';

const changes = 100;
const reclaimAll = (pool: BufferPool): void => pool.reclaimExcept(new Set());

describe('the pool of buffers', () => {
  it('lends the same buffers again, however often, and never one that is in use', () => {
    const pool = bufferPool(8);
    const [first, used] = [pool.words(5_000).buffer, pool.words(5_000).buffer];
    for (let n = 0; n < changes; n++) {
      pool.reclaimExcept(new Set([used]));
      expect(pool.words(4_990 + (n % 10)).buffer).toBe(first);
    }
  });

  it('drops those of a size that is not used any more', () => {
    const pool = bufferPool(8);
    const outgrown = pool.words(5_000).buffer;
    for (let n = 0; n < changes; n++) {
      reclaimAll(pool);
      pool.words(50_000);
    }
    expect(pool.words(5_000).buffer).not.toBe(outgrown);
  });
});
