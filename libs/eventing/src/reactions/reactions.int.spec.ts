import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createPostgresEventStore } from '../adapters/postgres.ts';
import type { EventStore } from '../event-store.ts';
import type { Reaction } from '../reaction.ts';
import { startReactions, type RunningReactions, type StartReactionsOptions } from '../reactions.ts';
import { eventually } from '../testing/eventually.ts';
import { countingReaction, noted, numberOf, reactionTypes } from '../testing/sample-reactions.ts';
import { testDatabase, type TestDatabase } from '../testing/test-database.ts';

describe('a reaction', () => {
  let database: TestDatabase;
  let store: EventStore;
  const running: RunningReactions[] = [];
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    await database.pool.query('truncate projection_checkpoints, reaction_pending_events');
    store = createPostgresEventStore({ pool: database.pool, types: reactionTypes });
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()));
    await store.close();
  });

  const start = (reaction: Reaction, options: Partial<StartReactionsOptions> = {}): RunningReactions => {
    const one = startReactions({
      store,
      pool: database.pool,
      reactions: [{ begins: 'next', ...reaction }],
      minBackoffMs: 10,
      leaseMs: 900,
      ...options,
    });
    running.push(one);
    return one;
  };
  const counted = async (stream: string): Promise<readonly number[]> =>
    (await store.readStream(stream)).map(numberOf);

  it('executes a command for each event, in the order of the events', async () => {
    start(countingReaction({ begins: 'first' }));
    await store.append('note-a', 'NO_STREAM', [noted(1), noted(2)]);
    await eventually(async () => expect(await counted('count-a')).toEqual([1, 2]));
  });
});
