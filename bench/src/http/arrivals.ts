/** The rate of the warm-up starts as if this much of it had passed already. */
const warmUpOffsetMs = 500;

export type Duration = Readonly<{ warmUpSeconds: number; seconds: number }>;

/** The times at which requests are sent, in milliseconds after the start. */
export const arrivalTimes = (
  intervalMs: () => number,
  { warmUpSeconds, seconds }: Duration,
): readonly number[] => {
  const arrivalsMs: number[] = [];
  for (let atMs = 0; atMs < (warmUpSeconds + seconds) * 1_000;) {
    arrivalsMs.push(atMs);
    // During the warm-up the rate rises slowly: a queue before a cold server would affect the measurements.
    atMs += intervalMs() / Math.min(1, (atMs + warmUpOffsetMs) / (warmUpSeconds * 1_000));
  }
  return arrivalsMs;
};
