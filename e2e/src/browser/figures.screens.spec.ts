import { describe, expect, it } from '@jest/globals';
import { Figures, figuresRoutes } from '@tapedeck/figures/contract';
import type { Locator, Page } from 'playwright-core';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { expectHidden, expectShown } from './explorer-screen.ts';
import { buyByEmail, enterAt, openMember, openProMember, signInAs, tabTo } from './membership-screen.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment({
  strategies: 50,
  expectedErrors: /the server responded with a status of 503/,
});

const openAs = async (user: 'admin' | 'support'): Promise<Page> => {
  const page = await environment.openPage('visitor');
  await signInAs(page, `${user}@tapedeck.example`);
  await page.goto('/admin/figures');
  return page;
};

const card = (page: Page, name: string | RegExp): Locator => page.getByRole('region', { name, exact: true });

/** As before the first purchase: the product of the tests has members. */
const withoutMembers = (figures: Figures): Figures => {
  const zeros = figures.days.map(() => 0);
  const members = figures.members.map((plan) => ({ ...plan, active: zeros }));
  const sweep = { lastAt: null, isUnderWay: true, lastError: null };
  return {
    ...figures,
    members,
    revenue: [],
    joined: zeros,
    returned: zeros,
    churned: zeros,
    lastWebhookAt: null,
    sweep,
  };
};

describe('the page of figures', () => {
  it('says that there are no members yet, while it shows the connection to Stripe', async () => {
    const page = await environment.openPage('visitor');
    await signInAs(page, 'admin@tapedeck.example');
    const none = withoutMembers(Figures.parse(await (await page.request.get(figuresRoutes.figures)).json()));
    await page.route(`**${figuresRoutes.figures}`, (route) => route.fulfill({ json: none }));
    await page.goto('/admin/figures');
    await expectShown(
      page.getByText('No members yet. Members and revenue are shown from the first purchase on.'),
    );
    await expectShown(card(page, 'Connection to Stripe').getByText('none yet').first());
    await expectHidden(card(page, 'Active members'));
    await expectAccessibleEverywhere(page);
  }, 90_000);

  it('shows members, revenue and what is counted, by keyboard alone', async () => {
    await openProMember(environment, 'figures@buyers.example');
    const visitor = await environment.openPage('visitor');
    await buyByEmail(visitor, 'unclaimed@buyers.example');
    const page = await openAs('admin');
    const members = card(page, 'Active members');
    await expectShown(
      members.getByRole('img', { name: /^Pro monthly by day, [\w ,]+ to [\w ,]+: 2, at most 2\./ }),
    );
    await expectShown(card(page, 'Monthly recurring revenue, USD').getByText('$29.97').first());
    await tabTo(page, page.getByRole('radio', { name: '90 days' }));
    await page.keyboard.press('ArrowLeft');
    await page.waitForURL(/range=30/);
    const dayBefore = (days: number): string =>
      new Date(Date.now() - days * 86_400_000).toLocaleDateString('en-US', {
        month: 'short',
        day: 'numeric',
        year: 'numeric',
        timeZone: 'UTC',
      });
    const [first, today] = [dayBefore(29), dayBefore(0)];
    const month = members.getByRole('img', {
      name: new RegExp(`^Pro monthly by day, ${first} to ${today}:`),
    });
    await expectShown(month);
    expect(await month.locator('rect').count()).toBe(30);
    await enterAt(page, members.getByText('What is counted'));
    await expectShown(members.getByText(/^Accounts that a paid subscription gives access/));
    await enterAt(page, members.getByText('Table by day'));
    const table = members.getByRole('region', { name: 'Active members by day' });
    await expectShown(table.getByRole('row', { name: `${today} 2 0 1 0` }));
    await tabTo(page, table);
    await expectAccessibleEverywhere(page);
    await page.goto('/admin/figures?range=all');
    await expectShown(members.locator('svg').first());
    expect(await members.locator('svg').first().locator('rect').count()).toBeGreaterThan(390);
    await expectAccessibleEverywhere(page);
  }, 180_000);

  it('counts a refused webhook, and says when it could not be brought up to date', async () => {
    const page = await openAs('admin');
    const unsigned = { headers: { 'content-type': 'application/json' }, data: '{}' };
    expect((await page.request.post('/api/stripe/webhook', unsigned)).status()).toBe(400);
    const connection = card(page, 'Connection to Stripe');
    await expectShown(
      connection.getByRole('img', { name: /^Wrongly signed webhooks by day, .*: 1, at most 1\./ }),
    );
    await page.route(`**${figuresRoutes.figures}`, (route) => route.fulfill({ status: 503, body: '' }));
    await expectShown(page.getByText(/not updated since: the server does not answer\.$/));
    await page.unroute(`**${figuresRoutes.figures}`);
    await expectHidden(page.getByText(/not updated since/));
    await page.route(`**${figuresRoutes.figures}`, (route) => route.fulfill({ status: 503, body: '' }));
    await page.reload();
    await expectShown(page.getByText('The figures could not be loaded. Nothing was changed.'));
    await enterAt(page, page.getByRole('button', { name: 'Try again' }));
    await expectShown(page.getByText('The figures could not be loaded. Nothing was changed.'));
    await page.unroute(`**${figuresRoutes.figures}`);
    // After several failures it is tried again within a minute and a quarter.
    await connection.waitFor({ timeout: 90_000 });
  }, 240_000);

  it('is for admins', async () => {
    const page = await openAs('support');
    await expectShown(page.getByRole('heading', { name: 'This page is for admins' }));
    expect((await page.request.get(figuresRoutes.figures)).status()).toBe(403);
    const member = await openMember(environment, 'member@buyers.example');
    expect((await member.request.get(figuresRoutes.figures)).status()).toBe(403);
  }, 90_000);
});
