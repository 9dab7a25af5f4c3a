import { describe, it } from '@jest/globals';
import { paymentRoutes } from '@tapedeck/payments/contract';
import type { Locator, Page } from 'playwright-core';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { expectHidden, expectShown } from './explorer-screen.ts';
import {
  daysAfter,
  dialogOf,
  enterAt,
  membershipOf,
  moveClock,
  openAccount,
  openProMember,
  signInAs,
  tierOf,
} from './membership-screen.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment({ strategies: 50, expectedErrors: /net::ERR_FAILED/ });

const withdrawButton = (page: Page): Locator =>
  membershipOf(page).getByRole('button', { name: 'Withdraw from contract here' });
const confirmButton = (page: Page): Locator =>
  dialogOf(page).getByRole('button', { name: 'Confirm withdrawal' });

describe('the withdrawal from a contract', () => {
  it('is a button and a confirmation, by keyboard alone, and is acknowledged with date and time', async () => {
    const email = 'withdraws@buyers.example';
    const page = await openProMember(environment, email);
    await openAccount(page, 'Pro active');
    await expectShown(
      membershipOf(page).getByText(/^You can withdraw from the contract for Pro \(monthly\) of /),
    );
    await enterAt(page, withdrawButton(page));
    await expectShown(dialogOf(page).getByText(/\$4\.99 goes back to the card\. This cannot be undone\.$/));
    await expectShown(dialogOf(page).getByText(`to ${email}.`));
    await expectAccessibleEverywhere(page);

    await page.route(`**${paymentRoutes.withdraw}`, (route) => route.abort());
    await enterAt(page, confirmButton(page));
    await expectShown(dialogOf(page).getByRole('alert'));
    await page.unroute(`**${paymentRoutes.withdraw}`);
    await enterAt(page, confirmButton(page));
    await expectHidden(dialogOf(page));
    const acknowledgement = membershipOf(page).getByRole('status').filter({ hasText: 'withdrawal' });
    await expectShown(
      acknowledgement.getByText(/^We received your withdrawal on \w+ \d+, \d+, \d\d:\d\d:\d\d UTC\./),
    );
    await expectShown(acknowledgement.and(page.locator(':focus')));
    await expectHidden(withdrawButton(page));
    await expectShown(membershipOf(page).getByText('Your membership has ended.'));
    await expectShown(page.getByText(/^You have withdrawn from the contract: /));
    await expectAccessibleEverywhere(page);
  }, 120_000);

  it('is not offered any more after its time', async () => {
    const email = 'keeps@buyers.example';
    const page = await openProMember(environment, email);
    await openAccount(page, 'Pro active');
    await expectShown(withdrawButton(page));
    await moveClock(environment, daysAfter(new Date().toISOString(), 17));
    const later = await environment.openPage('visitor');
    await signInAs(later, email);
    await tierOf(later, 'Pro active');
    await expectShown(membershipOf(later).getByRole('button', { name: 'Cancel subscription' }));
    await expectHidden(withdrawButton(later));
  }, 120_000);
});
