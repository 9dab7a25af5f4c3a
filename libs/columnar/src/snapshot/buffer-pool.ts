import type { FacetStride } from '../kernel/facet-limit.ts';
import type { RowMask } from '../kernel/layout.ts';

/**
 * Reuses shared memory. The garbage collector does not know the size of a shared buffer, so that dropping some
 * megabytes with each change would fill the memory long before anything is collected.
 */
export type BufferPool = Readonly<{
  /** Not cleared. */
  words: (length: number) => Uint32Array;
  bytes: (length: number) => Uint8Array;
  /** For masks of rows with room for this many facets. */
  masks: (length: number) => RowMask;
  /** Makes all buffers available again except those in this set. */
  reclaimExcept: (inUse: ReadonlySet<ArrayBufferLike>) => void;
  /** Drops the free buffers: later requests will be for other sizes. */
  clear: () => void;
}>;

const minBytes = 4_096;
/** Sizes go in steps of a quarter of a power of two, so that little memory is wasted. */
const sizeClass = (bytes: number): number => {
  const power = 2 ** Math.floor(Math.log2(Math.max(minBytes, bytes)));
  return power + Math.ceil(Math.max(0, bytes - power) / (power / 4)) * (power / 4);
};

/** More than a snapshot has: in a small catalogue all its parts have the same size. */
const maxFreePerSize = 64;
/** A growing catalogue asks for larger ones each time: what was not asked for this often is not needed any more. */
const maxUnusedReclaims = 24;

type FreeBuffer = Readonly<{ buffer: ArrayBufferLike; freedAt: number }>;

export const bufferPool = (stride: FacetStride): BufferPool => {
  /** By size, those that were freed first in front. */
  const free = new Map<number, FreeBuffer[]>();
  const lent = new Set<ArrayBufferLike>();
  let reclaims = 0;
  const take = (bytes: number): ArrayBufferLike => {
    const size = sizeClass(bytes);
    const buffer = free.get(size)?.pop()?.buffer ?? new SharedArrayBuffer(size);
    lent.add(buffer);
    return buffer;
  };
  const dropUnused = (): void => {
    for (const [size, buffers] of free) {
      const used = buffers.filter(({ freedAt }) => reclaims - freedAt <= maxUnusedReclaims);
      if (used.length === 0) free.delete(size);
      else if (used.length < buffers.length) free.set(size, used);
    }
  };
  return {
    words: (length) => new Uint32Array(take(4 * length), 0, length),
    bytes: (length) => new Uint8Array(take(length), 0, length),
    masks: (length) =>
      stride === 8 ? new Uint8Array(take(length), 0, length) : new Uint16Array(take(2 * length), 0, length),
    reclaimExcept: (inUse) => {
      reclaims++;
      for (const buffer of lent) {
        if (inUse.has(buffer)) continue;
        lent.delete(buffer);
        const sameSize = free.get(buffer.byteLength) ?? [];
        if (sameSize.length < maxFreePerSize) sameSize.push({ buffer, freedAt: reclaims });
        free.set(buffer.byteLength, sameSize);
      }
      dropUnused();
    },
    clear: () => free.clear(),
  };
};
