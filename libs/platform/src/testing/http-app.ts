import 'reflect-metadata';
import { Module, type DynamicModule, type Provider, type Type } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { EventStore } from '@tapedeck/eventing';
import { createMemoryEventStore } from '@tapedeck/eventing/memory';
import type { FastifyRequest } from 'fastify';
import { accountId, DomainError, systemClock, type Clock } from '@tapedeck/kernel';
import { mergeSettings, placeholdersOf, readSettings, type Settings } from '../config.ts';
import { originsOf } from '../settings/exposure.ts';
import { platformSettings, type ApiConfig } from '../settings/platform-settings.ts';
import {
  createHttpApp,
  HttpModule,
  registerAdmission,
  registerDatabaseShares,
  limitsIn,
  registerRateLimits,
  type SessionOf,
} from '../http.ts';
import { createLogger } from '../log.ts';
import { limitSetting, type LimitOf } from '../http/rate-limits.ts';
import type { HttpTimeouts } from '../http/timeouts.ts';
import type { MemberFeatures, VerifiedEmail } from '../http/request-context.ts';
import { CLOCK, CONFIG, DATABASES, EVENT_STORE, LOGGER, MEMBER_FEATURES, VERIFIED_EMAIL } from '../tokens.ts';
import type { TestDatabases } from './databases.ts';
import { raisedLimits } from './raised-limits.ts';
import { TrustedAnswers } from './trusted-answers.ts';

/** A valid configuration of the platform and of the modules under test; without `urls` its database does not exist. */
export const testConfig = (urls?: TestDatabases['urls'], settings: Settings = {}): ApiConfig => {
  const all = mergeSettings({ platform: platformSettings, tested: settings });
  const read = readSettings(all, 'api', {
    ...placeholdersOf(all),
    ...(urls ? { DATABASE_URL: urls.tapedeck } : {}),
    ...raisedLimits,
  });
  return { ...read, ...originsOf(read) };
};

/** A test that gives no limit of a class meets none. */
const unlimited = { max: 1_000_000, windowMs: 1_000 };

/** The request header that signs in: its value is an account's id. */
export const asAccount = 'x-test-account';

/** The request header with the roles of this account, separated by commas. */
export const asRoles = 'x-test-roles';

export type TestAppOptions = Readonly<{
  modules: readonly (Type | DynamicModule)[];
  databases?: TestDatabases;
  store?: EventStore;
  clock?: Clock;
  /** Of the modules, where they read the configuration. */
  settings?: Settings;
  config?: Partial<ApiConfig> & Readonly<Record<string, unknown>>;
  /** Verified addresses by account id; other accounts have none. */
  emails?: Readonly<Record<string, string>>;
  /** What accounts may use, by account id; others use what is free by default. */
  features?: Readonly<Record<string, readonly string[]>>;
  timeouts?: HttpTimeouts;
}>;

const freeFeatures: readonly string[] = ['explorer', 'sourceCode', 'favourites'];

/** The request header with the time of the sign-in, by default now. */
export const asSignedInAt = 'x-test-signed-in-at';

@Module({})
class TestDependencies {}

/** Modules in an HTTP server as `apps/api` creates it; the header `asAccount` replaces the session. */
export const createTestApp = (options: TestAppOptions): Promise<NestFastifyApplication> => {
  const { settings = {} } = options;
  const config = { ...testConfig(options.databases?.urls, settings), ...options.config };
  const verifiedEmail: VerifiedEmail = async (account) => options.emails?.[account] ?? null;
  const memberFeatures: MemberFeatures = {
    has: ({ id }, feature) => (options.features?.[id] ?? freeFeatures).includes(feature),
    missing: (feature) =>
      new DomainError('forbidden', 'FEATURE_NOT_INCLUDED', `Your plan does not include ${feature}: upgrade.`),
  };
  const clock = options.clock ?? systemClock;
  const logger = createLogger('test', 'silent');
  const providers: Provider[] = [
    { provide: CONFIG, useValue: config },
    { provide: LOGGER, useValue: logger },
    { provide: CLOCK, useValue: clock },
    { provide: DATABASES, useValue: options.databases?.pools },
    { provide: EVENT_STORE, useValue: options.store ?? createMemoryEventStore({ types: {} }) },
    { provide: VERIFIED_EMAIL, useValue: verifiedEmail },
    { provide: MEMBER_FEATURES, useValue: memberFeatures },
  ];
  return createHttpApp({
    module: {
      module: TestDependencies,
      global: true,
      imports: [CqrsModule.forRoot(), HttpModule.global(), ...options.modules],
      providers: [...providers, { provide: APP_INTERCEPTOR, useClass: TrustedAnswers }],
      exports: providers,
    },
    config,
    settings,
    clock,
    logger,
    ...(options.timeouts ? { timeouts: options.timeouts } : {}),
    prepare: async (fastify) => {
      const sessionOf: SessionOf = (request) => {
        const id = request.headers[asAccount];
        return typeof id === 'string' ? id : undefined;
      };
      const signedInAt = ({ headers }: FastifyRequest): number =>
        Number(headers[asSignedInAt] ?? clock.now());
      const limits: Readonly<Record<string, unknown>> = config;
      const limitOf: LimitOf = (rateClass) =>
        limitSetting(rateClass) in limits ? limitsIn(config)(rateClass) : unlimited;
      await registerRateLimits(fastify, { limitOf, sessionOf });
      registerAdmission(fastify, sessionOf);
      registerDatabaseShares(fastify, sessionOf, config.DATABASE_REQUESTS_PER_CLIENT);
      fastify.addHook('onRequest', (request, _reply, done) => {
        const id = request.headers[asAccount];
        const roles = String(request.headers[asRoles] ?? '')
          .split(',')
          .filter((role) => role !== '');
        if (typeof id === 'string')
          request.account = {
            id: accountId(id),
            roles,
            session: { publicId: 'test', signedInAt: signedInAt(request) },
          };
        done();
      });
    },
  });
};

export type TestCall = Readonly<{ body?: unknown; account?: string; headers?: Record<string, string> }>;
export type TestClient = (method: string, path: string, call?: TestCall) => Promise<Response>;

/** Requests as a signed-in account, with a JSON body where one is given. */
export const testClient =
  (url: string, signedIn: string): TestClient =>
  (method, path, { body, account = signedIn, headers = {} } = {}) =>
    fetch(`${url}${path}`, {
      method,
      headers: {
        [asAccount]: account,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
