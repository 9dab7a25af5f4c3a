/** The one source of "now" in the product; rooms receive it and never read the system time themselves. */
export type Clock = {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly now: () => number;
};

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that stands at `start` (milliseconds) until it is moved by `advance` (milliseconds). */
export const fixedClock = (start: number): Clock & { readonly advance: (ms: number) => void } => {
  let at = start;
  return {
    now: () => at,
    advance: (ms) => {
      at += ms;
    },
  };
};

/** The clock's time as ISO 8601 in UTC, the form in which events carry time. */
export const isoNow = (clock: Clock): string => new Date(clock.now()).toISOString();
