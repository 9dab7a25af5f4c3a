import { setTimeout } from 'node:timers/promises';
import { startCheckout } from './purchases.ts';

const commandIntervalMs = 50;

/** Sends commands one after the other until it is stopped, and then returns their latencies. */
export const startCommands = (origin: string, name: string): (() => Promise<readonly number[]>) => {
  const latenciesMs: number[] = [];
  let isStopped = false;
  const run = async (): Promise<void> => {
    for (let at = 0; !isStopped; at++) {
      const startedAt = performance.now();
      await startCheckout(origin, `${name}-${at}@example.com`);
      latenciesMs.push(performance.now() - startedAt);
      await setTimeout(commandIntervalMs);
    }
  };
  const running = run();
  running.catch(() => {});
  return async () => {
    isStopped = true;
    await running;
    return latenciesMs;
  };
};
