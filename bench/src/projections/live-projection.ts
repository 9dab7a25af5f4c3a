import type { EventStore, NewEvent } from '@tapedeck/eventing';
import { waitForPosition } from '@tapedeck/eventing/projections';
import { eventId, newId } from '@tapedeck/kernel';
import type { Pool } from 'pg';
import { count, ms, say, table } from '../print.ts';
import { percentile } from '../statistics.ts';

const callers = 32;
const timeoutMs = 60_000;

const favouriteAdded = (account: string): NewEvent => ({
  id: eventId(newId()),
  type: 'FavouriteAdded',
  schemaVersion: 1,
  data: { accountId: account, urlId: 'starLive', revision: 1, tags: ['macd'] },
  metadata: {
    actorId: account,
    actorKind: 'member',
    occurredAt: '2026-11-21T12:00:00.000Z',
    correlationId: account,
    causationId: account,
  },
});

const addFavourite = async (store: EventStore): Promise<bigint> => {
  const account = newId();
  const result = await store.append(`favourites-${account}`, 'NO_STREAM', [favouriteAdded(account)]);
  if (result.outcome !== 'appended')
    throw new Error(`The store returned ${result.outcome} for a new favourite.`);
  return result.position;
};

/**
 * Measures a running projector: callers append without a pause, and one more waits after each append until the read
 * model contains it.
 */
export const benchLive = async (
  store: EventStore,
  pool: Pool,
  projection: string,
  durationMs: number,
): Promise<void> => {
  const started = performance.now();
  const deadline = started + durationMs;
  const visibleAfterMs: number[] = [];
  let appended = 0;
  let last = 0n;
  const append = async (): Promise<void> => {
    while (performance.now() < deadline) {
      const position = await addFavourite(store);
      appended++;
      if (position > last) last = position;
    }
  };
  const appendAndWait = async (): Promise<void> => {
    while (performance.now() < deadline) {
      const position = await addFavourite(store);
      appended++;
      const acknowledged = performance.now();
      const reached = await waitForPosition(pool, projection, position, timeoutMs);
      if (!reached) throw new Error(`The read model did not reach position ${position}.`);
      visibleAfterMs.push(performance.now() - acknowledged);
    }
  };
  await Promise.all([appendAndWait(), ...Array.from({ length: callers }, append)]);
  if (!(await waitForPosition(pool, projection, last, timeoutMs))) {
    throw new Error(`The read model did not reach position ${last}.`);
  }
  const seconds = (performance.now() - started) / 1000;
  say(`Live: ${callers} callers append without a pause while the projector runs:`);
  say();
  table(
    ['appended and projected/s', 'visible after: p50 ms', 'p99 ms'],
    [[count(appended / seconds), ms(percentile(visibleAfterMs, 0.5)), ms(percentile(visibleAfterMs, 0.99))]],
  );
};
