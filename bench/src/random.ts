/** Pseudorandom numbers: the same in every run with the same seed. */
export type Random = Readonly<{
  /** Uniform in [0, 1). */
  uniform: () => number;
  /** Normal distribution with mean 0 and standard deviation 1. */
  normal: () => number;
  /** An integer from 0 to below the limit. */
  below: (limit: number) => number;
}>;

export const randomOf = (seed: number): Random => {
  let state = seed >>> 0;
  const uniform = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
  return {
    uniform,
    normal: () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
    below: (limit) => Math.floor(uniform() * limit),
  };
};
