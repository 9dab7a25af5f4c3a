import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { EventStore } from '@tapedeck/eventing';
import { eventingMigrations } from '@tapedeck/eventing/migrations';
import { createPostgresEventStore } from '@tapedeck/eventing/postgres';
import { projectToEnd } from '@tapedeck/eventing/projections';
import { accountId, derivedId, systemClock } from '@tapedeck/kernel';
import { apiConfig } from '@tapedeck/platform/config';
import { createHttpApp, HttpModule } from '@tapedeck/platform/http';
import { createLogger } from '@tapedeck/platform/log';
import { migrate } from '@tapedeck/platform/migrations';
import { testDatabases, type TestDatabases } from '@tapedeck/platform/testing';
import { CLOCK, CONFIG, DATABASES, EVENT_STORE, LOGGER } from '@tapedeck/platform/tokens';
import { strategyEvents } from '@tapedeck/strategies/events';
import { ExplorerModule } from '../api.ts';
import { explorerMigrations, explorerProjections } from '../projections.ts';

export type TestGround = Readonly<{
  databases: TestDatabases;
  store: EventStore;
  /** Winds the read model on to the end of the tape. */
  project: () => Promise<void>;
  close: () => Promise<void>;
}>;

/** Two databases and a tape. */
export const testGround = async (): Promise<TestGround> => {
  const databases = await testDatabases();
  await migrate(databases, [...eventingMigrations, ...explorerMigrations]);
  const store = createPostgresEventStore({ pool: databases.tapedeck, types: strategyEvents });
  return {
    databases,
    store,
    project: () => projectToEnd({ store, projections: explorerProjections, databases }),
    close: async () => {
      await store.close();
      await databases.drop();
    },
  };
};

export type TestExplorer = Readonly<{
  url: string;
  /** As a signed-in member, unless told otherwise. */
  get: (path: string, headers?: Record<string, string>) => Promise<Response>;
  close: () => Promise<void>;
}>;

@Module({})
class Surroundings {}

const asMember = { 'x-test-member': 'yes' };

/** The room in an HTTP server as `apps/api` makes it, listening. */
export const startTestExplorer = async ({ databases, store }: TestGround): Promise<TestExplorer> => {
  const config = apiConfig({
    DATABASE_URL: databases.urls.tapedeck,
    CATALOGUE_DATABASE_URL: databases.urls.catalogue,
    PERSONAL_DATA_KEY: Buffer.alloc(32).toString('base64'),
    SESSION_SECRET: 'x'.repeat(32),
    OIDC_ISSUER: 'http://127.0.0.1:1',
    OIDC_CLIENT_ID: 'x',
    OIDC_CLIENT_SECRET: 'x',
  });
  const logger = createLogger('test', 'silent');
  const providers = [
    { provide: CONFIG, useValue: config },
    { provide: LOGGER, useValue: logger },
    { provide: CLOCK, useValue: systemClock },
    { provide: DATABASES, useValue: databases },
    { provide: EVENT_STORE, useValue: store },
  ];
  const app: NestFastifyApplication = await createHttpApp({
    module: {
      module: Surroundings,
      global: true,
      imports: [CqrsModule.forRoot(), HttpModule.global(), ExplorerModule],
      providers,
      exports: providers,
    },
    config,
    logger,
    prepare: async (fastify) => {
      fastify.addHook('onRequest', (request, _reply, done) => {
        if (request.headers['x-test-member'])
          request.account = { id: accountId(derivedId('member')), roles: [] };
        done();
      });
    },
  });
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  return {
    url,
    get: (path, headers = {}) => fetch(`${url}${path}`, { headers: { ...asMember, ...headers } }),
    close: () => app.close(),
  };
};
