/** The value below which the share `p` of the values is; NaN without values. */
export const percentile = (values: readonly number[], p: number): number => {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? NaN;
};

export const median = (values: readonly number[]): number => {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  const [above = NaN, below = NaN] = [sorted[middle], sorted[middle - 1]];
  return sorted.length % 2 === 1 ? above : (above + below) / 2;
};

/** How many milliseconds the work took. */
export const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await work();
  return performance.now() - started;
};
