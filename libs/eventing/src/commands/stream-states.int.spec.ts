import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DomainError, eventId, fixedClock, newId } from '@tapedeck/kernel';
import fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import { createMemoryEventStore } from '../adapters/memory.ts';
import { createPersonalDataKeys, createPostgresEventStore } from '../adapters/postgres.ts';
import type { Decider } from '../decider.ts';
import type { DomainEvent } from '../event.ts';
import type { EventStore, ReadStreamOptions } from '../event-store.ts';
import { isForgotten, type Personal } from '../event-types.ts';
import { commandContext, handle, type CommandContext } from './handle.ts';
import { createStateCache, createStateReader, type StreamStateLimits } from './stream-states.ts';
import { checkAsyncProperty } from '../testing/property.ts';
import { sampleEvent } from '../testing/sample-events.ts';
import { testDatabase, type TestDatabase } from '../testing/test-database.ts';

type Written = DomainEvent<'Written', { accountId: string; text: Personal<string> }>;
type State = Readonly<{ count: number; last: string }>;

const types = { Written: { version: 1, personal: ['text'], subject: 'accountId' } };
const subjectOf = (stream: string): string => stream.slice('notes-'.length);

/** Refuses what was written last, so that a wrong state shows. */
const notes: Decider<State, string, Written> = {
  initialState: { count: 0, last: '' },
  decide: (text, { count, last }) => {
    if (text === last) throw new DomainError('conflict', 'SAME', `It was written last, as number ${count}.`);
    return text === '' ? [] : [{ type: 'Written', data: { accountId: 'nobody', text } }];
  },
  evolve: ({ count }, { data }) => ({
    count: count + 1,
    last: isForgotten(data.text) ? '(forgotten)' : data.text,
  }),
  snapshot: {
    version: 1,
    toEntries: ({ count, last }) => [count, last],
    fromEntries: ([count, last]) => ({ count: Number(count), last: String(last) }),
    subjectOf,
  },
};

const limits: StreamStateLimits = {
  maxCachedCharacters: 1_000_000,
  maxAgeMs: 60_000,
  pageEvents: 10,
  snapshotEvents: 20,
};

const writtenEvent = (stream: string, text: string) =>
  sampleEvent('Written', { accountId: subjectOf(stream), text });

const appendNotes = async (store: EventStore, stream: string, count: number): Promise<void> => {
  const events = Array.from({ length: count }, (_, at) => writtenEvent(stream, `note ${at + 1}`));
  await store.append(stream, 'ANY', events);
};

/** The store, and how many events of streams were read through it. */
const countingReads = (store: EventStore): Readonly<{ store: EventStore; take: () => number }> => {
  let read = 0;
  return {
    store: {
      ...store,
      readStream: async (stream: string, options?: ReadStreamOptions) => {
        const events = await store.readStream(stream, options);
        read += events.length;
        return events;
      },
    },
    take: () => {
      const taken = read;
      read = 0;
      return taken;
    },
  };
};

let database: TestDatabase;
const stores: EventStore[] = [];
const newStream = (): string => `notes-${newId()}`;

const openStore = () => {
  const keys = createPersonalDataKeys({ pool: database.pool, masterKey });
  const store = createPostgresEventStore({ pool: database.pool, types, keys });
  stores.push(store);
  return { store, keys };
};
const masterKey = randomBytes(32);
const readerOf = (store: EventStore, changes: Partial<StreamStateLimits> = {}) =>
  createStateReader(store, notes, createStateCache({ ...limits, ...changes }), { ...limits, ...changes });

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => {
  await Promise.all(stores.map((store) => store.close()));
  await database.drop();
});

describe('the state of a stream', () => {
  it('is computed from the new events alone once it was computed', async () => {
    const stream = newStream();
    const { store, take } = countingReads(openStore().store);
    const read = readerOf(store);
    await appendNotes(store, stream, 95);
    expect(await read(stream)).toMatchObject({ version: 95, state: { count: 95, last: 'note 95' } });
    take();
    await appendNotes(store, stream, 3);
    expect(await read(stream)).toMatchObject({ version: 98, state: { count: 98, last: 'note 3' } });
    // The last known event is read again, to see that the tape is still the same.
    expect(take()).toBe(4);
  });

  it('of a long stream is computed from its snapshot by a process that has just started', async () => {
    const stream = newStream();
    const { store, take } = countingReads(openStore().store);
    await appendNotes(store, stream, 95);
    await readerOf(store)(stream);
    await appendNotes(store, stream, 3);
    take();
    expect(await readerOf(store)(stream)).toMatchObject({ version: 98, state: { count: 98 } });
    expect(take()).toBe(limits.pageEvents + 4);
  });

  it('is computed from all events when the snapshot has another form or cannot be read', async () => {
    const stream = newStream();
    const { store } = openStore();
    await appendNotes(store, stream, 50);
    await readerOf(store)(stream);
    for (const damage of [
      `content = '\\x00'`,
      `form = 2`,
      `event_id = gen_random_uuid()`,
      `version = 4000`,
    ]) {
      await database.pool.query(`update tape_snapshots set ${damage} where stream = $1`, [stream]);
      expect(await readerOf(store)(stream)).toMatchObject({ version: 50, state: { count: 50 } });
    }
  });

  it('is that of the tape after another event took the place of the last known one', async () => {
    const stream = newStream();
    const { store } = openStore();
    const read = readerOf(store);
    await appendNotes(store, stream, 30);
    await read(stream);
    // As after the restore of an older backup, on which other events were written since.
    await database.pool.query('alter table tape_events disable trigger tape_is_immutable');
    await database.pool.query('delete from tape_events where stream = $1 and version > 28', [stream]);
    await database.pool.query('update tape_streams set version = 28 where stream = $1', [stream]);
    await database.pool.query('alter table tape_events enable always trigger tape_is_immutable');
    expect(await read(stream)).toMatchObject({ version: 28, state: { count: 28, last: 'note 28' } });
    await store.append(stream, 28, [writtenEvent(stream, 'a'), writtenEvent(stream, 'b')]);
    expect(await readerOf(store)(stream)).toMatchObject({ version: 30, state: { count: 30, last: 'b' } });
    expect(await read(stream)).toMatchObject({ version: 30, state: { count: 30, last: 'b' } });
  });

  it('is not kept longer than the limit, because its account may be forgotten by another process', async () => {
    const stream = newStream();
    const { store } = openStore();
    const counted = countingReads(store);
    const read = readerOf(counted.store, { maxAgeMs: 1 });
    await appendNotes(store, stream, 5);
    await read(stream);
    counted.take();
    const startedAt = performance.now();
    while (performance.now() < startedAt + 5) await new Promise((resolve) => setImmediate(resolve));
    await read(stream);
    expect(counted.take()).toBe(5);
  });

  it('needs no more memory than the limit', async () => {
    const { store } = openStore();
    const cache = createStateCache({ ...limits, maxCachedCharacters: 20_000 });
    const read = createStateReader(store, notes, cache, limits);
    for (let at = 0; at < 30; at++) {
      const stream = newStream();
      await appendNotes(store, stream, 15);
      expect((await read(stream)).version).toBe(15);
    }
    expect(cache.size).toBeGreaterThan(3);
    expect(cache.calculatedSize).toBeLessThanOrEqual(20_000);
  });
});

describe('a snapshot with personal fields', () => {
  it('is encrypted, and cannot be read once its account is forgotten', async () => {
    const stream = newStream();
    const { store, keys } = openStore();
    await appendNotes(store, stream, 40);
    await readerOf(store)(stream);
    const stored = await database.pool.query<{ content: Buffer }>(
      'select content from tape_snapshots where stream = $1',
      [stream],
    );
    expect(stored.rows).toHaveLength(1);
    expect(stored.rows[0]?.content.toString('latin1')).not.toContain('note');
    await keys.forget(subjectOf(stream));
    expect(await store.snapshots.read(stream, 1, subjectOf(stream))).toBeUndefined();
    expect(await readerOf(store)(stream)).toMatchObject({ state: { count: 40, last: '(forgotten)' } });
  });
});

/** A command; `repeats` sends the command of an earlier step again. `others` are events of another process. */
type Step = Readonly<{ text: string; repeats: number | null; restarts: boolean; others: number }>;

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    text: fc.constantFrom('', 'a', 'b', 'c'),
    repeats: fc.option(fc.nat(20), { freq: 4 }),
    restarts: fc.boolean(),
    others: fc.constantFrom(0, 0, 1, 12),
  }),
  { maxLength: 30 },
);

const newContext = (): CommandContext =>
  commandContext({ actor: { id: 'test', kind: 'system' }, clock: fixedClock(0) });

const ids = Array.from({ length: 400 }, () => eventId(newId()));

/** The outcomes of the steps and the events that the stream has in the end. */
const outcomesOf = async (all: readonly Step[], contexts: readonly CommandContext[], isWhole: boolean) => {
  const stream = 'notes-nobody';
  const store = createMemoryEventStore({ types, clock: fixedClock(0) });
  const tiny = { ...limits, pageEvents: 3, snapshotEvents: 4 };
  const newReader = () => createStateReader(store, notes, createStateCache(tiny), tiny);
  let write = handle(store, notes, types, newReader());
  const outcomes: unknown[] = [];
  let other = 0;
  for (const [at, { text, repeats, restarts, others }] of all.entries()) {
    if (restarts) write = handle(store, notes, types, newReader());
    for (let count = 0; count < others; count++) {
      const event = { ...writtenEvent(stream, count % 2 ? 'a' : 'b'), id: ids[other++] ?? eventId(newId()) };
      await store.append(stream, 'ANY', [event]);
    }
    const sent = repeats !== null && repeats < at ? repeats : at;
    const context = contexts[sent] ?? newContext();
    const options = isWhole ? { history: await store.readStream(stream) } : {};
    const outcome = await write(stream, all[sent]?.text ?? text, context, options).catch(errorCode);
    outcomes.push(outcome);
  }
  return { outcomes, events: await store.readStream(stream) };
};

const errorCode = (error: unknown): unknown => (error instanceof DomainError ? error.code : error);

describe('commands', () => {
  it('have the same outcomes on snapshots and cached states as on all events', async () => {
    await checkAsyncProperty(
      fc.asyncProperty(steps, async (all) => {
        const contexts = all.map(newContext);
        expect(await outcomesOf(all, contexts, false)).toEqual(await outcomesOf(all, contexts, true));
      }),
      { numRuns: 100 },
    );
  });
});
