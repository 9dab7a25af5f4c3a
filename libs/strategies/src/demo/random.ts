/** Pseudo-random numbers: the same ones for the same seed, on every machine. */
export type Random = Readonly<{
  /** From 0 up to 1. */
  next: () => number;
  /** Whole, both ends included. */
  int: (from: number, to: number) => number;
  between: (from: number, to: number) => number;
  chance: (probability: number) => boolean;
  pick: <Value>(values: readonly Value[]) => Value;
  /** `count` different values, in the order drawn. */
  some: <Value>(values: readonly Value[], count: number) => readonly Value[];
  normal: (mean: number, deviation: number) => number;
  /** Heavy-tailed: half the values are below the median, a few far above. */
  logNormal: (median: number, deviation: number) => number;
}>;

const mixed = (value: number): number => {
  let mix = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return (mix ^ (mix >>> 16)) >>> 0;
};

/** One sequence per seed and index, so that a record can be generated without those before it. */
export const createRandom = (seed: number, index: number): Random => {
  let state = mixed(mixed(seed) + Math.imul(index + 1, 0x9e3779b1));

  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mix = Math.imul(state ^ (state >>> 15), 1 | state);
    mix = (mix + Math.imul(mix ^ (mix >>> 7), 61 | mix)) ^ mix;
    return ((mix ^ (mix >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  const at = <Value>(values: readonly Value[], index: number): Value => {
    const value = values[index];
    if (value === undefined) throw new RangeError('There is nothing to pick from.');
    return value;
  };
  const normal = (mean: number, deviation: number): number => {
    const radius = Math.sqrt(-2 * Math.log(1 - next()));
    return mean + deviation * radius * Math.cos(2 * Math.PI * next());
  };

  return {
    next,
    int,
    between: (from, to) => from + next() * (to - from),
    chance: (probability) => next() < probability,
    pick: (values) => at(values, int(0, values.length - 1)),
    some: (values, count) => {
      const left = [...values];
      return Array.from({ length: Math.min(count, values.length) }, () =>
        at(left.splice(int(0, left.length - 1), 1), 0),
      );
    },
    normal,
    logNormal: (median, deviation) => median * Math.exp(normal(0, deviation)),
  };
};

/** A function that picks a value by weight. */
export const weighted = <Value>(
  values: readonly (readonly [value: Value, weight: number])[],
): ((random: Random) => Value) => {
  const [first] = values;
  if (!first) throw new RangeError('There is nothing to pick from.');
  const total = values.reduce((sum, [, weight]) => sum + weight, 0);
  return ({ next }) => {
    let left = next() * total;
    for (const [value, weight] of values) {
      left -= weight;
      if (left < 0) return value;
    }
    return first[0];
  };
};
