import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { EventStore } from '@tapedeck/eventing';
import { eventingMigrations } from '@tapedeck/eventing/migrations';
import { createPostgresEventStore } from '@tapedeck/eventing/postgres';
import { eventually, sampleEvent } from '@tapedeck/eventing/testing';
import { accountId, derivedId } from '@tapedeck/kernel';
import { changesReady, platformRoutes } from '../../contract.ts';
import { migrate } from '../../migrations.ts';
import { testDatabases, type TestDatabases } from '../../testing/databases.ts';
import { asAccount, createTestApp } from '../../testing/http-app.ts';
import { ChangeTopics } from './change-topics.ts';
import { LiveSessions } from './live-sessions.ts';

const types = { Opened: { version: 1 }, Paid: { version: 1 }, Other: { version: 1 } };
const [ann, bob] = [accountId(derivedId('ann')), accountId(derivedId('bob'))];

let isSignedIn = true;

/** Purses of accounts, and a price list for those with a feature. */
@Module({})
class PurseModule {
  static setPrices: (position: bigint) => void;

  constructor(topics: ChangeTopics, sessions: LiveSessions) {
    topics.registerOfAccount({
      name: 'purse',
      types: ['Opened', 'Paid'],
      streamsOf: async (account) => [`purse-${account}`],
    });
    PurseModule.setPrices = topics.registerShared({ name: 'prices', feature: 'favourites' });
    sessions.register(async () => new Set(isSignedIn ? ['test'] : []));
  }
}

type OpenStream = Readonly<{
  status: number;
  received: () => string;
  over: Promise<void>;
  close: () => void;
}>;

describe('the stream of changes', () => {
  let databases: TestDatabases;
  let store: EventStore;
  let other: EventStore;
  let app: NestFastifyApplication;
  let url: string;
  const opened: OpenStream[] = [];

  const start = async (): Promise<void> => {
    app = await createTestApp({
      modules: [PurseModule],
      databases,
      store,
      config: { CHANGE_STREAMS_PER_CLIENT: 2, CHANGE_STREAMS: 3 },
      features: { [bob]: [] },
    });
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  };

  beforeAll(async () => {
    databases = await testDatabases();
    await migrate(databases.pools, eventingMigrations);
    store = createPostgresEventStore({ pool: databases.tapedeck, types });
    other = createPostgresEventStore({ pool: databases.tapedeck, types });
    await start();
  });
  afterEach(() => {
    isSignedIn = true;
    for (const { close } of opened.splice(0)) close();
  });
  afterAll(async () => {
    await app.close();
    await Promise.all([store.close(), other.close()]);
    await databases.drop();
  });

  const open = async (account: string): Promise<OpenStream> => {
    const aborted = new AbortController();
    const { signal } = aborted;
    const response = await fetch(`${url}${platformRoutes.changes}`, {
      headers: { [asAccount]: account },
      signal,
    });
    let text = '';
    const read = async (): Promise<void> => {
      for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) text += part;
    };
    const stream = {
      status: response.status,
      received: () => text,
      over: read().catch((error: unknown) => {
        if (!signal.aborted) throw error;
      }),
      close: () => aborted.abort(),
    };
    opened.push(stream);
    if (stream.status === 200)
      await eventually(() => expect(stream.received()).toContain(`event: ${changesReady}\n`));
    return stream;
  };
  /** By another process. */
  const append = async (stream: string, type: keyof typeof types, data = {}): Promise<string> => {
    const result = await other.append(stream, 'ANY', [sampleEvent(type, data)]);
    if (result.outcome !== 'appended') throw new Error(result.outcome);
    return String(result.position);
  };
  const receives = (stream: OpenStream, topic: string, position: string): Promise<void> =>
    eventually(() => expect(stream.received()).toContain(`data: ${JSON.stringify({ topic, position })}`));

  it('reports what another process appends to streams of the account, and nothing of another account', async () => {
    const [ofAnn, ofBob] = [await open(ann), await open(bob)];
    await receives(ofAnn, 'purse', await append(`purse-${ann}`, 'Opened'));
    await receives(ofAnn, 'purse', await append('bill-7', 'Opened', { accountId: ann }));
    await receives(ofAnn, 'purse', await append('bill-7', 'Paid'));
    await append(`purse-${ann}`, 'Other');
    await receives(ofBob, 'purse', await append(`purse-${bob}`, 'Paid'));
    expect(ofBob.received().match(/data:/g)).toHaveLength(2);
    expect(ofAnn.received().match(/data:/g)).toHaveLength(4);
  });

  it('begins with the position of what all may see who have the feature', async () => {
    PurseModule.setPrices(4n);
    const [ofAnn, ofBob] = [await open(ann), await open(bob)];
    await receives(ofAnn, 'prices', '4');
    PurseModule.setPrices(5n);
    await receives(ofAnn, 'prices', '5');
    await receives(ofBob, 'purse', await append(`purse-${bob}`, 'Paid'));
    expect(ofBob.received()).not.toContain('prices');
  });

  it('ends without a message once the session has ended', async () => {
    const stream = await open(bob);
    await receives(stream, 'purse', await append(`purse-${bob}`, 'Paid'));
    isSignedIn = false;
    const before = stream.received();
    await append(`purse-${bob}`, 'Paid');
    await stream.over;
    expect(stream.received()).toBe(before);
  });

  it('refuses a client with too many streams, and all beyond the limit, until one ends', async () => {
    const eve = derivedId('eve');
    const statuses: number[] = [];
    for (const account of [ann, ann, ann, bob, bob, eve]) statuses.push((await open(account)).status);
    expect(statuses).toEqual([200, 200, 429, 200, 429, 429]);
    opened[0]?.close();
    await eventually(async () => expect((await open(ann)).status).toBe(200));
  });

  it('is refused to visitors', async () => {
    expect((await fetch(`${url}${platformRoutes.changes}`)).status).toBe(401);
  });

  it('ends with the application', async () => {
    const stream = await open(ann);
    await receives(stream, 'purse', await append(`purse-${ann}`, 'Paid'));
    await app.close();
    await expect(stream.over).resolves.toBeUndefined();
    await start();
  });
});
