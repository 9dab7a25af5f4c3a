import { setTimeout } from 'node:timers/promises';
import type { EventStore } from '@tapedeck/eventing';

const batchSize = 200;
const retryDelayMs = 50;

/** Follows the tape from its beginning and keeps the positions of the events that it gets, in order. */
export const runFollower = async (
  store: EventStore,
  positions: bigint[],
  signal: AbortSignal,
): Promise<void> => {
  let after = 0n;
  while (!signal.aborted) {
    try {
      for await (const page of store.follow({ after, batchSize, form: 'stored', signal })) {
        positions.push(...page.events.map(({ position }) => position));
        after = page.position;
      }
    } catch {
      // The server was replaced; the synchronous standby has everything that this reader has seen.
      await setTimeout(retryDelayMs);
    }
  }
};
