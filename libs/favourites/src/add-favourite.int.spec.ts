import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { EventStore } from '@tapedeck/eventing';
import { eventingMigrations } from '@tapedeck/eventing/migrations';
import { createPersonalDataKeys, createPostgresEventStore } from '@tapedeck/eventing/postgres';
import { startProjector, waitForPosition } from '@tapedeck/eventing/projections';
import { accountId, newId } from '@tapedeck/kernel';
import { createLogger } from '@tapedeck/platform/log';
import { migrate } from '@tapedeck/platform/migrations';
import { createTestApp, testClient, testDatabases, type TestDatabases } from '@tapedeck/platform/testing';
import { strategyEvents, strategyStream } from '@tapedeck/strategies/events';
import { randomBytes } from 'node:crypto';
import { FavouritesModule } from './api.ts';
import { favouriteEvents, favouritesStream } from './domain/favourites.ts';
import { favouriteProjections } from './projections.ts';
import { strategyImported, strategyWithdrawn } from './testing/strategy-events.ts';

let databases: TestDatabases;
let store: EventStore;
let app: NestFastifyApplication;
let url: string;

beforeAll(async () => {
  databases = await testDatabases();
  await migrate(databases.pools, eventingMigrations);
  const keys = createPersonalDataKeys({ pool: databases.tapedeck, masterKey: randomBytes(32) });
  store = createPostgresEventStore({
    url: databases.urls.tapedeck,
    types: { ...favouriteEvents, ...strategyEvents },
    keys,
  });
  app = await createTestApp({ modules: [FavouritesModule], databases, store });
  await app.listen(0, '127.0.0.1');
  url = await app.getUrl();
});
afterAll(async () => {
  await app.close();
  await store.close();
  await databases.drop();
});

const star = (urlId: string, account: string = newId()): Promise<Response> =>
  testClient(url, account)('POST', '/api/member/favorites', { body: { urlId } });

/** Runs the projector until it has read the strategy, and stops it. */
const projectOnce = async (urlId: string): Promise<void> => {
  const logger = createLogger('test', 'silent');
  const projections = favouriteProjections;
  const projector = startProjector({ store, projections, databases: databases.pools, logger });
  const appended = await store.append(strategyStream(urlId), 'NO_STREAM', [strategyImported(urlId)]);
  const position = appended.outcome === 'appended' ? appended.position : 0n;
  expect(await waitForPosition(databases.tapedeck, 'favourite_strategies', position, 10_000)).toBe(true);
  await projector.stop();
};

describe('a strategy that the projector has not read', () => {
  it.each([
    ['before the projector has ever run', 'BBBBBBB1', false],
    ['while the projector is stopped', 'BBBBBBB2', true],
  ])('can be starred %s', async (_, urlId, hasRun) => {
    if (hasRun) await projectOnce('BBBBBBB0');
    await store.append(strategyStream(urlId), 'NO_STREAM', [strategyImported(urlId)]);
    const account = newId();
    const answer = await star(urlId, account);
    expect([answer.status, await answer.json()]).toEqual([201, { urlId, tags: [] }]);
    expect(await store.readStream(favouritesStream(accountId(account)))).toHaveLength(1);
  });

  it('cannot be starred once it was withdrawn, and can when it is imported again', async () => {
    const urlId = 'BBBBBBB3';
    const stream = strategyStream(urlId);
    await store.append(stream, 'NO_STREAM', [strategyImported(urlId), strategyWithdrawn(urlId)]);
    const refused = await star(urlId);
    expect([refused.status, await refused.json()]).toMatchObject([404, { code: 'STRATEGY_NOT_FOUND' }]);
    await store.append(stream, 2, [strategyImported(urlId)]);
    expect((await star(urlId)).status).toBe(201);
  });

  it('is unknown when it is not on the tape either', async () => {
    expect((await star('BBBBBBB9')).status).toBe(404);
  });
});
