const tick = 1;

export type Watched<T> = Readonly<{
  result: T;
  /** Milliseconds from begin to end. */
  millis: number;
  /** The longest time in which nobody else's work could run, in milliseconds. */
  longestBlock: number;
}>;

/** Does the work and looks meanwhile how long this thread is kept from anything else. */
export const watchLoop = async <T>(work: () => Promise<T>): Promise<Watched<T>> => {
  let longest = 0;
  let last = performance.now();
  const look = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last - tick);
    last = now;
  };
  const timer = setInterval(look, tick);
  const begun = performance.now();
  try {
    const result = await work();
    const millis = performance.now() - begun;
    // A block that has gone on to the very end is one too.
    look();
    return { result, millis, longestBlock: longest };
  } finally {
    clearInterval(timer);
  }
};
