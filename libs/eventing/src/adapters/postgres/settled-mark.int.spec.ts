import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { EventStore, TapePage } from '../../event-store.ts';
import { eventually } from '../../testing/eventually.ts';
import { appendBySql, untilOpenAppendsWereRead } from '../../testing/open-appends.ts';
import { sampleEvent } from '../../testing/sample-events.ts';
import { startTcpProxy } from '../../testing/tcp-proxy.ts';
import { testDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { createPostgresEventStore } from '../postgres.ts';

const types = { Counted: { version: 1 } };

describe('a reader of the tape', () => {
  let database: TestDatabase;
  let stores: EventStore[] = [];
  let clients: Client[] = [];
  const nameOf = ({ url }: TestDatabase): string => new URL(url).pathname.slice(1);
  const open = (url = database.url): EventStore => {
    const store = createPostgresEventStore({ url, types });
    stores.push(store);
    return store;
  };
  const connect = async (): Promise<Client> => {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    clients.push(client);
    return client;
  };
  const appendTo = (store: EventStore, stream: string): Promise<unknown> =>
    store.append(stream, 'ANY', [sampleEvent('Counted')]);

  beforeEach(async () => {
    database = await testDatabase();
  });
  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await Promise.all(clients.map((client) => client.end()));
    stores = [];
    clients = [];
    await database.drop();
  });

  it('waits for its first mark while an append is open, instead of finding the tape empty', async () => {
    for (const stream of ['a', 'b', 'c']) await appendTo(open(), stream);
    const late = await connect();
    await late.query('begin');
    await appendBySql(late, 'late');

    const stop = new AbortController();
    const reader = open();
    const page = reader.readTape({ after: 0n, limit: 10 });
    const head = reader.head();
    const pages = reader.follow({ after: 0n, batchSize: 10, signal: stop.signal });
    const followed = pages[Symbol.asyncIterator]().next();
    await untilOpenAppendsWereRead(database.pool, nameOf(database));
    await late.query('commit');

    const streams = ({ events }: TapePage): readonly string[] => events.map(({ stream }) => stream);
    expect(streams(await page)).toEqual(['a', 'b', 'c', 'late']);
    expect(await head).toBe((await page).position);
    expect(streams((await followed).value)).toEqual(['a', 'b', 'c', 'late']);
    stop.abort();
  });

  it('gets marks in the order in which they were read, however long an answer takes', async () => {
    const proxy = await startTcpProxy({ target: database.url });
    const writer = open();
    const reader = open(proxy.url);
    await appendTo(writer, 'a');
    const before = await reader.head();
    proxy.delay(300);
    const marks: bigint[] = [];
    const read = async (): Promise<void> => void marks.push(await reader.head());
    const reads = [read()];
    await untilOpenAppendsWereRead(database.pool, nameOf(database), 1);
    proxy.pass();
    for (let n = 0; n < 3; n++) {
      await appendTo(writer, 'a');
      reads.push(read(), read());
    }
    await Promise.all(reads);
    const sorted = marks.toSorted((a, b) => Number(a - b));
    expect(marks).toEqual(sorted);
    const { rows } = await database.pool.query<{ last: string }>(
      'select max(position) as last from tape_events',
    );
    expect(marks.at(-1)).toBe(BigInt(rows[0]?.last ?? 0));
    expect(marks[0]).toBeGreaterThanOrEqual(before);
    await proxy.close();
  });

  /** Follows the tape until it fails, which it does with the code that is returned. */
  const followUntilError = (store: EventStore, after: bigint, seen: string[]): Promise<string> =>
    (async () => {
      const { signal } = new AbortController();
      for await (const { events } of store.follow({ after, batchSize: 10, signal })) {
        seen.push(...events.map(({ stream }) => stream));
      }
      return 'ended';
    })().catch((error: unknown) =>
      error instanceof Error && 'code' in error ? String(error.code) : String(error),
    );

  it('stops when another database has taken the place of the one it has read', async () => {
    const other = await testDatabase();
    await appendTo(open(), 'old');
    await appendTo(open(other.url), 'new');
    await appendTo(open(other.url), 'new');
    const proxy = await startTcpProxy({ target: database.url });
    const seen: string[] = [];
    const failure = followUntilError(open(proxy.url), 0n, seen);
    await eventually(() => expect(seen).toEqual(['old']));
    proxy.cut();

    const admin = new Client({ connectionString: process.env['TEST_POSTGRES_URL'] });
    await admin.connect();
    const [name, otherName] = [nameOf(database), nameOf(other)];
    const rename = async (from: string, to: string): Promise<void> => {
      await admin.query(`alter database ${from} allow_connections false`);
      // A connection that was just being opened is not in the list yet.
      await eventually(async () => {
        await admin.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [
          from,
        ]);
        await admin.query(`alter database ${from} rename to ${to}`);
      });
    };
    await rename(name, `${name}_old`);
    await rename(otherName, name);
    await rename(`${name}_old`, otherName);
    await admin.query(`alter database ${name} allow_connections true`);
    proxy.pass();
    expect(await failure).toBe('TAPE_CHANGED');
    expect(seen).toEqual(['old']);

    await admin.end();
    await other.drop();
    await proxy.close();
  });

  it('stops when the tape ends before what it has read', async () => {
    const writer = open();
    await appendTo(writer, 'a');
    const kept = await writer.head();
    await appendTo(writer, 'b');
    const reader = open();
    const seen: string[] = [];
    const failure = followUntilError(reader, 0n, seen);
    await eventually(() => expect(seen).toEqual(['a', 'b']));
    const last = await reader.head();
    await database.pool.query('alter table tape_events disable trigger tape_is_immutable');
    await database.pool.query('delete from tape_events where position > $1', [String(kept)]);
    expect(await failure).toBe('TAPE_CHANGED');
    expect(await followUntilError(open(), last, [])).toBe('TAPE_CHANGED');
  });
});
