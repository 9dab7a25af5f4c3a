import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@tapedeck/kernel';
import { Client, type Pool } from 'pg';
import type { EventStore } from '../../event-store.ts';
import { eventually } from '../../testing/eventually.ts';
import { sampleEvent } from '../../testing/sample-events.ts';
import { testDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { createPostgresEventStore } from '../postgres.ts';

const types = { Counted: { version: 1 } };
const huntMs = 8_000;
const writers = 16;
const longestHold = 50;

/** One event to a stream by plain SQL, inside whatever transaction the client is in. */
const appendBySql = (client: Client, stream: string): Promise<unknown> =>
  client.query(
    `select * from tape_append(array[$1], array[-2], array[1], array[$2]::uuid[], array['Counted'],
       array[1]::smallint[], array['{}']::json[], array['{}']::json[])`,
    [stream, newId()],
  );

/** Remembers the last position it has seen and asks for what is after it: what everybody writes first. */
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

// The load, not a wait for an outcome: writers hold their transactions open for random times.
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('reading while others write', () => {
  let database: TestDatabase;
  let elsewhere: TestDatabase;
  let store: EventStore;
  const open: Client[] = [];
  const connect = async (url: string): Promise<Client> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    open.push(client);
    return client;
  };

  beforeAll(async () => {
    database = await testDatabase();
    elsewhere = await testDatabase();
    store = createPostgresEventStore({ url: database.url, types });
    // Stays open all the time, with a transaction id: no reader may wait for it.
    for (const url of [database.url, elsewhere.url]) {
      const foreign = await connect(url);
      await foreign.query(
        'begin; create temporary table foreign_write (n integer); insert into foreign_write values (1)',
      );
    }
  });
  afterAll(async () => {
    await store.close();
    await Promise.all(open.map((client) => client.end()));
    await database.drop();
    await elsewhere.drop();
  });

  it('starts from nothing', async () => {
    expect(await store.head()).toBe(0n);
  });

  it('waits for a writer that is late with a lower position, and for nobody else', async () => {
    const before = await store.append('sample-before', 'ANY', [sampleEvent('Counted')]);
    const start = before.outcome === 'conflict' ? 0n : before.position;
    expect(await store.head()).toBe(start);
    const naive = naiveReader(database.pool);
    await naive.read();

    const late = await connect(database.url);
    await late.query('begin');
    await appendBySql(late, 'sample-late');
    const quick = await store.append('sample-quick', 'ANY', [sampleEvent('Counted')]);
    expect(quick).toMatchObject({ outcome: 'appended', position: start + 2n });
    await naive.read();
    expect(await store.head()).toBe(start);
    expect(await store.readTape({ after: start, limit: 10 })).toMatchObject({ events: [], position: start });
    expect(await store.readStream('sample-quick')).toHaveLength(1);

    await late.query('commit');
    const page = await store.readTape({ after: start, limit: 10 });
    expect(page.events.map(({ stream }) => stream)).toEqual(['sample-late', 'sample-quick']);
    await naive.read();
    expect([...naive.seen]).toEqual([start, start + 2n]);
  });

  it('goes on past positions that were taken and rolled back', async () => {
    const head = await store.head();
    const undone = await connect(database.url);
    await undone.query('begin');
    await appendBySql(undone, 'sample-undone');
    expect(await store.head()).toBe(head);
    await undone.query('rollback');
    expect(await store.head()).toBe(head + 1n);
    expect(await store.readTape({ after: head, limit: 10 })).toMatchObject({
      events: [],
      position: head + 1n,
    });
  });

  /** Transactions of one or two streams, held open for a random while, some rolled back. */
  const writeBySql = async (until: number): Promise<void> => {
    const client = await connect(database.url);
    while (performance.now() < until) {
      const streams = Array.from(
        { length: Math.random() < 0.3 ? 2 : 1 },
        () => `hunt-${Math.floor(Math.random() * 60)}`,
      );
      await client.query('begin');
      for (const stream of new Set(streams.sort())) {
        await appendBySql(client, stream);
        if (Math.random() < 0.1) await pause(Math.random() * longestHold);
      }
      await client.query(Math.random() < 0.05 ? 'rollback' : 'commit');
    }
  };
  const writeByStore = async (until: number): Promise<void> => {
    while (performance.now() < until) {
      await store.append(`hunt-${Math.floor(Math.random() * 60)}`, 'ANY', [sampleEvent('Counted')]);
    }
  };

  it('loses nothing and breaks no stream with 16 writers, where a naive reader loses', async () => {
    const naive = naiveReader(database.pool);
    const seen = new Set<bigint>();
    const versions = new Map<string, number>();
    const found = { doubles: 0, orderBreaks: 0, positionBreaks: 0 };
    const stop = new AbortController();
    let position = 0n;
    const ours = (async () => {
      for await (const page of store.follow({ after: 0n, batchSize: 500, signal: stop.signal })) {
        for (const event of page.events) {
          if (seen.has(event.position)) found.doubles++;
          if (event.version !== (versions.get(event.stream) ?? 0) + 1) found.orderBreaks++;
          if (event.position <= position) found.positionBreaks++;
          seen.add(event.position);
          versions.set(event.stream, event.version);
          position = event.position;
        }
      }
    })();

    const until = performance.now() + huntMs;
    const writing = Promise.all(
      Array.from({ length: writers }, (_, index) =>
        index % 4 === 0 ? writeByStore(until) : writeBySql(until),
      ),
    );
    const theirs = (async () => {
      while (performance.now() < until) await naive.read();
    })();
    await Promise.all([writing, theirs]);

    const { rows } = await database.pool.query<{ position: string }>('select position from tape_events');
    const all = rows.map((row) => BigInt(row.position));
    const last = all.reduce((a, b) => (a > b ? a : b), 0n);
    await eventually(() => expect(position >= last).toBe(true));
    for (let n = 0; n < all.length / 1_000 + 1; n++) await naive.read();
    stop.abort();
    await ours;

    const lost = all.filter((one) => !seen.has(one)).length;
    const lostByNaive = all.filter((one) => !naive.seen.has(one)).length;
    process.stdout.write(
      `skip hunter: ${all.length} events, lost ${lost}, order breaks ${found.orderBreaks}; naive reader lost ${lostByNaive}\n`,
    );
    expect({ lost, ...found }).toEqual({ lost: 0, doubles: 0, orderBreaks: 0, positionBreaks: 0 });
    expect(lostByNaive).toBeGreaterThan(0);
    expect(all.length).toBeGreaterThan(1_000);
  });
});
