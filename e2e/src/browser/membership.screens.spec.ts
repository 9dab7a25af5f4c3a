import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { explorerRoutes } from '@tapedeck/explorer/contract';
import { identityRoutes } from '@tapedeck/identity/contract';
import type { Page } from 'playwright-core';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { expectHidden, expectShown } from './explorer-screen.ts';
import {
  buyByEmail,
  cancelSubscription,
  cards,
  chooseCard,
  claimByCode,
  claimCodeOf,
  daysAfter,
  enterAt,
  dialogOf,
  membershipOf,
  moveClock,
  openAccount,
  openMember,
  openProMember,
  payWith,
  register,
  signInAs,
  tabTo,
  tierOf,
} from './membership-screen.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment({ strategies: 50 });
const newAddress = (): string => `${randomUUID().slice(0, 8)}@buyers.example`;

describe('a purchase by e-mail', () => {
  it('is accessible from the payment to the profile form', async () => {
    const buyer = newAddress();
    const page = await environment.openPage('visitor');
    await buyByEmail(page, buyer);
    await expectAccessibleEverywhere(page);
    await register(page, buyer);
    await expectAccessibleEverywhere(page);
  }, 120_000);

  it('is bought, claimed by another account with a code, and cancelled by keyboard alone', async () => {
    const buyer = newAddress();
    const visitor = await environment.openPage('visitor');
    await visitor.goto('/#pricing');
    await enterAt(visitor, visitor.getByRole('button', { name: /^Pro: Pay/ }));
    await tabTo(visitor, visitor.getByLabel('E-mail address'));
    await visitor.keyboard.type(buyer);
    await visitor.keyboard.press('Enter');
    await enterAt(visitor, visitor.getByRole('button', { name: 'Pay $4.99', exact: true }));
    await expectShown(visitor.getByRole('heading', { name: 'Payment Successful!' }));

    const member = await openMember(environment, newAddress());
    await openAccount(member, 'Free none');
    await expectAccessibleEverywhere(member);
    await tabTo(member, member.getByLabel('E-mail address of the purchase'));
    await member.keyboard.press('Control+A');
    await member.keyboard.type(buyer);
    await member.keyboard.press('Enter');
    await expectShown(member.locator('#claim-code:focus'));
    await expectAccessibleEverywhere(member);
    await member.locator('#claim-code').focus();
    await member.keyboard.type(await claimCodeOf(environment, buyer));
    await member.keyboard.press('Enter');
    await expectShown(member.getByText('Pro is now part of this account.'));
    await enterAt(member, membershipOf(member).getByRole('button', { name: 'Cancel subscription' }));
    await enterAt(member, dialogOf(member).getByRole('button', { name: 'Cancel subscription' }));
    await expectShown(membershipOf(member).getByText('Your subscription is cancelled.'));
    const focused = membershipOf(member).locator('button:focus');
    await expectShown(focused.getByText('Undo the cancellation'));
    await member.keyboard.press('Enter');
    await expectShown(membershipOf(member).getByText('Next Renewal'));
    await expectShown(focused.getByText('Change plan'));
  }, 180_000);
});

describe('a member', () => {
  it('changes the plan, signs out another browser and deletes the account by keyboard alone', async () => {
    const email = newAddress();
    const page = await openProMember(environment, email);
    await openAccount(page, 'Pro active');
    await enterAt(page, membershipOf(page).getByRole('button', { name: 'Change plan' }));
    const dialog = dialogOf(page);
    await tabTo(page, dialog.getByLabel('Pro, $74.99 a year'));
    await page.keyboard.press('ArrowDown');
    await expectShown(
      dialog.getByLabel('Elite, $19.99 a month', { exact: true }).and(page.locator(':checked')),
    );
    await enterAt(page, dialog.getByRole('button', { name: /^Pay \$\d+\.\d\d now$/ }));
    await expectShown(membershipOf(page).getByText('$19.99 a month'));
    await expectHidden(dialog);

    const elsewhere = await environment.openPage('visitor');
    await signInAs(elsewhere, email);
    await elsewhere.close();
    await enterAt(page, page.getByRole('button', { name: 'Security Settings' }));
    await enterAt(page, dialog.getByRole('button', { name: /^Sign out (?!all)/ }));
    await expectShown(dialog.getByRole('heading', { name: 'Security Settings' }).and(page.locator(':focus')));
    await page.keyboard.press('Escape');

    await enterAt(page, page.getByRole('button', { name: 'Delete Account' }));
    await tabTo(page, dialog.getByLabel(`Type ${email} to confirm`));
    await page.keyboard.type(email);
    await enterAt(page, dialog.getByRole('button', { name: 'Delete Account' }));
    const done = page.getByRole('heading', { name: 'Your account is deleted' });
    await expectShown(done.and(page.locator(':focus')));
    await expectHidden(page.getByText(email));
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.evaluate(() => ['online', 'focus'].forEach((type) => window.dispatchEvent(new Event(type))));
    await expectAccessibleEverywhere(page);
    expect(asked).toEqual([]);
    await enterAt(page, page.getByRole('link', { name: 'Go to the start page' }));
    await expectShown(page.getByRole('link', { name: 'Login' }));
  }, 180_000);

  it('pays by the year what the price list shows', async () => {
    const page = await openMember(environment, newAddress());
    await page.goto('/landing#pricing');
    await page.locator('.choice label', { hasText: 'Annual' }).click();
    await expectAccessibleEverywhere(page);
    await page.getByRole('button', { name: 'Pro: Pay $74.99/year' }).click();
    await expectShown(page.getByText('$74.99 per year', { exact: true }));
    await expectAccessibleEverywhere(page);
    await payWith(page, cards.works);
    await expectShown(page.getByRole('heading', { name: 'Upgrade Complete!' }));
    await expectAccessibleEverywhere(page);
    await openAccount(page, 'Pro active');
    await expectShown(page.getByText('$74.99 a year'));
    await expectAccessibleEverywhere(page);
    await expectShown(page.getByRole('region', { name: 'Payments' }).getByText('$74.99', { exact: true }));
    await cancelSubscription(page);
    await expectHidden(dialogOf(page));
    await expectAccessibleEverywhere(page);
  }, 180_000);
});

/** A member whose first renewal has failed one and a half days ago. */
const openInGrace = async (): Promise<Readonly<{ page: Page; email: string; renewal: string | null }>> => {
  const email = newAddress();
  const page = await openProMember(environment, email, cards.failsAtRenewal);
  const { renewalDate: renewal } = await tierOf(page, 'Pro active');
  await moveClock(environment, daysAfter(renewal, 1.5));
  await signInAs(page, email);
  await openAccount(page, 'Pro grace');
  return { page, email, renewal };
};

describe('a renewal that the card refuses', () => {
  it('is paid from the dashboard by the page of the invoice, where another person has paid before', async () => {
    const [buyer, email] = [newAddress(), newAddress()];
    await buyByEmail(await environment.openPage('visitor'), buyer, cards.failsAtRenewal);
    const page = await openMember(environment, email);
    await claimByCode(environment, page, buyer);
    const { renewalDate } = await tierOf(page, 'Pro active');
    await moveClock(environment, daysAfter(renewalDate, 1.5));
    await signInAs(page, email);
    await tierOf(page, 'Pro grace');
    await page.goto('/');
    await membershipOf(page).getByRole('button', { name: 'Pay the invoice' }).click();
    await expectShown(page.getByRole('button', { name: 'Pay $9.99' }));
  }, 180_000);

  it('tells support what could not be charged, and what the member reads', async () => {
    const { page } = await openInGrace();
    const { id } = (await (await page.request.get(identityRoutes.user)).json()) as Readonly<{ id: string }>;
    const support = await environment.openPage('visitor');
    await signInAs(support, 'support@tapedeck.example');
    await support.goto(`/admin/members/${id}`);
    const money = support.getByRole('region', { name: 'Money' });
    await expectShown(money.getByText('A payment of $9.99 has failed'));
    await expectShown(money.getByText(/code: generic_decline\. The member reads: The card was declined\./));
    await expectAccessibleEverywhere(support);
  }, 180_000);

  it('shows how long access stays and one way to pay, and all is well with another card', async () => {
    const { page } = await openInGrace();
    await expectShown(
      membershipOf(page).getByText(/We try again on \w+ \d+, \d+; access until \w+ \d+, \d+\./),
    );
    await expectShown(
      membershipOf(page).getByText('The last payment did not go through: the card was declined.'),
    );
    await expectShown(membershipOf(page).getByText('13 days', { exact: true }));
    const primary = membershipOf(page).locator('.btn--primary');
    // Billing may be answered later than the tier.
    await expectShown(primary);
    await expectAccessibleEverywhere(page);
    expect(await primary.allTextContents()).toEqual(['Fix the payment']);
    await primary.click();
    await expectShown(page.getByRole('button', { name: 'Use this card' }));
    await expectAccessibleEverywhere(page);
    await chooseCard(page, cards.works);
    await page.getByRole('button', { name: 'Use this card' }).click();
    await page.getByRole('link', { name: 'Return to Tapedeck' }).click();
    await expectShown(membershipOf(page).getByText('Next Renewal'));
    await expectHidden(membershipOf(page).getByText('The last payment did not go through'));
    await expectShown(membershipOf(page).getByRole('button', { name: 'Change plan' }));
    expect(await page.locator('.btn--primary', { hasText: 'Fix the payment' }).count()).toBe(0);
  }, 180_000);

  it('ends the access when the grace is over, says why, and closes what is for paid members', async () => {
    const { page, email, renewal } = await openInGrace();
    await moveClock(environment, daysAfter(renewal, 16));
    await signInAs(page, email);
    await openAccount(page, 'Free ended');
    await expectShown(membershipOf(page).getByText('Your membership has ended.'));
    await expectShown(membershipOf(page).getByRole('link', { name: 'Choose a plan' }));
    await expectAccessibleEverywhere(page);
    const lines = page.getByRole('region', { name: 'History' }).locator('li > span');
    await eventually(async () => {
      const texts = await lines.allTextContents();
      const withoutDates = texts.map((text) => text.replace(/[A-Z]\w\w \d.*/, '…'));
      expect(withoutDates[0]).toBe('The subscription has ended because it was not paid');
      expect(withoutDates).toContain('A payment failed: access continues until …');
      expect(withoutDates).toContain('A payment failed, and it is not tried again');
    });
    const right = page.waitForResponse(`**${explorerRoutes.exportRight}`);
    await page.goto('/strategies');
    await (await right).finished();
    // Until the page has decoded it: before, it asks the server for the file.
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    await page.getByRole('button', { name: 'Export CSV' }).click();
    await expectShown(dialogOf(page).getByText('CSV export is for paid members'));
    expect((await page.request.get('/api/strategies/export.csv')).status()).toBe(403);
  }, 180_000);
});
