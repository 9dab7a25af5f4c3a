import { describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { identityRoutes } from '@tapedeck/identity/contract';
import { paymentRoutes } from '@tapedeck/payments/contract';
import type { Page } from 'playwright-core';
import {
  expectInlineError,
  expectRecovers,
  failChanges,
  failWith,
  hasFocus,
  toastOf,
} from './error-screen.ts';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { expectHidden, expectShown, openExplorer } from './explorer-screen.ts';
import { newAddress, openWithFavourites, rows } from './favourites-screen.ts';
import { dialogOf, membershipOf, openMember, openProMember, signInAs } from './membership-screen.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment({ strategies: 60, expectedErrors: /status of (?:409|50\d)/ });

const account = '/?section=my-account';
const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).press('Enter');

describe('an error of a dialog', () => {
  it('is shown in Update Profile, which keeps what was typed', async () => {
    const page = await openMember(environment, newAddress());
    await page.goto(account);
    await press(page, 'Update Profile');
    await expectRecovers({
      page,
      match: `**${identityRoutes.completeProfile}`,
      typed: [['TradingView Username', 'typed_before']],
      action: 'Save',
      text: 'Failed to update the profile. Please try again.',
    });
    await expectShown(page.getByText('typed_before'));
  });

  it('is shown in Delete Account, in the words of the server and without details', async () => {
    const page = await openMember(environment, newAddress());
    await page.goto(account);
    await press(page, 'Delete Account');
    const dialog = dialogOf(page);
    const address = (await dialog.locator('label').innerText()).split(' ')[1] ?? '';
    await dialog.getByLabel(/^Type /).fill(address);
    await page.route(
      `**${identityRoutes.account}`,
      failWith(409, 'A payment is under way: try again later.'),
    );
    await page.keyboard.press('Enter');
    await expectShown(dialog.getByRole('alert').getByText('A payment is under way: try again later.'));
    await eventually(async () => expect(await hasFocus(dialog.getByLabel(/^Type /))).toBe(true));
    expect(await dialog.getByLabel(/^Type /).inputValue()).toBe(address);
    expect(await dialog.getByText('Details', { exact: true }).count()).toBe(0);
    expect(await toastOf(page).count()).toBe(0);
  });

  it('is shown in Security Settings, beside the sessions', async () => {
    const email = newAddress();
    await openMember(environment, email);
    const page = await environment.openPage('visitor');
    await signInAs(page, email);
    await press(page, 'Security Settings');
    const dialog = dialogOf(page);
    const end = dialog.getByRole('button', { name: 'Sign out all other browsers' });
    await failChanges(page, `**${identityRoutes.sessions}`);
    await end.press('Enter');
    const text = 'The other sessions could not be ended. Please try again.';
    await expectInlineError({ page, within: dialog, text, pressed: end });
    await page.unroute(`**${identityRoutes.sessions}`);
    await end.press('Enter');
    await expectShown(toastOf(page).getByText('All other browsers have to sign in again.'));
    expect(await dialog.getByRole('alert').count()).toBe(0);
  });

  it('is shown in Change plan and in Cancel subscription, the latter with a toast', async () => {
    const page = await openProMember(environment, newAddress());
    await page.goto(account);
    await membershipOf(page).getByRole('button', { name: 'Change plan' }).press('Enter');
    await dialogOf(page)
      .getByLabel(/^Elite, \$19\.99/)
      .check();
    const pay = dialogOf(page).getByRole('button', { name: /^Pay .* now$/ });
    await expectShown(pay);
    await failChanges(page, `**${paymentRoutes.change}`);
    await pay.press('Enter');
    const text = 'Failed to change the plan. Please try again.';
    await expectInlineError({ page, within: dialogOf(page), text, pressed: pay });
    expect(
      await dialogOf(page)
        .getByLabel(/^Elite, \$19\.99/)
        .isChecked(),
    ).toBe(true);
    await page.keyboard.press('Escape');
    await expectHidden(dialogOf(page));
    await membershipOf(page).getByRole('button', { name: 'Cancel subscription' }).press('Enter');
    await expectRecovers({
      page,
      match: `**${paymentRoutes.cancel}`,
      typed: [['What could be better?', 'More markets']],
      action: 'Cancel subscription',
      text: 'Failed to cancel subscription',
      toast: 'Cancellation Failed',
    });
    await expectShown(membershipOf(page).getByText('Your subscription is cancelled.'));
  }, 120_000);

  it('is shown in the dialog of saved searches, and the focus returns to what has failed', async () => {
    const { page } = environment;
    await openExplorer(page, 'symbol=btc');
    await press(page, 'Saved searches');
    const dialog = dialogOf(page);
    const save = dialog.getByRole('button', { name: 'Save this search' });
    await dialog.getByLabel('Name this search').fill('Errors');
    await failChanges(page, '**/api/member/searches**');
    await save.press('Enter');
    const notSaved = 'The search could not be saved. Try again in a moment.';
    await expectInlineError({ page, within: dialog, text: notSaved, pressed: save });
    expect(await dialog.getByLabel('Name this search').inputValue()).toBe('Errors');
    await page.unroute('**/api/member/searches**');
    await save.press('Enter');
    await expectHidden(dialog);
    await page.getByRole('button', { name: /^Saved searches/ }).press('Enter');
    await failChanges(page, '**/api/member/searches/**');
    const remove = dialog.getByRole('button', { name: 'Delete Errors' });
    await remove.press('Enter');
    const notDeleted = '“Errors” could not be deleted. Try again in a moment.';
    await expectInlineError({ page, within: dialog, text: notDeleted, pressed: remove });
    await page.unroute('**/api/member/searches/**');
    await remove.press('Enter');
    await expectShown(dialog.getByText('“Errors” was deleted.'));
  });

  it('is shown beside the tags of a favourite, with a toast', async () => {
    const { page } = await openWithFavourites(environment, 1);
    const row = rows(page).first();
    await failChanges(page, '**/api/member/favorites/*/tags');
    await row.getByTitle('Edit tags').click();
    await row.getByLabel('New tag').fill('kept');
    const save = row.getByRole('button', { name: 'Save' });
    await save.press('Enter');
    // First of all: it disappears by itself.
    await expectShown(toastOf(page));
    expect(await toastOf(page).locator('b').allTextContents()).toEqual(['Failed to update tags']);
    const text = 'The tags were not changed. Please try again.';
    await expectInlineError({ page, within: row, text, pressed: save });
    await expectAccessibleEverywhere(page);
    expect(await row.getByLabel('New tag').inputValue()).toBe('kept');
  }, 120_000);
});

describe('the e-mail dialog of the landing page', () => {
  const checkout = '**/api/create-elite-subscription-anonymous';

  it('keeps the address, and shows what has failed with the details and with a toast', async () => {
    const page = await environment.openPage('visitor');
    await page.goto('/#pricing');
    const plan = page.getByRole('button', { name: 'Elite: Pay $19.99/month' });
    await plan.press('Enter');
    const dialog = dialogOf(page);
    await dialog.getByLabel('E-mail address').fill('buyer@example.com');
    await failChanges(page, checkout);
    const submit = dialog.getByRole('button', { name: 'Pay $19.99/month' });
    await submit.press('Enter');
    await expectShown(toastOf(page));
    expect(await toastOf(page).locator('b').allTextContents()).toEqual(['Subscription Error']);
    await expectInlineError({ page, within: dialog, text: 'Failed to start subscription', pressed: submit });
    expect(await dialog.getByLabel('E-mail address').inputValue()).toBe('buyer@example.com');
    await expectAccessibleEverywhere(page);
    // The dialog is left, and with it what has failed.
    await dialog.getByRole('button', { name: 'Cancel' }).press('Enter');
    await expectHidden(toastOf(page));
    await eventually(async () => expect(await hasFocus(plan)).toBe(true));
  });
});
