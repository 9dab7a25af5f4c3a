import 'reflect-metadata';
import { Controller, Module, Post } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Public, createHttpApp, HttpModule } from '@tapedeck/platform/http';
import type { EventStore } from '@tapedeck/eventing';
import { eventingMigrations } from '@tapedeck/eventing/migrations';
import { createPersonalDataKeys, createPostgresEventStore } from '@tapedeck/eventing/postgres';
import { fixedClock } from '@tapedeck/kernel';
import { mergeSettings, placeholdersOf, readSettings } from '@tapedeck/platform/config';
import { originsOf } from '@tapedeck/platform/exposure';
import { createLogger, type Logger } from '@tapedeck/platform/log';
import { migrate } from '@tapedeck/platform/migrations';
import { platformMigrations } from '@tapedeck/platform/tables';
import { platformSettings } from '@tapedeck/platform/settings';
import { raisedLimits, testDatabases, type TestDatabases } from '@tapedeck/platform/testing';
import { CLOCK, CONFIG, DATABASES, EVENT_STORE, LOGGER } from '@tapedeck/platform/tokens';
import { IdentityModule, registerIdentity } from '../api.ts';
import { identityEvents, sentMailEvents } from '../events.ts';
import { identityMigrations } from '../projections.ts';
import { identitySettings, type IdentityConfig } from '../settings.ts';

export const client = { id: 'tapedeck', secret: 's'.repeat(32) } as const;

const identityAndPlatform = mergeSettings({ platform: platformSettings, identity: identitySettings });

type PersonalDataKeys = ReturnType<typeof createPersonalDataKeys>;

export type TestApi = Readonly<{
  /** `http://localhost:…`. */
  origin: string;
  /** The same instance by its other loopback name. */
  alias: string;
  databases: TestDatabases;
  store: EventStore;
  keys: PersonalDataKeys;
  config: IdentityConfig;
  logger: Logger;
  clock: ReturnType<typeof fixedClock>;
  close: () => Promise<void>;
}>;

@Public()
@Controller('api/test')
class ChangeController {
  @Post()
  change(): string {
    return 'changed';
  }
}

@Module({})
class TestDependencies {}

/** The module in an HTTP server as `apps/api` creates it, with its own database and a fixed clock; `settings` are environment variables. */
export const startTestApi = async (
  port: number,
  issuer: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<TestApi> => {
  const databases = await testDatabases();
  await migrate(databases.pools, [...eventingMigrations, ...platformMigrations, ...identityMigrations]);
  const read = readSettings(identityAndPlatform, 'api', {
    ...placeholdersOf(identityAndPlatform),
    DATABASE_URL: databases.urls.tapedeck,
    PERSONAL_DATA_KEY: Buffer.alloc(32, 7).toString('base64'),
    SESSION_SECRET: 'x'.repeat(32),
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: client.id,
    OIDC_CLIENT_SECRET: client.secret,
    PORT: String(port),
    ...raisedLimits,
    ...settings,
  });
  const config = { ...read, ...originsOf(read) };
  const clock = fixedClock(Date.now());
  const keys = createPersonalDataKeys({ pool: databases.tapedeck, masterKey: config.PERSONAL_DATA_KEY });
  const types = { ...identityEvents, ...sentMailEvents };
  const store = createPostgresEventStore({ pool: databases.tapedeck, types, keys });
  const logger = createLogger('test', 'silent');
  const providers = [
    { provide: CONFIG, useValue: config },
    { provide: LOGGER, useValue: logger },
    { provide: CLOCK, useValue: clock },
    { provide: DATABASES, useValue: databases.pools },
    { provide: EVENT_STORE, useValue: store },
  ];
  const app = await createHttpApp({
    module: {
      module: TestDependencies,
      global: true,
      imports: [CqrsModule.forRoot(), HttpModule.global(), IdentityModule],
      controllers: [ChangeController],
      providers,
      exports: providers,
    },
    config,
    settings: identitySettings,
    clock,
    logger,
    prepare: (fastify) => registerIdentity(fastify, { config, databases: databases.pools, clock, logger }),
  });
  await app.listen(port, '127.0.0.1');
  return {
    origin: `http://localhost:${port}`,
    alias: `http://127.0.0.1:${port}`,
    databases,
    store,
    keys,
    config,
    logger,
    clock,
    close: async () => {
      await app.close();
      await store.close();
      await databases.drop();
    },
  };
};
