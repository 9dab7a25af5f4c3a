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
import { strategyImported, strategyRevised, strategyWithdrawn } from './testing/strategy-events.ts';

const logger = createLogger('test', 'silent');
const types = { ...favouriteEvents, ...strategyEvents };
const alice = accountId(derivedId('alice'));
const bob = accountId(derivedId('bob'));
const paid = accountId(derivedId('paid'));

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
  app = await createTestApp({
    modules: [FavouritesModule],
    databases,
    store,
    config: { publicOrigin: 'https://tapedeck.example' },
    features: { [paid]: ['favourites', 'csvExport'] },
  });
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

  it('return with their tags to their place when a removal is taken back', async () => {
    const account = newId();
    const added: Response[] = [];
    for (const urlId of ['AAAAAAA1', 'AAAAAAA2', 'AAAAAAA3']) {
      added.push(await call('POST', '', { account, body: { urlId, tags: [urlId] } }));
    }
    const before = await listAfter(added.at(-1) as Response, account);
    const middle = before.find(({ urlId }) => urlId === 'AAAAAAA2');
    const removed = await call('DELETE', '/AAAAAAA2', { account });
    expect(await listAfter(removed, account)).toHaveLength(2);
    const { urlId, tags, addedAt } = middle ?? {};
    const restored = await call('POST', '', { account, body: { urlId, tags, addedAt } });
    expect([restored.status, await restored.json()]).toEqual([
      201,
      { urlId: 'AAAAAAA2', tags: ['AAAAAAA2'] },
    ]);
    const after = await listAfter(restored, account);
    expect(after.map((favourite) => ({ ...favourite, etag: '' }))).toEqual(
      before.map((favourite) => ({ ...favourite, etag: '' })),
    );
    expect(after.find((one) => one.urlId === 'AAAAAAA2')?.etag).not.toBe(middle?.etag);
  });

  it('can be restored though their strategy was withdrawn, which no other one can', async () => {
    const account = newId();
    const urlId = 'AAAAAAA9';
    await importAll(urlId);
    const added = await call('POST', '', { account, body: { urlId } });
    const [{ addedAt } = { addedAt: '' }] = await listAfter(added, account);
    const gone = await store.append(strategyStream(urlId), 1, [strategyWithdrawn(urlId)]);
    const position = gone.outcome === 'conflict' ? 0n : gone.position;
    expect(await waitForPosition(databases.tapedeck, 'favourite_strategies', position, 20_000)).toBe(true);
    const removed = await call('DELETE', `/${urlId}`, { account });
    expect(await listAfter(removed, account)).toEqual([]);
    expect((await call('POST', '', { account, body: { urlId } })).status).toBe(404);
    const restored = await call('POST', '', { account, body: { urlId, tags: ['x'], addedAt } });
    expect(await listAfter(restored, account)).toMatchObject([
      { urlId, tags: ['x'], addedAt, strategy: null },
    ]);
    const unknown = await call('POST', '', { account, body: { urlId: 'ZZZZZZZZ', addedAt } });
    expect(unknown.status).toBe(404);
  });

  it('are tagged together by one request', async () => {
    const account = newId();
    await call('POST', '', { account, body: { urlId: 'AAAAAAA1', tags: ['old'] } });
    await call('POST', '', { account, body: { urlId: 'AAAAAAA2' } });
    const body = { urlIds: ['AAAAAAA2', 'AAAAAAA1', 'AAAAAAA3', 'AAAAAAA2'], add: [' new'], remove: ['old'] };
    const tagged = await call('POST', '/tags', { account, body });
    expect([tagged.status, await tagged.json()]).toEqual([
      200,
      [
        { urlId: 'AAAAAAA2', tags: ['new'] },
        { urlId: 'AAAAAAA1', tags: ['new'] },
      ],
    ]);
    expect((await listAfter(tagged, account)).map(({ tags }) => tags)).toEqual([['new'], ['new']]);
    expect(await store.readStream(favouritesStream(accountId(account)))).toHaveLength(4);
  });

  it('say when their strategy was revised', async () => {
    const account = newId();
    const urlId = 'AAAAAAA8';
    await importAll(urlId);
    const added = await call('POST', '', { account, body: { urlId } });
    expect(await listAfter(added, account)).toMatchObject([{ strategy: { revised_at: null } }]);
    const result = await store.append(strategyStream(urlId), 1, [strategyRevised(urlId)]);
    const position = result.outcome === 'conflict' ? 0n : result.position;
    expect(await waitForPosition(databases.tapedeck, 'favourite_strategies', position, 20_000)).toBe(true);
    const revised = { title: 'Trend rider 2', revised_at: '2026-01-01T00:00:00.000Z' };
    expect(await listAfter(added, account)).toMatchObject([{ strategy: revised }]);
  });

  it('are exported as CSV, sorted and with any of the given tags, for paid members', async () => {
    const account = paid;
    for (const [urlId, ...tags] of [
      ['AAAAAAA1', '=1+1', 'a'],
      ['AAAAAAA2', 'b'],
      ['AAAAAAA3', 'c'],
    ] as const) {
      await call('POST', '', { account, body: { urlId, tags } });
    }
    const last = await call('POST', '', { account, body: { urlId: 'AAAAAAA4', tags: ['a'] } });
    const headers = { 'tape-position': last.headers.get('tape-position') ?? '' };
    const query = '/export.csv?tag=a&tag=c&sort_by=added_at&sort_order=asc';
    const file = await call('GET', query, { account, headers });
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(file.headers.get('content-disposition')).toMatch(
      /^attachment; filename="tapedeck-favorites-[\d-]{10}\.csv"$/,
    );
    const lines = (await file.text()).split('\r\n').map((line) => line.split(','));
    expect(lines.slice(1, -1).map(([title, , link]) => [title, link])).toEqual(
      ['AAAAAAA1', 'AAAAAAA3', 'AAAAAAA4'].map((id) => [
        'Trend rider',
        `https://tapedeck.example/strategy/${id}`,
      ]),
    );
    expect(lines[1]?.slice(3, 5)).toEqual([`"'=1+1`, ' a"']);
    const refused = await call('GET', '/export.csv', { account: alice });
    expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'FEATURE_NOT_INCLUDED' }]);
    expect((await call('GET', '/export.csv?sort_by=luck', { account })).status).toBe(400);
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
    ['no strategies to tag', 'POST', '/tags', { urlIds: [], add: ['x'] }, 400, 'INVALID_REQUEST'],
    ['a strategy to tag that is none', 'POST', '/tags', { urlIds: ['../x'] }, 400, 'INVALID_STRATEGY_ID'],
    [
      'a time before the product',
      'POST',
      '',
      { urlId: 'AAAAAAA1', addedAt: '0000-01-01T00:00:00Z' },
      400,
      'INVALID_REQUEST',
    ],
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
      ['POST', '/tags'],
      ['GET', '/export.csv'],
    ] as const) {
      expect((await fetch(`${url}/api/member/favorites${path}`, { method })).status).toBe(401);
    }
  });
});
