import { describe, expect, it } from '@jest/globals';
import { queueRoutes, Queues } from '@tapedeck/payments/contract';
import { databaseUrl } from '@tapedeck/platform/testing';
import pg from 'pg';
import type { Locator, Page } from 'playwright-core';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { expectShown } from './explorer-screen.ts';
import {
  answerOf,
  daysAfter,
  enterAt,
  moveClock,
  openMember,
  openProMember,
  signInAs,
  tabTo,
  tierOf,
} from './membership-screen.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment({ strategies: 50 });

const control = async (path: string, body: object): Promise<void> => {
  const answer = await fetch(`${environment.sandbox}/_control/stripe${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
};

const openQueues = async (): Promise<Page> => {
  const page = await environment.openPage('visitor');
  await signInAs(page, 'support@tapedeck.example');
  await page.goto('/admin/queues');
  return page;
};

const queue = (page: Page, title: string): Locator => page.getByRole('region', { name: title });

const created = { charge: 'charge.succeeded', subscription: 'customer.subscription.created' } as const;

type Kind = keyof typeof created;

/** The id of the newest object of a kind, by the webhooks. */
const newest = async (kind: Kind): Promise<string | undefined> => {
  const client = new pg.Client({ connectionString: databaseUrl(environment.dataFolder, 'tapedeck') });
  await client.connect();
  const { rows } = await client.query<{ id: string }>(
    `select data ->> 'objectId' as id from tape_events
      where type = 'StripeEventReceived' and data ->> 'type' = $1 order by position desc limit 1`,
    [created[kind]],
  );
  await client.end();
  return rows[0]?.id;
};

/** The same, once the webhooks have reported another one than `known`: a membership may begin before they do. */
const next = (kind: Kind, known?: string): Promise<string> =>
  answerOf(async () => {
    const id = await newest(kind);
    return id === known ? undefined : id;
  }, `The webhook of the next ${kind}`);

const begin = async (page: Page, checkout: string, data?: object): Promise<string> => {
  const { origin } = new URL(page.url());
  const started = await page.request.post(checkout, { headers: { origin }, ...(data ? { data } : {}) });
  return ((await started.json()) as Readonly<{ checkoutUrl: string }>).checkoutUrl;
};

/** On the page of the stand-in, without a browser. */
const pay = async (page: Page, checkout: string, data?: object): Promise<void> => {
  await page.request.post(await begin(page, checkout, data), { form: { card: 'ok' } });
};

describe('the queues of payments', () => {
  it('are empty, and say so', async () => {
    const page = await openQueues();
    for (const text of [
      'No dispute is open.',
      'Stripe has refused nothing.',
      'Nothing is being returned.',
      'Every subscription has a price of ours.',
      'No member has two live subscriptions.',
      'Every purchase belongs to an account.',
      'In the last 24 hours Stripe and the tape agreed.',
    ])
      await expectShown(page.getByText(text));
  });

  it('show mismatches, disputes, two subscriptions and unclaimed purchases, and lead to what can be done', async () => {
    await openProMember(environment, 'drifts@buyers.example');
    const [charge, subscription] = [await next('charge'), await next('subscription')];
    await control('/events/lose', { count: 50 });
    await control('/subscriptions/status', { subscription, status: 'unpaid' });
    await control('/events/lose', { count: 0 });
    // Every subscription is compared once a day.
    await moveClock(environment, daysAfter(new Date().toISOString(), 1.01));

    await openProMember(environment, 'disputes@buyers.example');
    await control('/disputes', { charge: await next('charge', charge) });
    const twice = await openMember(environment, 'twice@buyers.example');
    const start = (plan: string): string => `/api/create-${plan}-subscription`;
    const lost = await begin(twice, start('pro'));
    await pay(twice, start('elite'));
    await tierOf(twice, 'Elite active');
    // As if Stripe had not expired the earlier session in time, and then refused to end what that leads to.
    const refusal = { kind: 'refuse', method: 'DELETE', path: '/v1/subscriptions', code: 'some_reason' };
    await control('/calls/fail', refusal);
    await control('/sessions/reopen', { id: lost.split('/').at(-1) });
    await twice.request.post(lost, { form: { card: 'ok' } });
    const visitor = await environment.openPage('visitor');
    await visitor.goto('/');
    await pay(visitor, `${start('pro')}-anonymous`, { email: 'mailed@buyers.example' });

    const page = await openQueues();
    await expectShown(queue(page, 'Disputes').getByRole('link', { name: 'disputes@buyers.example' }));
    await expectShown(queue(page, 'Disputes').getByText(/^\d+ d left$/));
    const lists = queue(page, 'Two subscriptions').getByRole('list', {
      name: 'Subscriptions of twice@buyers.example',
    });
    await expectShown(lists.getByText(/^Elite \(monthly\), \$19\.99$/));
    const returns = queue(page, 'Being returned').getByRole('listitem');
    await expectShown(returns.getByText('a second subscription'));
    await expectShown(queue(page, 'Unclaimed purchases').getByRole('link', { name: 'm•••@buyers.example' }));
    const mismatch = queue(page, 'Mismatches')
      .getByRole('listitem')
      .filter({ hasText: 'drifts@buyers.example' });
    await expectShown(mismatch.getByRole('row', { name: 'Status active unpaid' }));
    await expectShown(mismatch.getByText('recorded', { exact: true }));
    await expectAccessibleEverywhere(page);

    const refused = queue(page, 'Refused by Stripe').getByRole('listitem');
    await expectShown(refused.getByText('End of the subscription'));
    await enterAt(page, refused.getByRole('button', { name: 'Try again' }));
    await expectShown(page.getByRole('dialog'));
    await expectAccessibleEverywhere(page);
    await page.keyboard.type('The card was replaced.');
    await enterAt(page, page.getByRole('dialog').getByRole('button', { name: 'Try again' }));
    for (const text of [
      'Stripe has refused nothing.',
      'Nothing is being returned.',
      'No member has two live subscriptions.',
    ])
      await expectShown(page.getByText(text));
    await expectShown(page.locator('#refused:focus'));

    await tabTo(page, mismatch.getByRole('link', { name: 'Compare again' }));
    await page.keyboard.press('Enter');
    await expectShown(page.getByRole('heading', { name: 'New replay' }));
    expect(await page.getByRole('radio', { name: /^Read Stripe again/ }).isChecked()).toBe(true);
    await page.goBack();
    await queue(page, 'Disputes').getByRole('link', { name: 'disputes@buyers.example' }).click();
    await page.waitForURL('**/admin/members/*');
  }, 240_000);

  it('are for support and admins', async () => {
    const member = await openMember(environment, 'member@buyers.example');
    await member.goto('/admin/queues');
    await expectShown(member.getByRole('heading', { level: 1 }));
    expect((await member.request.get(queueRoutes.queues)).status()).toBe(403);
    const page = await openQueues();
    expect(Queues.parse(await (await page.request.get(queueRoutes.queues)).json()).disputes.count).toBe(1);
  }, 120_000);
});
