/**
 * Shared memory that is used again. A garbage collector does not see what a shared buffer weighs, so that
 * dropping some megabytes with every change would fill the memory long before anything is collected.
 */
export type BufferPool = Readonly<{
  /** Not cleared. */
  words: (length: number) => Uint32Array;
  bytes: (length: number) => Uint8Array;
  /** Takes back everything but the buffers in this set. */
  keepOnly: (inUse: ReadonlySet<ArrayBufferLike>) => void;
  /** Keeps nothing back for later: the sizes that will be asked for are others now. */
  clear: () => void;
}>;

const smallest = 4_096;
/** Sizes go in steps of a quarter of a power of two, so that little room is lost. */
const sizeClass = (bytes: number): number => {
  const power = 2 ** Math.floor(Math.log2(Math.max(smallest, bytes)));
  return power + Math.ceil(Math.max(0, bytes - power) / (power / 4)) * (power / 4);
};

/** More than a snapshot has: in a small catalogue all its parts are of one size. */
const mostOfOneSize = 64;

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
    keepOnly: (inUse) => {
      for (const buffer of lent) {
        if (inUse.has(buffer)) continue;
        lent.delete(buffer);
        const sameSize = free.get(buffer.byteLength) ?? [];
        if (sameSize.length < mostOfOneSize) sameSize.push(buffer);
        free.set(buffer.byteLength, sameSize);
      }
    },
    clear: () => free.clear(),
  };
};
