import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectShown } from './explorer-screen.ts';
import { newAddress } from './favourites-screen.ts';
import { dialogOf, openMember } from './membership-screen.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment({ product: 'shared', keepsPagesForBack: true });

/** Marks the document, so that it differs from one that was loaded again. */
const mark = (page: Page): Promise<void> =>
  page.evaluate(() => {
    document.body.dataset['mark'] = 'kept';
  });

const leaveForPayment = async (page: Page, act: () => Promise<unknown>): Promise<void> => {
  await mark(page);
  await act();
  await expectShown(page.getByRole('button', { name: 'Return without paying' }));
};

/** The browser shows the page as it was left, without loading it. */
const goBack = async (page: Page): Promise<void> => {
  await page.goBack({ waitUntil: 'commit' });
  expect(await page.locator('body').getAttribute('data-mark')).toBe('kept');
};

describe('a buyer who returns from the payment page with the Back button', () => {
  it('can choose a plan again as a visitor, with the address still in the dialog', async () => {
    const page = await environment.openPage('visitor');
    const email = newAddress();
    await page.goto('/#pricing');
    await page.getByRole('button', { name: /^Pro: Pay/ }).click();
    const dialog = dialogOf(page);
    await dialog.getByLabel('E-mail address').fill(email);
    const pay = dialog.getByRole('button', { name: /^Pay / });
    await leaveForPayment(page, () => pay.click());
    await goBack(page);
    await expectShown(pay.and(page.locator('[aria-disabled=false]')));
    expect(await dialog.getByLabel('E-mail address').inputValue()).toBe(email);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: /^Elite: Pay/ }).click();
    await expectShown(dialog.getByRole('button', { name: /^Pay / }));
  }, 120_000);

  it('can choose a plan again as a member', async () => {
    const page = await openMember(environment, newAddress());
    await page.goto('/landing#pricing');
    const elite = page.getByRole('button', { name: 'Elite: Pay $19.99/month' });
    // The browser may not keep a page that waits for answers.
    await expectShown(page.locator('[data-plan-of="Free"]').getByText('Your plan'));
    await leaveForPayment(page, () => elite.click());
    await goBack(page);
    await expectShown(elite.and(page.locator('[aria-disabled=false]')));
    await leaveForPayment(page, () => page.getByRole('button', { name: /^Pro: Pay/ }).click());
  }, 120_000);

  it('can upgrade again on the dashboard', async () => {
    const page = await openMember(environment, newAddress());
    await page.goto('/');
    const upgrade = page.getByRole('button', { name: 'Upgrade to Pro' });
    await expectShown(page.getByText(/^None yet\. A search that you save/));
    await leaveForPayment(page, () => upgrade.click());
    await goBack(page);
    await expectShown(upgrade.and(page.locator('[aria-disabled=false]')));
    await leaveForPayment(page, () => upgrade.click());
  }, 120_000);
});
