import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@tapedeck/kernel';
import { Client } from 'pg';
import type { EventStore } from '../../event-store.ts';
import { eventingMigrations } from '../../migrations.ts';
import { eventually } from '../../testing/eventually.ts';
import { appendBySql, untilOpenAppendsWereRead } from '../../testing/open-appends.ts';
import { sampleEvent } from '../../testing/sample-events.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { createPostgresEventStore } from '../postgres.ts';

const types = { Counted: { version: 1 } };

describe('a reader of the tape whose server crashes', () => {
  let server: TestServer;
  let database = '';
  let store: EventStore;
  let stop = new AbortController();
  let seen: string[] = [];
  let following: Promise<void> = Promise.resolve();
  let clients: Client[] = [];

  beforeAll(async () => {
    // Positions of open transactions must not be written to disk by the way.
    server = await startTestServer({ wal_writer_delay: '10s', max_prepared_transactions: '5' });
  });
  afterAll(() => server.dispose());

  const connect = async (name = database): Promise<Client> => {
    const client = new Client({ connectionString: server.url(name) });
    client.on('error', () => {});
    await client.connect();
    clients.push(client);
    return client;
  };
  beforeEach(async () => {
    database = `t_${newId().replaceAll('-', '')}`;
    await (await connect('postgres')).query(`create database ${database}`);
    const client = await connect();
    for (const { sql } of eventingMigrations) await client.query(sql);
    await client.query('checkpoint');
    store = createPostgresEventStore({ url: server.url(database), types });
    await store.append('first', 'ANY', [sampleEvent('Counted')]);
    stop = new AbortController();
    seen = [];
    following = (async () => {
      for await (const page of store.follow({ after: 0n, batchSize: 10, signal: stop.signal })) {
        seen.push(...page.events.map(({ stream }) => stream));
      }
    })();
    await eventually(() => expect(seen).toEqual(['first']));
  });
  afterEach(async () => {
    stop.abort();
    await following;
    await store.close();
    await Promise.all(clients.map((client) => client.end()));
    clients = [];
  });

  const untilMarkWasRead = async (): Promise<void> =>
    untilOpenAppendsWereRead(await connect('postgres'), database);

  it('gets events whose positions were handed out before the crash to appends that are lost', async () => {
    const lost = await connect();
    await lost.query('begin');
    await appendBySql(lost, 'lost', 100);
    await untilMarkWasRead();
    await server.stop('immediate');
    await server.start();

    const late = await connect();
    await late.query('begin');
    await appendBySql(late, 'late');
    const head = store.head();
    await untilMarkWasRead();
    await late.query('commit');
    await head;
    await store.append('last', 'ANY', [sampleEvent('Counted')]);
    await eventually(() => expect(seen).toContain('last'));
    expect(seen).toEqual(['first', 'late', 'last']);
  });

  it('waits for a prepared transaction over a restart', async () => {
    const prepared = await connect();
    await prepared.query('begin');
    await appendBySql(prepared, 'late');
    await prepared.query(`prepare transaction 'late'`);
    await store.append('quick', 'ANY', [sampleEvent('Counted')]);
    await untilMarkWasRead();
    await server.stop('fast');
    await server.start();
    await untilMarkWasRead();
    expect(seen).toEqual(['first']);
    await (await connect()).query(`commit prepared 'late'`);
    await eventually(() => expect(seen).toEqual(['first', 'late', 'quick']));
  });

  it('has a head that is the position of an event, whatever positions were handed out after it', async () => {
    const head = await store.head();
    const rolledBack = await connect();
    await rolledBack.query('begin');
    await appendBySql(rolledBack, 'gone', 100);
    await rolledBack.query('rollback');
    expect(await store.head()).toBe(head);
    expect(await store.readTape({ after: 0n, limit: 10 })).toMatchObject({ position: head, head });
    expect(await store.readTape({ after: 0n, limit: 10, types: [] })).toMatchObject({ position: head, head });
  });
});
