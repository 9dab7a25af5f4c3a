import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { membershipRoutes } from '@tapedeck/membership/contract';
import { paymentRoutes } from '@tapedeck/payments/contract';
import { expectAccessibleAsShown } from './expect-accessible.ts';
import { expectShown } from './explorer-screen.ts';
import {
  buyByEmail,
  cancelSubscription,
  dialogOf,
  membershipOf,
  openAccount,
  openProMember,
  register,
  undoCancellation,
} from './membership-screen.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment({ product: 'shared', reusesPage: true });
const newAddress = (): string => `${randomUUID().slice(0, 8)}@buyers.example`;

describe('a purchase by e-mail', () => {
  it('becomes the membership of the account that the buyer registers, and can be cancelled and resumed', async () => {
    const buyer = newAddress();
    const page = await environment.openPage('visitor');
    await buyByEmail(page, buyer);
    await expectAccessibleAsShown(page);
    await register(page, buyer);
    await expectAccessibleAsShown(page);
    await page.getByLabel('Discord Email').fill('buyer@discord.example');
    await page.getByLabel('TradingView Username').fill('firstbuyer');
    await page.getByRole('button', { name: 'Complete Profile' }).click();
    await page.waitForURL((url) => url.pathname === '/');

    await page.goto('/?section=my-account');
    await expectShown(membershipOf(page).getByText('Pro', { exact: true }));
    await expectShown(membershipOf(page).getByText('$9.99 a month'));
    expect(new URL(page.url()).search).toBe('');
    await cancelSubscription(page);
    await undoCancellation(page);
  }, 120_000);
});

describe('a member', () => {
  it('sees on an open page what another page has changed, and pays for an upgrade what its preview shows', async () => {
    const page = await openProMember(environment, newAddress());
    await openAccount(page, 'Pro active');
    await expectShown(membershipOf(page).getByText('Next Renewal'));
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const headers = { origin: new URL(page.url()).origin };
    expect((await page.request.post(paymentRoutes.cancel, { headers })).ok()).toBe(true);
    await expectShown(membershipOf(page).getByText('Your subscription is cancelled.'));
    expect((await page.request.post(paymentRoutes.resume, { headers })).ok()).toBe(true);
    await expectShown(membershipOf(page).getByText('Next Renewal'));
    // A change has a few events, which are reported at most five times a second.
    expect(asked.filter((path) => path === membershipRoutes.tier).length).toBeLessThan(12);

    await page.getByRole('button', { name: 'Change plan' }).click();
    await page.getByLabel('Elite, $19.99 a month').check();
    const amount = async (name: string): Promise<string> =>
      (await dialogOf(page).locator('.facts > div', { hasText: name }).locator('dd').textContent()) ?? '';
    expect(await amount('Credit for unused time')).toMatch(/\$4\.9\d/);
    const due = await amount('Due today');
    await dialogOf(page)
      .getByRole('button', { name: `Pay ${due} now` })
      .click();
    await expectShown(membershipOf(page).getByText('$19.99 a month'));
    await expectShown(membershipOf(page).locator('.tier-purple'));
    await expectShown(page.getByRole('region', { name: 'Payments' }).getByText(due, { exact: true }));
    await cancelSubscription(page);
    await expectShown(membershipOf(page).getByText('You keep Elite until'));
    await expectAccessibleAsShown(page);
    await undoCancellation(page);
    await cancelSubscription(page);
  }, 120_000);
});
