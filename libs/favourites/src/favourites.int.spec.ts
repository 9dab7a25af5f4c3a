import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { EventStore } from '@tapedeck/eventing';
import { eventingMigrations } from '@tapedeck/eventing/migrations';
import { createPersonalDataKeys, createPostgresEventStore } from '@tapedeck/eventing/postgres';
import { startProjector, waitForPosition, type Projector } from '@tapedeck/eventing/projections';
import { accountId, derivedId, newId } from '@tapedeck/kernel';
import { ReadModels } from '@tapedeck/platform/http';
import { createLogger } from '@tapedeck/platform/log';
import { migrate } from '@tapedeck/platform/migrations';
import {
  createTestApp,
  testClient,
  testDatabases,
  type TestClient,
  type TestDatabases,
} from '@tapedeck/platform/testing';
import { strategyEvents, strategyStream } from '@tapedeck/strategies/events';
import { randomBytes } from 'node:crypto';
import { FavouritesModule } from './api.ts';
import type { FavouriteList } from './contract.ts';
import { favouriteEvents, favouritesStream } from './domain/favourites.ts';
import { favouriteProjections } from './projections.ts';
import { strategyImported } from './testing/strategy-events.ts';

const logger = createLogger('test', 'silent');
const types = { ...favouriteEvents, ...strategyEvents };
const alice = accountId(derivedId('alice'));
const bob = accountId(derivedId('bob'));

let databases: TestDatabases;
let store: EventStore;
let projector: Projector;
let app: NestFastifyApplication;
let url: string;

/** Appends strategies to the tape, so that they can be starred. */
const importAll = async (...urlIds: string[]): Promise<void> => {
  let last = 0n;
  for (const urlId of urlIds) {
    const result = await store.append(strategyStream(urlId), 'NO_STREAM', [strategyImported(urlId)]);
    if (result.outcome !== 'conflict') last = result.position;
  }
  expect(await waitForPosition(databases.tapedeck, 'favourite_strategies', last, 20_000)).toBe(true);
};

beforeAll(async () => {
  databases = await testDatabases();
  await migrate(databases.pools, eventingMigrations);
  const keys = createPersonalDataKeys({ pool: databases.tapedeck, masterKey: randomBytes(32) });
  store = createPostgresEventStore({ url: databases.urls.tapedeck, types, keys });
  projector = startProjector({
    store,
    projections: favouriteProjections,
    databases: databases.pools,
    logger,
  });
  app = await createTestApp({ modules: [FavouritesModule], databases, store });
  for (const { name } of favouriteProjections) {
    app
      .get(ReadModels)
      .register(name, (position, ms) => waitForPosition(databases.tapedeck, name, position, ms));
  }
  await app.listen(0, '127.0.0.1');
  url = await app.getUrl();
  await importAll('AAAAAAA1', 'AAAAAAA2', 'AAAAAAA3', 'AAAAAAA4');
});
afterAll(async () => {
  await app.close();
  await projector.stop();
  await store.close();
  await databases.drop();
});

const call: TestClient = (...request) => testClient(`${url}/api/member/favorites`, alice)(...request);

/** The list as a client sees it that has received the answer `after`. */
const listAfter = async (after: Response, account: string): Promise<FavouriteList> => {
  const position = after.headers.get('tape-position') ?? '';
  const response = await call('GET', '', { account, headers: { 'tape-position': position } });
  expect(response.headers.get('tape-stale')).toBeNull();
  return (await response.json()) as FavouriteList;
};

describe('favourites over HTTP', () => {
  it('are added, returned with their strategy, retagged and removed, each visible to the next read', async () => {
    const account = newId();
    const added = await call('POST', '', {
      account,
      body: { urlId: 'AAAAAAA1', tags: [' swing ', 'swing'] },
    });
    expect([added.status, await added.json()]).toEqual([201, { urlId: 'AAAAAAA1', tags: ['swing'] }]);
    const [favourite] = await listAfter(added, account);
    expect(favourite).toMatchObject({
      urlId: 'AAAAAAA1',
      tags: ['swing'],
      strategy: { title: 'Trend rider', total_pandl_percent: '12.5', likes: null },
    });

    const retagged = await call('PUT', '/AAAAAAA1/tags', {
      account,
      body: { tags: ['btc'] },
      headers: { 'if-match': favourite?.etag ?? '' },
    });
    expect(retagged.status).toBe(200);
    const [changed] = await listAfter(retagged, account);
    expect(changed).toMatchObject({ tags: ['btc'], etag: retagged.headers.get('etag') });

    const removed = await call('DELETE', '/AAAAAAA1', { account });
    expect(removed.status).toBe(204);
    expect(await listAfter(removed, account)).toEqual([]);
  });

  it('refuse tags changed from an older version', async () => {
    const account = newId();
    const added = await call('POST', '', { account, body: { urlId: 'AAAAAAA2' } });
    const old = added.headers.get('etag') ?? '';
    await call('PUT', '/AAAAAAA2/tags', { account, body: { tags: ['one'] }, headers: { 'if-match': old } });
    const late = await call('PUT', '/AAAAAAA2/tags', {
      account,
      body: { tags: ['two'] },
      headers: { 'if-match': old },
    });
    expect([late.status, await late.json()]).toMatchObject([412, { code: 'TAGS_CHANGED_MEANWHILE' }]);
  });

  it('change once for one Idempotency-Key, also at the same time', async () => {
    const headers = { 'idempotency-key': newId() };
    const before = (await store.readStream(favouritesStream(bob))).length;
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        call('POST', '', { account: bob, body: { urlId: 'AAAAAAA3', tags: ['x'] }, headers }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map((answer) => answer.headers.get('tape-position'))).size).toBe(1);
    expect(await store.readStream(favouritesStream(bob))).toHaveLength(before + 1);
  });

  it('belong to one account', async () => {
    const added = await call('POST', '', { account: bob, body: { urlId: 'AAAAAAA4' } });
    expect((await listAfter(added, bob)).map(({ urlId }) => urlId)).toContain('AAAAAAA4');
    expect((await listAfter(added, alice)).map(({ urlId }) => urlId)).not.toContain('AAAAAAA4');
    const foreign = await call('PUT', '/AAAAAAA4/tags', { body: { tags: [] }, account: alice });
    expect(foreign.status).toBe(404);
  });

  it.each([
    ['an unknown strategy', 'POST', '', { urlId: 'ZZZZZZZZ' }, 404, 'STRATEGY_NOT_FOUND'],
    ['an id of the wrong shape', 'POST', '', { urlId: '../../x' }, 400, 'INVALID_STRATEGY_ID'],
    ['a missing id', 'POST', '', {}, 400, 'INVALID_REQUEST'],
    ['tags that are no texts', 'PUT', '/AAAAAAA2/tags', { tags: [1] }, 400, 'INVALID_REQUEST'],
    [
      'a tag that cannot be stored',
      'PUT',
      '/AAAAAAA2/tags',
      { tags: ['a\u0000b'] },
      400,
      'EVENT_NOT_STORABLE',
    ],
    ['tags of what is no favourite', 'PUT', '/AAAAAAA1/tags', { tags: [] }, 404, 'FAVOURITE_NOT_FOUND'],
  ])('refuse %s', async (_, method, path, body, status, code) => {
    const account = newId();
    await call('POST', '', { account, body: { urlId: 'AAAAAAA2' } });
    const response = await call(method, path, { account, body });
    expect([response.status, await response.json()]).toMatchObject([status, { code }]);
  });

  it('refuse visitors', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['DELETE', '/AAAAAAA1'],
      ['PUT', '/AAAAAAA1/tags'],
    ] as const) {
      expect((await fetch(`${url}/api/member/favorites${path}`, { method })).status).toBe(401);
    }
  });
});
