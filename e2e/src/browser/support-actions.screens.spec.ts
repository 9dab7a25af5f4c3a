import { describe, expect, it } from '@jest/globals';
import { auditRoutes, FoundMembers } from '@tapedeck/audit/contract';
import { identityRoutes } from '@tapedeck/identity/contract';
import { MemberMoney, moneyRoutes, type WantedAction } from '@tapedeck/payments/contract';
import type { Locator, Page } from 'playwright-core';
import { failWith } from './error-screen.ts';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { expectHidden, expectShown } from './explorer-screen.ts';
import { newAddress } from './favourites-screen.ts';
import {
  answerOf,
  buyByEmail,
  dialogOf,
  enterAt,
  openMember,
  openProMember,
  signInAs,
  tabTo,
  tierOf,
} from './membership-screen.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment({
  strategies: 50,
  // Between the prices of Pro and of Elite.
  env: { APPROVAL_ABOVE_AMOUNT: '1500' },
  expectedErrors: /status of (?:409|500)/,
});

const accountIdOf = async (member: Page): Promise<string> =>
  ((await (await member.request.get(identityRoutes.user)).json()) as Readonly<{ id: string }>).id;

const openStaff = async (role: 'support' | 'admin'): Promise<Page> => {
  const page = await environment.openPage('visitor');
  await signInAs(page, `${role}@tapedeck.example`);
  return page;
};

const moneyOf = (page: Page): Locator => page.getByRole('region', { name: 'Money' });

const openMoney = async (page: Page, accountId: string): Promise<Locator> => {
  await page.goto(`/admin/members/${accountId}`);
  const money = moneyOf(page);
  await expectShown(money.getByRole('heading', { level: 3 }));
  return money;
};

/** A new member who has bought Pro for 4.99. */
const subscriber = async (): Promise<Readonly<{ member: Page; email: string; accountId: string }>> => {
  const email = newAddress();
  const member = await openProMember(environment, email);
  await tierOf(member, 'Pro active');
  return { member, email, accountId: await accountIdOf(member) };
};

/** Writes the reason and confirms, by the keyboard. */
const confirm = async (page: Page, button: RegExp | string): Promise<void> => {
  const dialog = dialogOf(page);
  await tabTo(page, dialog.getByLabel('Reason'));
  await page.keyboard.type('The member has asked for it.');
  const action = dialog.getByRole('button', { name: button });
  // Tab leads to it once what it does is computed.
  await expectShown(action.and(page.locator(':enabled')));
  await enterAt(page, action);
};

const typeOver = async (page: Page, field: Locator, text: string): Promise<void> => {
  await tabTo(page, field);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(text);
};

describe('the money of a member, by the keyboard alone,', () => {
  it('is refunded in part, which stands on the timeline with its reason', async () => {
    const { accountId } = await subscriber();
    const page = await openStaff('support');
    const money = await openMoney(page, accountId);
    await expectAccessibleEverywhere(page);
    const refund = money.getByRole('button', { name: /^Refund the payment of \$4\.99/ });
    await enterAt(page, refund);
    const dialog = dialogOf(page);
    await typeOver(page, dialog.getByLabel('Amount (USD)'), '9');
    await expectShown(dialog.getByText('Enter an amount up to $4.99'));
    expect(await dialog.getByRole('button', { name: 'Refund', exact: true }).isDisabled()).toBe(true);
    await typeOver(page, dialog.getByLabel('Amount (USD)'), '1,50');
    await expectShown(dialog.getByText('Write decimals with a point, such as 1.50.'));
    expect(await dialog.getByRole('button', { name: 'Refund', exact: true }).isDisabled()).toBe(true);
    await typeOver(page, dialog.getByLabel('Amount (USD)'), '2.00');
    await expectShown(dialog.getByText('goes on'));
    await expectShown(dialog.getByText(/^stays Pro until /));
    await expectAccessibleEverywhere(page);
    await confirm(page, 'Refund $2.00');
    await expectHidden(dialog);
    await expectShown(money.getByText('$2.00 refunded'));
    expect(await refund.evaluate((button) => button === document.activeElement)).toBe(true);
    const events = page.getByRole('list', { name: 'Events, the newest first' });
    const taken = events.getByRole('listitem').filter({ hasText: 'MoneyActionTaken' });
    await expectShown(taken.getByText('The member has asked for it.'));
    await expectShown(taken.getByText(/^Support: refund \$2\.00 of invoice/));
  }, 180_000);

  it('ends with the period, is resumed, and ends at once with what is chosen', async () => {
    const { member, accountId } = await subscriber();
    const page = await openStaff('support');
    const money = await openMoney(page, accountId);
    await enterAt(page, money.getByRole('button', { name: 'End with the period' }));
    await expectShown(dialogOf(page).getByText(/^ends on /));
    const dialog = dialogOf(page);
    await confirm(page, 'End with the period');
    await expectHidden(dialog);
    await enterAt(page, money.getByRole('button', { name: 'Resume' }));
    await confirm(page, 'Resume');
    await expectHidden(dialog);
    await enterAt(page, money.getByRole('button', { name: 'End now' }));
    await expectShown(dialog.getByText('ends at once'));
    await tabTo(page, dialog.getByLabel('The unused share of the period'));
    await page.keyboard.press('ArrowDown');
    await expectShown(dialog.getByRole('button', { name: 'End now and refund $4.99' }));
    await expectShown(dialog.getByText(/, then Free$/));
    await expectAccessibleEverywhere(page);
    await confirm(page, 'End now and refund $4.99');
    await expectShown(money.getByText('$4.99 refunded'));
    await expectShown(money.getByText('ended', { exact: true }));
    await expectShown(page.locator('#money-title:focus'));
    // The membership follows the payment later than the answer to the action.
    const now = page.getByRole('region', { name: 'Membership now' });
    await expectShown(now.getByRole('row', { name: 'Status ended' }));
    const events = page.getByRole('list', { name: 'Events, the newest first' });
    await expectShown(events.getByRole('button', { name: 'MembershipEnded' }));
    await tierOf(member, 'Free ended');
  }, 180_000);

  it('is transferred to another member, and a purchase without an owner is attached', async () => {
    const { member, accountId } = await subscriber();
    const email = newAddress();
    const other = await openMember(environment, email);
    const page = await openStaff('support');
    const money = await openMoney(page, accountId);
    await enterAt(page, money.getByRole('button', { name: 'Transfer' }));
    const dialog = dialogOf(page);
    const isSearch = ({ pathname }: URL): boolean => pathname === auditRoutes.find;
    await page.route(isSearch, failWith(500));
    await tabTo(page, dialog.getByRole('searchbox'));
    await page.keyboard.type(email);
    await page.keyboard.press('Enter');
    await expectShown(dialog.getByText('The search has failed. Nothing was changed.'));
    await page.unroute(isSearch);
    await page.keyboard.press('Enter');
    const choice = dialog.getByRole('button', { name: new RegExp(`^${email}`) });
    await enterAt(page, choice);
    await page.locator(':focus').getByText('Choose another member').waitFor();
    await page.keyboard.press('Enter');
    await dialog.locator('[type=search]:focus').waitFor();
    await page.keyboard.type(email);
    await page.keyboard.press('Enter');
    await enterAt(page, choice);
    await expectShown(dialog.getByText(`Access of ${email}`));
    await expectShown(dialog.getByText(/4242: it goes on being charged, and the new owner does not see it$/));
    await expectAccessibleEverywhere(page);
    await confirm(page, 'Transfer');
    await expectShown(money.getByText('This member owns no subscription.'));
    await tierOf(other, 'Pro active');
    await tierOf(member, 'Free ended');

    const visitor = await environment.openPage('visitor');
    const buyer = newAddress();
    await buyByEmail(visitor, buyer);
    await answerOf(async () => {
      const answer = await page.request.get(`${auditRoutes.find}?q=${encodeURIComponent(buyer)}`);
      return FoundMembers.parse(await answer.json()).purchases[0];
    }, 'The purchase');
    // As if a hundred others were newer.
    await page.route(`**${moneyRoutes.money(accountId)}`, async (route) => {
      if (route.request().method() !== 'GET') return route.fallback();
      const response = await route.fetch();
      const shown = MemberMoney.parse(await response.json());
      const unclaimed = shown.unclaimed.map((one) => ({ ...one, subscriptionId: 'sub_other' }));
      await route.fulfill({ response, json: { ...shown, unclaimed } });
    });
    await page.reload();
    await enterAt(page, money.getByRole('button', { name: 'Attach a purchase' }));
    await tabTo(page, dialogOf(page).getByRole('searchbox'));
    await page.keyboard.type(buyer);
    await page.keyboard.press('Enter');
    await enterAt(page, dialogOf(page).getByRole('button', { name: new RegExp(`^${buyer}`) }));
    await expectShown(dialogOf(page).getByRole('radio', { checked: true, name: new RegExp(buyer) }));
    await expectShown(dialogOf(page).getByText(/^Free, then Pro until /));
    await expectAccessibleEverywhere(page);
    await confirm(page, 'Attach');
    await expectShown(money.getByText('active', { exact: true }));
    await tierOf(member, 'Pro active');
    // The section asks again and again: what is under way must not be cut off.
    await page.unrouteAll({ behavior: 'wait' });
  }, 180_000);

  it('above the limit waits in the queues for another admin', async () => {
    const email = newAddress();
    const member = await openMember(environment, email);
    const { origin } = new URL(member.url());
    const begun = await member.request.post('/api/create-elite-subscription', { headers: { origin } });
    const { checkoutUrl } = (await begun.json()) as Readonly<{ checkoutUrl: string }>;
    await member.request.post(checkoutUrl, { form: { card: 'ok' } });
    await tierOf(member, 'Elite active');
    const support = await openStaff('support');
    const money = await openMoney(support, await accountIdOf(member));
    await enterAt(support, money.getByRole('button', { name: /^Refund the payment/ }));
    await expectShown(dialogOf(support).getByText(/^This is above \$15\.00/));
    await confirm(support, 'Propose: refund $19.99');
    await expectShown(money.getByRole('button', { name: 'Withdraw' }));

    const admin = await openStaff('admin');
    await admin.goto('/admin/queues');
    const queue = admin.getByRole('region', { name: 'Waiting for approval' });
    await expectShown(queue.getByText('Refund of $19.99'));
    await expectAccessibleEverywhere(admin);
    await enterAt(admin, queue.getByRole('button', { name: 'Approve' }));
    await expectShown(dialogOf(admin).getByText(/^Proposed by support@tapedeck\.example/));
    await expectAccessibleEverywhere(admin);
    await confirm(admin, 'Refund $19.99');
    await expectShown(queue.getByText('No action waits for approval.'));
    await tierOf(member, 'Free ended');
  }, 180_000);
});

describe('an action that was shown', () => {
  it('is not done when it has changed, keeps what was typed, and can be computed again', async () => {
    const { accountId } = await subscriber();
    const page = await openStaff('support');
    const money = await openMoney(page, accountId);
    await enterAt(page, money.getByRole('button', { name: 'End now' }));
    const dialog = dialogOf(page);
    await expectShown(dialog.getByText('ends at once'));
    const { origin } = new URL(page.url());
    const headers = { origin };
    const shown = MemberMoney.parse(await (await page.request.get(moneyRoutes.money(accountId))).json());
    const [subscription] = shown.subscriptions;
    const action: WantedAction = {
      kind: 'refund',
      invoiceId: subscription?.payments[0]?.invoiceId ?? '',
      amount: 300,
    };
    const preview = await page.request.post(moneyRoutes.preview(accountId), {
      headers,
      data: { subscriptionId: subscription?.subscriptionId, action },
    });
    const { previewId } = (await preview.json()) as Readonly<{ previewId: string }>;
    const data = { previewId, reason: 'Meanwhile.' };
    await page.request.post(moneyRoutes.confirm(accountId), { headers, data });

    await confirm(page, /^End now/);
    await expectShown(dialog.getByText(/^What you have seen has changed in the meantime/));
    await expectAccessibleEverywhere(page);
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('The member has asked for it.');
    await enterAt(page, dialog.getByRole('button', { name: 'Compute it again' }));
    await expectShown(dialog.getByLabel('Reason').and(page.locator(':focus')));
    await enterAt(page, dialog.getByRole('button', { name: 'End now and refund $1.99' }));
    await expectShown(money.getByText('$4.99 refunded'));
  }, 180_000);

  it('says so when it could not be computed, or the section not be loaded', async () => {
    const { accountId } = await subscriber();
    const page = await openStaff('support');
    const money = await openMoney(page, accountId);
    await page.route(`**${moneyRoutes.preview(accountId)}`, (route) => route.fulfill({ status: 500 }));
    await enterAt(page, money.getByRole('button', { name: 'End with the period' }));
    const dialog = dialogOf(page);
    await expectShown(dialog.getByText('What it does could not be computed. Nothing was changed.'));
    await page.unroute(`**${moneyRoutes.preview(accountId)}`);
    await enterAt(page, dialog.getByRole('button', { name: 'Compute it again' }));
    await expectShown(dialog.getByText(/^ends on /));
    await page.keyboard.press('Escape');
    await page.route(`**${moneyRoutes.money(accountId)}`, (route) => route.fulfill({ status: 500 }));
    await page.reload();
    await expectShown(page.getByText('What was paid could not be loaded. Nothing was changed.'));
    await expectAccessibleEverywhere(page);
  }, 180_000);
});
