import { systemClock } from '@tapedeck/kernel';

const patience = 20_000;
const interval = 10;

/**
 * Repeats an expectation until it holds; its last failure is the test's.
 *
 * @example
 * await eventually(async () => expect(await count()).toBe(3));
 */
export const eventually = async (
  expectation: () => Promise<void> | void,
  withinMs = patience,
): Promise<void> => {
  const until = systemClock.now() + withinMs;
  for (;;) {
    try {
      return await expectation();
    } catch (error) {
      if (systemClock.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, interval));
    }
  }
};
