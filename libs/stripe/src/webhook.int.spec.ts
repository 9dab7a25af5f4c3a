import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { EventStore } from '@tapedeck/eventing';
import { eventingMigrations } from '@tapedeck/eventing/migrations';
import { createPersonalDataKeys, createPostgresEventStore } from '@tapedeck/eventing/postgres';
import { eventually } from '@tapedeck/eventing/testing';
import { fixedClock, newId } from '@tapedeck/kernel';
import { dailyCountMigrations, dailyCounts } from '@tapedeck/platform/daily-counts';
import { migrate } from '@tapedeck/platform/migrations';
import { createTestApp, testDatabases, type TestDatabases } from '@tapedeck/platform/testing';
import { Stripe } from 'stripe';
import { StripeModule } from './api.ts';
import { stripeEvents, stripeEventStream } from './domain/stripe-event.ts';
import { stripeSettings } from './settings.ts';

const nowMs = Date.parse('2027-03-14T12:00:00Z');
const clock = fixedClock(nowMs);
const secrets = ['whsec_new', 'whsec_old'];
let databases: TestDatabases;
let store: EventStore;
let app: NestFastifyApplication;
let url: string;

beforeAll(async () => {
  databases = await testDatabases();
  await migrate(databases.pools, [...eventingMigrations, ...dailyCountMigrations]);
  const keys = createPersonalDataKeys({ pool: databases.tapedeck, masterKey: randomBytes(32) });
  store = createPostgresEventStore({ url: databases.urls.tapedeck, types: stripeEvents, keys });
  const config = { STRIPE_WEBHOOK_SECRET: secrets };
  app = await createTestApp({
    modules: [StripeModule],
    databases,
    store,
    settings: stripeSettings,
    config,
    clock,
  });
  await app.listen(0, '127.0.0.1');
  url = `${await app.getUrl()}/api/stripe/webhook`;
});
afterAll(async () => {
  await app.close();
  await store.close();
  await databases.drop();
});

const newEventId = (): string => `evt_${newId().replaceAll('-', '')}`;

const bodyOf = (changes: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify(
    {
      id: newEventId(),
      object: 'event',
      type: 'invoice.paid',
      api_version: '2026-10-28.endive',
      created: nowMs / 1_000,
      livemode: false,
      data: {
        object: {
          id: 'in_1',
          object: 'invoice',
          customer: 'cus_1',
          customer_email: 'ada@example.com',
          parent: { subscription_details: { subscription: 'sub_1', metadata: {} } },
        },
      },
      ...changes,
    },
    null,
    2,
  );

const signatureOf = (payload: string, secret = 'whsec_new', ageSeconds = 0): string =>
  Stripe.webhooks.generateTestHeaderString({
    payload,
    secret,
    timestamp: nowMs / 1_000 - ageSeconds,
  });

const send = (body: string, signature?: string): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(signature === undefined ? {} : { 'stripe-signature': signature }),
    },
    body,
  });

const storedOf = (body: string): ReturnType<EventStore['readStream']> =>
  store.readStream(stripeEventStream((JSON.parse(body) as { id: string }).id));

describe('POST /api/stripe/webhook', () => {
  it('puts a signed event on the tape, byte for byte, before it answers', async () => {
    const body = bodyOf();
    const answer = await send(body, signatureOf(body));
    expect([answer.status, await answer.json()]).toEqual([200, { received: true }]);
    const [event, ...more] = await storedOf(body);
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      type: 'StripeEventReceived',
      data: {
        type: 'invoice.paid',
        objectId: 'in_1',
        invoiceId: 'in_1',
        customerId: 'cus_1',
        subscriptionId: 'sub_1',
        source: 'webhook',
        body,
      },
      metadata: { actorId: 'stripe', actorKind: 'stripe', occurredAt: '2027-03-14T12:00:00.000Z' },
    });
  });

  it('stores the body encrypted', async () => {
    const body = bodyOf();
    await send(body, signatureOf(body));
    const { rows } = await databases.tapedeck.query<{ data: object }>(
      'select data from tape_events where stream = $1',
      [stripeEventStream((JSON.parse(body) as { id: string }).id)],
    );
    expect(JSON.stringify(rows[0]?.data)).toContain('cus_1');
    expect(JSON.stringify(rows[0]?.data)).not.toContain('ada@example.com');
  });

  it('answers a repetition, also at the same time, and stores it once', async () => {
    const body = bodyOf();
    const sent = await Promise.all(Array.from({ length: 8 }, () => send(body, signatureOf(body))));
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await storedOf(body)).toHaveLength(1);
  });

  it('stores and answers an event of an unknown type, and one without an object', async () => {
    for (const changes of [
      { type: 'some.future.event' },
      { data: undefined },
      { data: { object: { object: 'radar.review', id: null } } },
    ]) {
      const body = bodyOf(changes);
      expect((await send(body, signatureOf(body))).status).toBe(200);
      expect(await storedOf(body)).toHaveLength(1);
    }
  });

  it.each([
    ['a signature of 299 seconds ago', 299, 200],
    ['a signature of 301 seconds ago', 301, 400],
    ['a signature of a clock that is an hour ahead', -3_600, 200],
  ])('answers %s with its status', async (_name, age, status) => {
    const body = bodyOf();
    expect((await send(body, signatureOf(body, 'whsec_new', age))).status).toBe(status);
    expect(await storedOf(body)).toHaveLength(status === 200 ? 1 : 0);
  });

  it('accepts both secrets while they are changed', async () => {
    for (const secret of secrets) {
      const body = bodyOf();
      expect((await send(body, signatureOf(body, secret))).status).toBe(200);
    }
  });

  it.each([
    ['without a signature', () => undefined],
    ['with an empty one', () => ''],
    ['of another secret', (body: string) => signatureOf(body, 'whsec_other')],
    ['of an empty secret', (body: string) => signatureOf(body, '')],
    ['of another body', (body: string) => signatureOf(`${body} `)],
    ['with the old scheme only', (body: string) => signatureOf(body).replace('v1=', 'v0=')],
  ])('refuses a webhook %s, and stores nothing', async (_name, signature) => {
    const body = bodyOf();
    const answer = await send(body, signature(body));
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 'WEBHOOK_SIGNATURE_INVALID' });
    expect(await storedOf(body)).toEqual([]);
  });

  it.each([
    ['of the live mode', { livemode: true }, 'WEBHOOK_OF_ANOTHER_ACCOUNT'],
    ['of a connected account', { account: 'acct_1' }, 'WEBHOOK_OF_ANOTHER_ACCOUNT'],
    ['without an id', { id: undefined }, 'WEBHOOK_NOT_AN_EVENT'],
    ['with an id that is no name', { id: 'evt_1/../x' }, 'WEBHOOK_NOT_AN_EVENT'],
  ])('refuses a signed event %s', async (_name, changes, code) => {
    const body = bodyOf(changes);
    const answer = await send(body, signatureOf(body));
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([400, code]);
  });

  it('reads nothing of a body whose signature is not that of its bytes, not even whether it is JSON', async () => {
    const codeOf = async (signature: string): Promise<unknown> =>
      ((await (await send('{', signature)).json()) as { code: string }).code;
    expect(await codeOf(signatureOf('{ '))).toBe('WEBHOOK_SIGNATURE_INVALID');
    expect(await codeOf(signatureOf('{'))).toBe('WEBHOOK_NOT_AN_EVENT');
  });

  it('refuses a body of more than 1 MiB', async () => {
    const body = bodyOf({ padding: 'x'.repeat(1_048_576) });
    expect((await send(body, signatureOf(body))).status).toBe(413);
  });

  it('counts those that are refused for their signature by day, and no others', async () => {
    clock.advance(86_400_000);
    const body = bodyOf();
    const other = bodyOf({ livemode: true });
    const signed = (text: string): string => signatureOf(text, 'whsec_new', -86_400);
    await Promise.all([send(body), send(body, 't=1'), send(other, signed(other)), send(body, signed(body))]);
    await eventually(async () => {
      const counts = await dailyCounts(databases.tapedeck, 'webhook-signature-invalid', '2027-03-15');
      expect([...counts]).toEqual([['2027-03-15', 2]]);
    });
  });
});
