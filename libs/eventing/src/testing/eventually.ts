import { systemClock } from '@tapedeck/kernel';
import { setTimeout } from 'node:timers/promises';

const defaultTimeoutMs = 20_000;
const minIntervalMs = 5;
const maxIntervalMs = 100;

/**
 * Repeats an expectation until it holds. After the timeout it throws the last failure.
 *
 * @example
 * await eventually(async () => expect(await count()).toBe(3));
 */
export const eventually = async (
  expectation: () => Promise<void> | void,
  timeoutMs = defaultTimeoutMs,
): Promise<void> => {
  const deadline = systemClock.now() + timeoutMs;
  // Less and less often: what a test waits for has to compute meanwhile.
  for (let intervalMs = minIntervalMs; ; intervalMs = Math.min(2 * intervalMs, maxIntervalMs)) {
    try {
      return await expectation();
    } catch (error) {
      if (systemClock.now() > deadline) throw error;
      await setTimeout(intervalMs);
    }
  }
};
