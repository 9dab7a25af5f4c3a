import { setTimeout } from 'node:timers/promises';

const pollIntervalMs = 20;

/** Waits until the condition holds. @throws Error that names it, after the timeout. */
export const until = async (
  what: string,
  condition: () => Promise<boolean> | boolean,
  timeoutMs = 60_000,
): Promise<void> => {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Timeout: ${what}, after ${timeoutMs / 1_000} s.`);
    await setTimeout(pollIntervalMs);
  }
};
