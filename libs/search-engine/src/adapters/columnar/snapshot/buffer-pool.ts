/**
 * Reuses shared memory. The garbage collector does not know the size of a shared buffer, so that dropping some
 * megabytes with each change would fill the memory long before anything is collected.
 */
export type BufferPool = Readonly<{
  /** Not cleared. */
  words: (length: number) => Uint32Array;
  bytes: (length: number) => Uint8Array;
  /** Takes back all buffers except those in this set. */
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

export const bufferPool = (): BufferPool => {
  const free = new Map<number, ArrayBufferLike[]>();
  const lent = new Set<ArrayBufferLike>();
  const take = (bytes: number): ArrayBufferLike => {
    const size = sizeClass(bytes);
    const buffer = free.get(size)?.pop() ?? new SharedArrayBuffer(size);
    lent.add(buffer);
    return buffer;
  };
  return {
    words: (length) => new Uint32Array(take(4 * length), 0, length),
    bytes: (length) => new Uint8Array(take(length), 0, length),
    reclaimExcept: (inUse) => {
      for (const buffer of lent) {
        if (inUse.has(buffer)) continue;
        lent.delete(buffer);
        const sameSize = free.get(buffer.byteLength) ?? [];
        if (sameSize.length < maxFreePerSize) sameSize.push(buffer);
        free.set(buffer.byteLength, sameSize);
      }
    },
    clear: () => free.clear(),
  };
};
