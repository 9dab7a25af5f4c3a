/** Random choices that a seed repeats. */
export type Random = Readonly<{
  /** From 0 up to, but not including, 1. */
  uniform: () => number;
  /** A whole number from 0 up to, but not including, `end`. */
  below: (end: number) => number;
  between: (low: number, high: number) => number;
  /** @throws RangeError for an empty list. */
  pick: <T>(all: readonly T[]) => T;
}>;

/** The generator mulberry32. */
export const createRandom = (seed: number): Random => {
  let state = seed | 0;
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (end: number): number => Math.floor(uniform() * end);
  return {
    uniform,
    below,
    between: (low, high) => low + uniform() * (high - low),
    pick: (all) => {
      const picked = all[below(all.length)];
      if (picked === undefined) throw new RangeError('There is nothing to pick from.');
      return picked;
    },
  };
};
