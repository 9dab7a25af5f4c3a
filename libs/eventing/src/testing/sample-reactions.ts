import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { createPostgresEventStore } from '../adapters/postgres.ts';
import type { EventStore } from '../event-store.ts';
import type { NewEvent, RecordedEvent } from '../event.ts';
import type { OperationParts } from '../operations/retry-ignore-restore.ts';
import { startReactions, type RunningReactions, type StartReactionsOptions } from '../reactions.ts';
import { eventually } from './eventually.ts';
import { numberOf, sampleReactionTypes } from './sample-counters.ts';
import { testDatabase, type TestDatabase } from './test-database.ts';

export type ReactionTests = Readonly<{
  database: () => TestDatabase;
  store: () => EventStore;
  parts: () => OperationParts;
  /** Runs until the end of the test. */
  start: (options: Partial<StartReactionsOptions>) => RunningReactions;
  append: (stream: string, ...events: readonly NewEvent[]) => Promise<void>;
  counted: (stream: string) => Promise<readonly number[]>;
  history: (stream: string) => Promise<readonly RecordedEvent[]>;
  /** Waits until somebody runs it: until it has its checkpoint, from which on it handles events. */
  started: (name: string) => Promise<void>;
}>;

/** A database for the tests of a file, and a new store and no checkpoints for each. */
export const reactionTests = (): ReactionTests => {
  let database: TestDatabase;
  let store: EventStore;
  const running: RunningReactions[] = [];
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    await database.pool.query('truncate projection_checkpoints, reaction_pending_events');
    store = createPostgresEventStore({ pool: database.pool, types: sampleReactionTypes });
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()));
    await store.close();
  });
  const history = (stream: string): Promise<readonly RecordedEvent[]> => store.readStream(stream);
  return {
    database: () => database,
    store: () => store,
    parts: () => ({ store, databases: { tapedeck: database.pool }, projections: [] }),
    start: (options) => {
      const timing = { leaseMs: 900, minBackoffMs: 10, stopMs: 100, dueIntervalMs: 10 };
      const one = startReactions({ store, pool: database.pool, ...timing, ...options });
      running.push(one);
      return one;
    },
    append: async (stream, ...events) => {
      await store.append(stream, 'ANY', events);
    },
    counted: async (stream) => (await history(stream)).map(numberOf),
    history,
    started: (name) =>
      eventually(async () => {
        const { rows } = await database.pool.query(
          'select from projection_checkpoints where projection = $1 and lease_owner is not null',
          [name],
        );
        expect(rows).toHaveLength(1);
      }),
  };
};
