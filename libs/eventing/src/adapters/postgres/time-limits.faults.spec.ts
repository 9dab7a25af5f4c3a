import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { EventStore } from '../../event-store.ts';
import { errorCodeOf } from '../../testing/contract-context.ts';
import { eventually } from '../../testing/eventually.ts';
import { sampleEvent } from '../../testing/sample-events.ts';
import { startTcpProxy, type TcpProxy } from '../../testing/tcp-proxy.ts';
import { testDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { createPostgresEventStore } from '../postgres.ts';

const timeLimits = {
  connectMs: 300,
  attemptMs: 300,
  appendMs: 1_000,
  readMs: 300,
  markMs: 300,
  firstMarkMs: 300,
};
const lastAttemptEndsMs = timeLimits.appendMs + timeLimits.attemptMs + 100;

describe('a store whose network does not answer', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let store: EventStore;
  beforeEach(async () => {
    database = await testDatabase();
    proxy = await startTcpProxy({ target: database.url });
    store = createPostgresEventStore({ url: proxy.url, types: { Counted: { version: 1 } }, timeLimits });
  });
  afterEach(async () => {
    await store.close();
    await proxy.close();
    await database.drop();
  });

  const append = (stream: string, event = sampleEvent('Counted')): ReturnType<EventStore['append']> =>
    store.append(stream, 'ANY', [event]);
  const connectionsOfStore = async (): Promise<number> => {
    const { rowCount } = await database.pool.query(
      `select from pg_stat_activity
       where datname = current_database() and application_name like 'tapedeck %'`,
    );
    return rowCount ?? 0;
  };

  it('says that the outcome of an append is unknown, and the server does not execute it later', async () => {
    await append('a');
    proxy.freeze();
    const event = sampleEvent('Counted');
    const startedAt = performance.now();
    expect(await errorCodeOf(append('b', event))).toBe('APPEND_OUTCOME_UNKNOWN');
    expect(performance.now() - startedAt).toBeLessThan(5 * timeLimits.appendMs);
    // The last attempt has its time, too.
    await eventually(() => expect(performance.now() - startedAt).toBeGreaterThan(lastAttemptEndsMs));
    proxy.pass();
    // What the network has kept arrives now, then the end of each connection.
    await eventually(async () => expect(await connectionsOfStore()).toBe(0));
    expect(await store.readStream('b')).toEqual([]);
    expect(await append('b', event)).toMatchObject({ outcome: 'appended', version: 1 });
    expect(await append('b', event)).toMatchObject({ outcome: 'duplicate', version: 1 });
  });

  it('finds an append whose answer was lost when it is repeated', async () => {
    await append('a');
    proxy.delay(timeLimits.attemptMs * 0.7);
    const event = sampleEvent('Counted');
    const appending = append('b', event);
    await eventually(async () => {
      const { rowCount } = await database.pool.query(`select from tape_events where stream = 'b'`);
      expect(rowCount).toBe(1);
    });
    proxy.freeze();
    expect(await errorCodeOf(appending)).toBe('APPEND_OUTCOME_UNKNOWN');
    proxy.pass();
    expect(await append('b', event)).toMatchObject({ outcome: 'duplicate', version: 1 });
  });

  it('says that nothing was saved when no attempt can have reached the server', async () => {
    proxy.freeze();
    expect(await errorCodeOf(append('a'))).toBe('TAPE_UNAVAILABLE');
    proxy.cut();
    expect(await errorCodeOf(append('a'))).toBe('TAPE_UNAVAILABLE');
    proxy.pass();
    expect(await append('a')).toMatchObject({ outcome: 'appended', version: 1 });
  });

  it('fails to read the mark, a page and a stream within their time, and reads them afterwards', async () => {
    for (let n = 0; n < 5; n++) await append('a');
    await store.readTape({ after: 0n, limit: 1 });
    const head = await store.head();
    const reads = (): readonly Promise<unknown>[] => [
      store.head(),
      store.readTape({ after: 0n, limit: 1 }),
      store.readTape({ after: 0n, limit: 100 }),
      store.readStream('a'),
      store.readStreams(['a']),
    ];
    proxy.freeze();
    expect(await Promise.all(reads().map(errorCodeOf))).toEqual(Array(5).fill('TAPE_UNAVAILABLE'));
    proxy.pass();
    const [headNow, first, whole, stream] = await Promise.all(reads());
    expect(headNow).toBe(head);
    expect(first).toMatchObject({ events: [{ version: 1 }], head });
    expect(whole).toMatchObject({ position: head, head });
    expect(stream).toHaveLength(5);
  });

  it('continues to follow the tape, without losing or repeating an event', async () => {
    const stop = new AbortController();
    const seen: number[] = [];
    const following = (async () => {
      for await (const { events } of store.follow({ after: 0n, batchSize: 2, signal: stop.signal })) {
        seen.push(...events.map(({ version }) => version));
      }
    })();
    await append('a');
    await eventually(() => expect(seen).toEqual([1]));
    proxy.freeze();
    for (let n = 0; n < 3; n++) expect(await errorCodeOf(store.head())).toBe('TAPE_UNAVAILABLE');
    proxy.pass();
    for (let n = 0; n < 3; n++) await append('a');
    await eventually(() => expect(seen).toEqual([1, 2, 3, 4]));
    stop.abort();
    await following;
  });

  it('closes', async () => {
    await append('a');
    await store.head();
    proxy.freeze();
    const closing = createPostgresEventStore({ url: proxy.url, types: {}, timeLimits });
    const head = errorCodeOf(closing.head());
    await closing.close();
    expect(await head).not.toBe('no error');
  });

  it('closes while it connects, and what waits for the connection fails', async () => {
    const closing = createPostgresEventStore({ url: proxy.url, types: {}, timeLimits });
    const head = errorCodeOf(closing.head());
    await closing.close();
    expect(await head).not.toBe('no error');
  });
});

describe('a store with two streams that another transaction has locked', () => {
  it('writes to the others, and to those two once they are free', async () => {
    const database = await testDatabase();
    const store = createPostgresEventStore({ url: database.url, types: { Counted: { version: 1 } } });
    const append = (stream: string): ReturnType<EventStore['append']> =>
      store.append(stream, 'ANY', [sampleEvent('Counted')]);
    const locked = ['locked-1', 'locked-2'];
    for (const stream of locked) await append(stream);
    const lock = await database.pool.connect();
    await lock.query('begin');
    await lock.query(`select from tape_streams where stream = any($1) for update`, [locked]);

    // Each in a batch of its own, so that no other batch can be sent.
    const stuck: ReturnType<EventStore['append']>[] = [];
    for (const stream of locked) {
      stuck.push(append(stream));
      await eventually(async () => {
        const { rowCount } = await database.pool.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        expect(rowCount).toBe(stuck.length);
      });
    }
    const others = await Promise.all(Array.from({ length: 50 }, (_, n) => append(`free-${n}`)));
    expect(others.every(({ outcome }) => outcome === 'appended')).toBe(true);
    expect(await store.readStream('locked-1')).toHaveLength(1);
    await lock.query('rollback');
    lock.release();
    expect(await Promise.all(stuck)).toMatchObject([
      { outcome: 'appended', version: 2 },
      { outcome: 'appended', version: 2 },
    ]);
    await store.close();
    await database.drop();
  });
});
