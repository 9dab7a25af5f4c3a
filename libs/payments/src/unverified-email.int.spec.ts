import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Global, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createMemoryEventStore } from '@tapedeck/eventing/memory';
import { newId } from '@tapedeck/kernel';
import { createTestApp, testClient, testDatabases, type TestDatabases } from '@tapedeck/platform/testing';
import { stripeSettings } from '@tapedeck/stripe/settings';
import { PaymentsModule } from './api.ts';
import { ACCESS_AFTER, paymentEvents } from './events.ts';
import { paymentsSettings } from './settings.ts';

const store = createMemoryEventStore({ types: paymentEvents });
/** The memberships are another module's. */
@Global()
@Module({
  providers: [{ provide: ACCESS_AFTER, useValue: () => Promise.reject(new Error('not asked here')) }],
  exports: [ACCESS_AFTER],
})
class NoMemberships {}

let databases: TestDatabases;
let app: NestFastifyApplication;
let url: string;
beforeAll(async () => {
  databases = await testDatabases();
  app = await createTestApp({
    modules: [NoMemberships, PaymentsModule],
    settings: { ...paymentsSettings, ...stripeSettings },
    databases,
    store,
    emails: {},
  });
  await app.listen(0, '127.0.0.1');
  url = await app.getUrl();
});
afterAll(async () => {
  await app.close();
  await databases.drop();
});

describe('an account whose address is not verified', () => {
  it.each([
    ['A3 claim a purchase', '/api/link-payment', {}],
    ['A3 claim a purchase by code', '/api/claims', { code: '123456' }],
    ['buy', '/api/create-pro-subscription', {}],
  ])('cannot %s', async (_name, path, body) => {
    const answer = await testClient(url, newId())('POST', path, { body });
    const { code } = (await answer.json()) as { code: string };
    expect([answer.status, code]).toEqual([403, 'EMAIL_NOT_VERIFIED']);
    expect(await store.head()).toBe(0n);
  });
});
