/** The source of the current time. Modules receive a clock and do not read the system time themselves. */
export type Clock = {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly now: () => number;
};

export const systemClock: Clock = { now: () => Date.now() };

/**
 * A clock for tests: it shows `startMs` until `advance` moves it.
 *
 * @example
 * const clock = fixedClock(Date.parse('2026-11-21T12:00:00Z'));
 * clock.advance(60_000);
 */
export const fixedClock = (startMs: number): Clock & { readonly advance: (ms: number) => void } => {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    advance: (ms) => {
      nowMs += ms;
    },
  };
};

/** The clock's time as ISO 8601 in UTC, the format of all times in events. */
export const isoNow = (clock: Clock): string => new Date(clock.now()).toISOString();
