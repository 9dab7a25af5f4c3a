import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout } from 'node:timers/promises';
import { Client, type Pool } from 'pg';
import type { EventStore } from '../../event-store.ts';
import { eventually } from '../../testing/eventually.ts';
import { appendBySql } from '../../testing/open-appends.ts';
import { sampleEvent } from '../../testing/sample-events.ts';
import { testDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { createPostgresEventStore } from '../postgres.ts';

const types = { Counted: { version: 1 } };
const minWritingMs = 8_000;
const minEvents = 1_000;
const writers = 16;
/** For how long a transaction is held open at one place. */
const maxHoldMs = 50;

/** The obvious but wrong reader: it remembers the last position it has seen and reads what is after it. */
const naiveReader = (pool: Pool) => {
  let last = 0n;
  const seen = new Set<bigint>();
  return {
    seen,
    read: async (): Promise<void> => {
      const { rows } = await pool.query<{ position: string }>(
        'select position from tape_events where position > $1 order by position limit 1000',
        [String(last)],
      );
      for (const { position } of rows) seen.add(BigInt(position));
      last = BigInt(rows.at(-1)?.position ?? last);
    },
  };
};

describe('a reader of the tape while others append', () => {
  let database: TestDatabase;
  let otherDatabase: TestDatabase;
  let store: EventStore;
  let clients: Client[] = [];
  const connect = async (url: string): Promise<Client> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    clients.push(client);
    return client;
  };

  beforeAll(async () => {
    otherDatabase = await testDatabase();
  });
  afterAll(() => otherDatabase.drop());
  beforeEach(async () => {
    database = await testDatabase();
    store = createPostgresEventStore({ url: database.url, types });
    // Transactions that write something else and stay open: readers must not wait for them.
    for (const url of [database.url, otherDatabase.url]) {
      const foreign = await connect(url);
      await foreign.query(
        'begin; create temporary table foreign_write (n integer); insert into foreign_write values (1)',
      );
    }
  });
  afterEach(async () => {
    await store.close();
    await Promise.all(clients.map((client) => client.end()));
    clients = [];
    await database.drop();
  });

  it('finds the settled mark 0 on an empty tape', async () => {
    expect(await store.head()).toBe(0n);
  });

  it('waits for an open append with a lower position, and for no other transaction', async () => {
    const before = await store.append('sample-before', 'ANY', [sampleEvent('Counted')]);
    const start = before.outcome === 'conflict' ? 0n : before.position;
    expect(await store.head()).toBe(start);
    const naive = naiveReader(database.pool);
    await naive.read();

    const late = await connect(database.url);
    await late.query('begin');
    await appendBySql(late, 'sample-late');
    const quick = await store.append('sample-quick', 'ANY', [sampleEvent('Counted')]);
    const end = quick.outcome === 'conflict' ? 0n : quick.position;
    expect(end).toBeGreaterThan(start);
    await naive.read();
    expect(await store.head()).toBe(start);
    expect(await store.readTape({ after: start, limit: 10 })).toMatchObject({ events: [], position: start });
    expect(await store.readStream('sample-quick')).toHaveLength(1);

    await late.query('commit');
    const page = await store.readTape({ after: start, limit: 10 });
    expect(page.events.map(({ stream }) => stream)).toEqual(['sample-late', 'sample-quick']);
    await naive.read();
    expect([...naive.seen]).toEqual([start, end]);
  });

  it('passes positions of an append that was rolled back with the next event', async () => {
    await store.append('sample-before', 'ANY', [sampleEvent('Counted')]);
    const head = await store.head();
    const rolledBack = await connect(database.url);
    await rolledBack.query('begin');
    await appendBySql(rolledBack, 'sample-rolled-back');
    expect(await store.head()).toBe(head);
    await rolledBack.query('rollback');
    expect(await store.head()).toBe(head);
    const next = await store.append('sample-next', 'ANY', [sampleEvent('Counted')]);
    const page = await store.readTape({ after: head, limit: 10 });
    expect(page.events.map(({ stream }) => stream)).toEqual(['sample-next']);
    expect(next).toMatchObject({ position: page.position });
  });

  /** Transactions that append to one or two streams; some are held open for a random time, some rolled back. */
  const writeBySql = async (isWriting: () => boolean): Promise<void> => {
    const client = await connect(database.url);
    while (isWriting()) {
      const streams = Array.from(
        { length: Math.random() < 0.3 ? 2 : 1 },
        () => `stream-${Math.floor(Math.random() * 60)}`,
      );
      await client.query('begin');
      for (const stream of new Set(streams.sort())) {
        await appendBySql(client, stream);
        if (Math.random() < 0.1) await setTimeout(Math.random() * maxHoldMs);
      }
      await client.query(Math.random() < 0.05 ? 'rollback' : 'commit');
    }
  };
  const writeByStore = async (isWriting: () => boolean): Promise<void> => {
    while (isWriting()) {
      await store.append(`stream-${Math.floor(Math.random() * 60)}`, 'ANY', [sampleEvent('Counted')]);
    }
  };

  it('gets every event once and in order with 16 writers, while a naive reader loses events', async () => {
    const naive = naiveReader(database.pool);
    const seen = new Set<bigint>();
    const versions = new Map<string, number>();
    const found = { repeated: 0, orderBreaks: 0, positionBreaks: 0 };
    const stop = new AbortController();
    let position = 0n;
    const following = (async () => {
      for await (const page of store.follow({ after: 0n, batchSize: 500, signal: stop.signal })) {
        for (const event of page.events) {
          if (seen.has(event.position)) found.repeated++;
          if (event.version !== (versions.get(event.stream) ?? 0) + 1) found.orderBreaks++;
          if (event.position <= position) found.positionBreaks++;
          seen.add(event.position);
          versions.set(event.stream, event.version);
          position = event.position;
        }
      }
    })();

    const started = performance.now();
    const isWriting = (): boolean => performance.now() - started < minWritingMs || seen.size <= minEvents;
    const writing = Promise.all(
      Array.from({ length: writers }, (_, index) =>
        index % 4 === 0 ? writeByStore(isWriting) : writeBySql(isWriting),
      ),
    );
    const readingNaively = (async () => {
      while (isWriting()) await naive.read();
    })();
    await Promise.all([writing, readingNaively]);

    const { rows } = await database.pool.query<{ position: string }>('select position from tape_events');
    const all = rows.map((row) => BigInt(row.position));
    const last = all.reduce((a, b) => (a > b ? a : b), 0n);
    await eventually(() => expect(position >= last).toBe(true));
    for (let n = 0; n < all.length / 1_000 + 1; n++) await naive.read();
    stop.abort();
    await following;

    const lost = all.filter((one) => !seen.has(one)).length;
    const lostByNaive = all.filter((one) => !naive.seen.has(one)).length;
    process.stdout.write(
      `${all.length} events: lost ${lost}, order breaks ${found.orderBreaks}; lost by the naive reader ${lostByNaive}\n`,
    );
    expect({ lost, ...found }).toEqual({ lost: 0, repeated: 0, orderBreaks: 0, positionBreaks: 0 });
    expect(lostByNaive).toBeGreaterThan(0);
    expect(all.length).toBeGreaterThan(minEvents);
  });
});
