import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DomainError } from '@tapedeck/kernel';
import { Client } from 'pg';
import type { EventStore, Position, RecordedEvent } from '../../index.ts';
import { eventingMigrations } from '../../migrations.ts';
import { errorCodeOf } from '../../testing/contract-context.ts';
import { eventually } from '../../testing/eventually.ts';
import { appendBySql } from '../../testing/open-appends.ts';
import { sampleEvent } from '../../testing/sample-events.ts';
import { startTcpProxy, type TcpProxy } from '../../testing/tcp-proxy.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { createPostgresEventStore } from '../postgres.ts';

const name = 'failover';

const withClient = async <Result>(
  server: TestServer,
  work: (client: Client) => Promise<Result>,
): Promise<Result> => {
  const client = new Client({ connectionString: server.url(name) });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

const idsOnTape = (server: TestServer): Promise<readonly string[]> =>
  withClient(server, async (client) => {
    const { rows } = await client.query<{ id: string }>('select id from tape_events order by position');
    return rows.map(({ id }) => id);
  });

/** A reader that resumes, after the tape has changed, at the last event it has read that is on the tape now. */
const resumingReader = (store: EventStore) => {
  const stop = new AbortController();
  const { signal } = stop;
  let read: RecordedEvent[] = [];
  let resumed = 0;
  const isThere = async ({ stream, version, id }: RecordedEvent): Promise<boolean> =>
    (await store.readStream(stream, { from: version, upTo: version })).some((event) => event.id === id);
  const follow = async (after: Position): Promise<void> => {
    for await (const { events } of store.follow({ after, batchSize: 50, signal })) read.push(...events);
  };
  const resume = async (): Promise<void> => {
    for (let last = read.at(-1); last && !(await isThere(last)); last = read.at(-1)) read = read.slice(0, -1);
    resumed++;
  };
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        await follow(read.at(-1)?.position ?? 0n);
      } catch (error) {
        if (!(error instanceof DomainError) || error.code !== 'TAPE_CHANGED') throw error;
        await eventually(resume);
      }
    }
  };
  const running = run();
  return {
    ids: () => read.map(({ id }) => String(id)),
    resumed: () => resumed,
    end: () => {
      stop.abort();
      return running;
    },
  };
};

describe('a store whose primary fails', () => {
  let primary: TestServer;
  let standby: TestServer;
  let proxy: TcpProxy;
  let store: EventStore;
  beforeAll(async () => {
    primary = await startTestServer();
    const admin = new Client({ connectionString: primary.url('postgres') });
    await admin.connect();
    await admin.query(`create database ${name}`);
    await admin.end();
    await withClient(primary, async (client) => {
      for (const { sql } of eventingMigrations) await client.query(sql);
    });
    standby = await primary.createStandby();
    proxy = await startTcpProxy({ target: primary.url(name) });
    store = createPostgresEventStore({
      url: proxy.url,
      types: { Counted: { version: 1 } },
      timeLimits: { appendMs: 60_000 },
    });
  });
  afterAll(async () => {
    await store.close();
    await proxy.close();
    await standby.dispose();
    await primary.dispose();
  });

  it('reads no mark and appends nothing on a standby', async () => {
    await withClient(standby, async (client) => {
      for (const call of ['tape_settling()', 'tape_server()']) {
        await expect(client.query(`select ${call}`)).rejects.toMatchObject({ code: '25006' });
      }
      await expect(appendBySql(client, 'a')).rejects.toMatchObject({ code: '25006' });
    });
    const reader = createPostgresEventStore({ url: standby.url(name), types: {} });
    expect(await errorCodeOf(reader.head())).toBe('TAPE_UNAVAILABLE');
    expect(await errorCodeOf(reader.readStream('a'))).toBe('TAPE_UNAVAILABLE');
    await reader.close();
  });

  it('appends to the promoted standby and reads once, in order, what that has', async () => {
    const acknowledged = new Set<string>();
    let appends = true;
    const append = async (writer: number): Promise<void> => {
      for (let n = 0; appends; n++) {
        const event = sampleEvent('Counted', { n });
        await store.append(`stream-${writer}`, 'ANY', [event]);
        acknowledged.add(event.id);
      }
    };
    const writing = Promise.all([0, 1, 2, 3].map(append));
    const reader = resumingReader(store);
    await eventually(() => expect(reader.ids().length).toBeGreaterThan(200));

    proxy.cut();
    await primary.stop('immediate');
    proxy.retarget(standby.url(name));
    proxy.pass();
    // The standby streams without being waited for, so that it may not have the last of these.
    const acknowledgedByPrimary = new Set(acknowledged);
    await standby.promote();
    await eventually(() => expect(acknowledged.size).toBeGreaterThan(acknowledgedByPrimary.size + 200));
    appends = false;
    await writing;

    const onTape = await idsOnTape(standby);
    await eventually(() => expect(reader.ids()).toHaveLength(onTape.length));
    await reader.end();
    expect(reader.resumed()).toBeGreaterThan(0);
    expect(reader.ids()).toEqual(onTape);
    const lost = [...acknowledged].filter((id) => !onTape.includes(id));
    expect(lost.filter((id) => !acknowledgedByPrimary.has(id))).toEqual([]);
    expect(onTape.length).toBeGreaterThan(400);
  });
});
