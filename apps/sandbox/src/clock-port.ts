/** What a stand-in does at given times, so that the clock can be moved past them in their order. */
export type TimedWork = Readonly<{
  /** The time of the next work at or before `upToMs`; undefined when there is none. */
  nextDue: (upToMs: number) => number | undefined;
  /** Does the work that is due now. Resolves when its webhooks were delivered or have failed. */
  runDue: () => Promise<void>;
}>;

/** The time of the sandbox and of the product that uses it: system time, moved forward by hand. */
export type SandboxClock = Readonly<{
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now: () => number;
  /**
   * Moves the clock forward. It stops at each time at which work is due, and goes on when the work is done.
   * @throws DomainError CLOCK_MOVES_FORWARD when the time is in the past
   */
  advanceTo: (ms: number) => Promise<void>;
  /** Adds work that advancing must not pass over. */
  addWork: (work: TimedWork) => void;
}>;
