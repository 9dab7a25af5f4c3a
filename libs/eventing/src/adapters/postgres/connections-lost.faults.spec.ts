import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@tapedeck/kernel';
import { Client, Pool } from 'pg';
import type { EventStore } from '../../event-store.ts';
import { eventually } from '../../testing/eventually.ts';
import { sampleEvent } from '../../testing/sample-events.ts';
import { testDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { createPostgresEventStore } from '../postgres.ts';

const types = { Noted: { version: 1 } };

describe('the event store in PostgreSQL', () => {
  let database: TestDatabase;
  let store: EventStore;
  beforeAll(async () => {
    database = await testDatabase();
    const url = new URL(database.url);
    url.searchParams.set('application_name', 'to be terminated');
    const pool = new Pool({ connectionString: url.href, max: 4 });
    pool.on('error', () => {});
    store = createPostgresEventStore({ pool, types });
    const { close } = store;
    store = {
      ...store,
      close: async () => {
        await close();
        await pool.end();
      },
    };
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  const terminateConnections = (): Promise<unknown> =>
    database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'to be terminated' and datname = current_database()`,
    );

  it('answers every append and writes none twice while its connections are terminated', async () => {
    const streams = Array.from({ length: 300 }, () => `terminated-${newId()}`);
    const appending = Promise.all(
      streams.map(async (stream) => {
        const first = await store.append(stream, 'NO_STREAM', [sampleEvent('Noted')]);
        const second = await store.append(stream, 1, [sampleEvent('Noted'), sampleEvent('Noted')]);
        return [first.outcome, second.outcome];
      }),
    );
    for (let n = 0; n < 4; n++) await terminateConnections();
    const outcomes = await appending;
    // When a connection ends after the commit, the retry finds the events: duplicate.
    for (const outcome of outcomes.flat()) expect(['appended', 'duplicate']).toContain(outcome);
    const found = await store.readStreams(streams);
    for (const stream of streams) expect(found.get(stream)?.map(({ version }) => version)).toEqual([1, 2, 3]);
  });

  it('survives the loss of a connection before it has used it', async () => {
    const pool = new Pool({ connectionString: database.url, max: 1 });
    pool.on('error', () => {});
    // As when the bytes that open a connection and those that end it arrive together.
    pool.on('acquire', (client) => {
      queueMicrotask(() => client.emit('error', new Error('terminating connection')));
    });
    const other = createPostgresEventStore({ pool, types });
    const result = await other.append(`lost-${newId()}`, 'NO_STREAM', [sampleEvent('Noted')]);
    expect(result.outcome).toBe('appended');
    await other.close();
    await pool.end();
  });

  it('continues to follow the tape after its connections were terminated', async () => {
    const stop = new AbortController();
    const after = await store.head();
    const stream = `follow-${newId()}`;
    const seen: number[] = [];
    const following = (async () => {
      for await (const page of store.follow({ after, batchSize: 10, signal: stop.signal })) {
        seen.push(...page.events.filter((event) => event.stream === stream).map(({ version }) => version));
      }
    })();
    for (let n = 1; n <= 4; n++) {
      await store.append(stream, 'ANY', [sampleEvent('Noted')]);
      await eventually(() => expect(seen).toHaveLength(n));
      await terminateConnections();
    }
    stop.abort();
    await following;
    expect(seen).toEqual([1, 2, 3, 4]);
  });

  it('fails only the append that the database refuses, not its batch', async () => {
    await database.pool.query(`
      create function refuse() returns trigger language plpgsql as $$
      begin
        if new.data->>'refuse' = 'yes' then raise exception 'refused'; end if;
        return new;
      end $$;
      create trigger refuse before insert on tape_events for each row execute function refuse()`);
    const streams = Array.from({ length: 21 }, () => `refused-${newId()}`);
    const results = await Promise.allSettled(
      streams.map((stream, index) =>
        store.append(stream, 'NO_STREAM', [sampleEvent('Noted', { refuse: index === 7 ? 'yes' : 'no' })]),
      ),
    );
    expect(results.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([7]);
    expect((await store.readStreams(streams)).size).toBe(20);
    await database.pool.query('drop trigger refuse on tape_events');
  });

  it('refuses to update, delete or truncate events, also to their owner', async () => {
    await store.append(`immutable-${newId()}`, 'ANY', [sampleEvent('Noted')]);
    for (const sql of [
      `update tape_events set data = '{}'`,
      'delete from tape_events',
      'delete from tape_events where false',
      'truncate tape_events',
      'truncate tape_events cascade',
      `set session_replication_role = replica; delete from tape_events`,
    ]) {
      await expect(database.pool.query(sql)).rejects.toThrow('the tape is immutable');
    }
    await database.pool.query('set session_replication_role = default');
  });

  it('appends as a role that may only read events and execute the functions of the tape', async () => {
    const role = `writer_${newId().replaceAll('-', '')}`;
    await database.pool.query(`
      create role ${role} login password 'test';
      grant select on tape_events to ${role};
      grant execute on function tape_append, tape_settling, tape_server to ${role};`);
    const url = new URL(database.url);
    url.username = role;
    url.password = 'test';
    const restrictedStore = createPostgresEventStore({ url: url.href, types });
    const event = sampleEvent('Noted');
    const stream = `granted-${newId()}`;
    expect(await restrictedStore.append(stream, 'NO_STREAM', [event])).toMatchObject({
      outcome: 'appended',
      version: 1,
    });
    expect(await restrictedStore.append(stream, 'ANY', [event])).toMatchObject({
      outcome: 'duplicate',
      version: 1,
    });
    expect(await restrictedStore.head()).toBeGreaterThan(0n);
    await restrictedStore.close();
    const client = new Client({ connectionString: url.href });
    await client.connect();
    for (const sql of [
      'insert into tape_events select * from tape_events',
      `insert into tape_streams values ('s', 1)`,
      `select nextval('tape_position')`,
    ]) {
      await expect(client.query(sql)).rejects.toMatchObject({ code: '42501' });
    }
    await client.end();
    await database.pool.query(`drop owned by ${role}; drop role ${role}`);
  });

  it('requires a pool or a URL, and keys when an event type has personal fields', () => {
    expect(() => createPostgresEventStore({ types })).toThrow('needs a pool or the URL');
    const personal = { Registered: { version: 1, personal: ['email'], subject: 'accountId' } };
    expect(() => createPostgresEventStore({ url: database.url, types: personal })).toThrow('needs the keys');
  });
});
