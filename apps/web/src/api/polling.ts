export type PollingOptions = Readonly<{ pollingInterval: number; skipPollingIfUnfocused: true }>;

/** Among the options of a query: repeats it every `intervalMs` while the page is visible, until `isDone`. */
export const pollEvery = (intervalMs: number, isDone = false): PollingOptions => ({
  pollingInterval: isDone ? 0 : intervalMs,
  skipPollingIfUnfocused: true,
});
