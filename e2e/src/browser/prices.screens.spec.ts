import { describe, expect, it } from '@jest/globals';
import {
  AnnouncedPrices,
  Billing,
  paymentRoutes,
  priceRoutes,
  type PricePreview,
} from '@tapedeck/payments/contract';
import type { Page } from 'playwright-core';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { expectHidden, expectShown } from './explorer-screen.ts';
import {
  dialogOf,
  enterAt,
  membershipOf,
  openMember,
  openProMember,
  signInAs,
  tabTo,
} from './membership-screen.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment({
  strategies: 50,
  expectedErrors: /the server responded with a status of (?:409|503)/,
});

type Plan = AnnouncedPrices['plans'][number];
type Announcement = NonNullable<Plan['announcement']>;

const formerAmounts = [
  { amount: 799, currency: 'usd', subscriptions: 1 },
  { amount: 899, currency: 'usd', subscriptions: 1_200 },
];

/** Of the plan that the spec is about: Pro by the month. */
const withPlan = (prices: AnnouncedPrices, given: Partial<Plan>): AnnouncedPrices => ({
  ...prices,
  plans: prices.plans.map((plan) =>
    plan.tier === 'Pro' && plan.period === 'monthly' ? { ...plan, ...given } : plan,
  ),
});

const announcementFrom = (from: string): Announcement => ({
  announcementId: '2b1e6679-7425-40de-944b-e07fc1f90ae7',
  state: 'announced',
  amount: 999,
  currency: 'usd',
  from: `${from}T00:00:00.000Z`,
  announcedAt: '2027-01-10T09:00:00.000Z',
  announcedBy: 'admin@tapedeck.example',
  reason: 'The data costs more.',
  notified: 1,
  changed: 0,
  withdrawableUntil: `${from}T00:00:00.000Z`,
});

const openAsAdmin = async (): Promise<Page> => {
  const page = await environment.openPage('visitor');
  await signInAs(page, 'admin@tapedeck.example');
  return page;
};

const served = async (page: Page): Promise<AnnouncedPrices> =>
  AnnouncedPrices.parse(await (await page.request.get(priceRoutes.prices)).json());

describe('the page of prices', () => {
  it('says that there is nothing to announce, and that it could not be loaded', async () => {
    const page = await openAsAdmin();
    await page.goto('/admin/prices');
    await expectShown(page.getByText('All members pay the price at which their plan is sold'));
    await expectHidden(page.getByRole('button', { name: /^Announce/ }));
    await page.route(`**${priceRoutes.prices}`, (route) => route.fulfill({ status: 503, json: {} }));
    await page.reload();
    await expectShown(page.getByText('The prices could not be loaded. Nothing was changed.'));
    await page.unroute(`**${priceRoutes.prices}`);
    await expectShown(page.getByText('Pro, monthly'));
  }, 120_000);

  it('announces and withdraws a price, by keyboard alone', async () => {
    const page = await openAsAdmin();
    const prices = await served(page);
    const { earliestFrom: from } = prices;
    // The stand-in sells each plan at one price: members on a former one are made up.
    let plan: Partial<Plan> = { formerAmounts };
    const sent: unknown[] = [];
    await page.route(`**${priceRoutes.prices}**`, async (route) => {
      const request = route.request();
      const { pathname } = new URL(request.url());
      if (request.method() === 'GET') return route.fulfill({ json: withPlan(prices, plan) });
      const body = request.postDataJSON() as Readonly<Record<string, string>>;
      if (pathname === priceRoutes.preview) {
        const preview: PricePreview = {
          tier: 'Pro',
          period: 'monthly',
          amount: 999,
          currency: 'usd',
          from: `${body['from']}T00:00:00.000Z`,
          formerAmounts,
          noticeDays: 30,
          previewId: `shown-${sent.length}`,
          expiresAt: '2099-01-01T00:00:00.000Z',
        };
        return route.fulfill({ json: preview });
      }
      sent.push(body);
      if (sent.length === 1)
        return route.fulfill({
          status: 409,
          contentType: 'application/problem+json',
          json: { code: 'PREVIEW_CHANGED', detail: 'What you have seen has changed in the meantime.' },
        });
      plan =
        pathname === priceRoutes.prices
          ? { formerAmounts, announcement: announcementFrom(from) }
          : { formerAmounts };
      return route.fulfill({ status: 204 });
    });
    await page.goto('/admin/prices');
    await expectShown(page.getByText('1 subscription at $7.99, 1,200 subscriptions at $8.99.'));
    await expectAccessibleEverywhere(page);

    await enterAt(page, page.getByRole('button', { name: 'Announce the price of Pro, monthly' }));
    const dialog = dialogOf(page);
    await expectShown(dialog.getByText('$9.99 a month, first at the renewal on or after'));
    expect(await dialog.getByLabel('From').inputValue()).toBe(from);
    await tabTo(page, dialog.getByLabel('Reason'));
    await page.keyboard.type('The data costs more.');
    const announce = dialog.getByRole('button', { name: 'Announce to the members' });
    await enterAt(page, announce);
    await expectShown(dialog.getByText('What you have seen has changed in the meantime.'));
    await expectAccessibleEverywhere(page);
    await enterAt(page, dialog.getByRole('button', { name: 'Look at it again' }));
    await expectShown(dialog.getByLabel('Reason').and(page.locator(':focus')));
    await expectHidden(dialog.getByText('What you have seen has changed in the meantime.'));
    await expectShown(dialog.getByText('$9.99 a month, first at the renewal on or after'));
    await enterAt(page, announce);
    await expectHidden(dialog);
    await expectShown(page.getByText('1 subscription notified, none of them charged by now.'));
    expect(sent[1]).toEqual({ previewId: 'shown-1', reason: 'The data costs more.' });
    await expectHidden(page.getByRole('button', { name: 'Announce the price of Pro, monthly' }));

    await enterAt(page, page.getByRole('button', { name: 'Withdraw the announcement of Pro, monthly' }));
    await tabTo(page, dialog.getByLabel('Reason'));
    await page.keyboard.type('Not yet.');
    await enterAt(page, dialog.getByRole('button', { name: 'Withdraw' }));
    await expectShown(page.getByText('Members who were notified get an e-mail that says so.'));
    expect(sent[2]).toMatchObject({ tier: 'Pro', period: 'monthly', reason: 'Not yet.' });
    await expectShown(page.getByRole('button', { name: 'Announce the price of Pro, monthly' }));
  }, 120_000);

  it('is for admins', async () => {
    const member = await openMember(environment, 'no-admin@buyers.example');
    expect((await member.request.get(priceRoutes.prices)).status()).toBe(403);
  });
});

describe('the page of a member', () => {
  it('says what the plan costs now, and from when it costs something else', async () => {
    const page = await openProMember(environment, 'notified@buyers.example');
    const billing = Billing.parse(await (await page.request.get(paymentRoutes.billing)).json());
    const announcedPrice = { amount: 1_499, from: '2027-03-01T09:30:00.000Z' };
    const subscription = billing.subscription && { ...billing.subscription, announcedPrice };
    await page.route(`**${paymentRoutes.billing}`, (route) =>
      route.fulfill({ json: { ...billing, subscription } }),
    );
    await page.goto('/?section=my-account');
    await expectShown(
      membershipOf(page).getByText('Your plan costs $9.99 a month. From Mar 1, 2027 it costs $14.99.'),
    );
    await expectHidden(membershipOf(page).getByText('Your plan changes to'));
    await expectAccessibleEverywhere(page);
  }, 120_000);
});
