import type { EventStore, NewEvent } from '@tapedeck/eventing';
import { waitForPosition } from '@tapedeck/eventing/projections';
import { eventId, newId } from '@tapedeck/kernel';
import type { Pool } from 'pg';
import { count, ms, say, table } from './print.ts';
import { percentile } from './statistics.ts';

const callers = 32;
const patience = 60_000;

const newStar = (account: string): NewEvent => ({
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

const star = async (store: EventStore): Promise<bigint> => {
  const account = newId();
  const result = await store.append(`favourites-${account}`, 'NO_STREAM', [newStar(account)]);
  if (result.outcome !== 'appended') throw new Error(`The store answered ${result.outcome} to a new star.`);
  return result.position;
};

/** Members who star without a pause, and one who looks each time whether the star is to be seen. */
export const benchLive = async (
  store: EventStore,
  pool: Pool,
  projection: string,
  millis: number,
): Promise<void> => {
  const begun = performance.now();
  const deadline = begun + millis;
  const visible: number[] = [];
  let written = 0;
  let last = 0n;
  const write = async (): Promise<void> => {
    while (performance.now() < deadline) {
      const position = await star(store);
      written++;
      if (position > last) last = position;
    }
  };
  const watch = async (): Promise<void> => {
    while (performance.now() < deadline) {
      const position = await star(store);
      written++;
      const acknowledged = performance.now();
      const seen = await waitForPosition(pool, projection, position, patience);
      if (!seen) throw new Error(`The read model did not reach position ${position}.`);
      visible.push(performance.now() - acknowledged);
    }
  };
  await Promise.all([watch(), ...Array.from({ length: callers }, write)]);
  if (!(await waitForPosition(pool, projection, last, patience))) {
    throw new Error(`The read model did not reach position ${last}.`);
  }
  const seconds = (performance.now() - begun) / 1000;
  say(`Live: ${callers} callers append without a pause while the projector winds the read model on:`);
  say();
  table(
    ['appended and projected/s', 'p50 ms until it is seen', 'p99 ms'],
    [[count(written / seconds), ms(percentile(visible, 0.5)), ms(percentile(visible, 0.99))]],
  );
};
