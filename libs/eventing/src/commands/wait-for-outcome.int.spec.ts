import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createPostgresEventStore } from '../adapters/postgres.ts';
import type { Decider } from '../decider.ts';
import type { DomainEvent, NewEvent } from '../event.ts';
import type { EventStore } from '../event-store.ts';
import { sampleEvent } from '../testing/sample-events.ts';
import { testDatabase, type TestDatabase } from '../testing/test-database.ts';
import { waitForOutcome } from './wait-for-outcome.ts';

type Asked = DomainEvent<'Asked', Record<never, never>>;
type Answered = DomainEvent<'Answered', { text: string }>;
type State = Readonly<{ answer: string | undefined }>;

const types = { Asked: { version: 1 }, Answered: { version: 1 } };

const questions: Decider<State, never, Asked | Answered> = {
  initialState: { answer: undefined },
  decide: () => [],
  evolve: (state, event) => (event.type === 'Answered' ? { answer: event.data.text } : state),
};

const asked = (): NewEvent => sampleEvent('Asked', {});
const answered = (text: string): NewEvent => sampleEvent('Answered', { text });

/** The store, and how often it has read a stream. */
const countingReads = (store: EventStore): Readonly<{ store: EventStore; reads: () => number }> => {
  let reads = 0;
  return {
    reads: () => reads,
    store: {
      ...store,
      readStream: (...args) => {
        reads += 1;
        return store.readStream(...args);
      },
    },
  };
};

describe('waitForOutcome', () => {
  let database: TestDatabase;
  const stores: EventStore[] = [];
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.drop());
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
  });
  const newStore = (): EventStore => {
    const store = createPostgresEventStore({ pool: database.pool, types });
    stores.push(store);
    return store;
  };
  const wait = (
    store: EventStore,
    stream: string,
    options: Readonly<{ maxWaitMs?: number; signal?: AbortSignal }> = {},
  ): Promise<string | undefined> =>
    waitForOutcome(store, questions, {
      stream,
      types: ['Answered'],
      outcomeOf: ({ answer }) => answer,
      maxWaitMs: 20_000,
      ...options,
    });

  it('returns what the stream says already', async () => {
    const store = newStore();
    await store.append('question-known', 'ANY', [asked(), answered('yes')]);
    expect(await wait(store, 'question-known', { maxWaitMs: 1 })).toBe('yes');
  });

  it('reads a slow stream twice, however many events of other streams and types another process appends', async () => {
    const [counting, other] = [countingReads(newStore()), newStore()];
    await other.append('question-slow', 'ANY', [asked()]);
    const outcome = wait(counting.store, 'question-slow');
    for (let at = 0; at < 100; at += 1) {
      await other.append(`question-${at}`, 'ANY', [asked(), answered('no')]);
      await other.append('question-slow', 'ANY', [asked()]);
    }
    await other.append('question-slow', 'ANY', [answered('yes')]);
    expect(await outcome).toBe('yes');
    expect(counting.reads()).toBe(2);
  });

  it('ends without an outcome when its time is over, and when it is aborted', async () => {
    const store = newStore();
    await store.append('question-open', 'ANY', [asked()]);
    expect(await wait(store, 'question-open', { maxWaitMs: 30 })).toBeUndefined();
    const aborted = new AbortController();
    const outcome = wait(store, 'question-open', { signal: aborted.signal });
    aborted.abort();
    expect(await outcome).toBeUndefined();
  });
});
