import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import type { Locator, Page } from 'playwright-core';
import { expectNoJson, failChanges, failWith, hasFocus, toastOf } from './error-screen.ts';
import { expectHidden, expectShown, openExplorer } from './explorer-screen.ts';
import { newAddress } from './favourites-screen.ts';
import { dialogOf, openMember } from './membership-screen.ts';
import { stopClock } from './specification/stopped-clock.ts';
import { expectShownInTime } from './stopped-time.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment({ product: 'shared', expectedErrors: /status of 500/ });
const account = '/?section=my-account';
let page: Page;
beforeEach(async () => {
  page = await openMember(environment, newAddress());
});

const button = (name: string): Locator => page.getByRole('button', { name, exact: true });

/** While the pointer is on it, a toast does not disappear by itself. */
const holdToast = async (title: string): Promise<Locator> => {
  const toast = toastOf(page).filter({ hasText: title });
  await toast.hover();
  return toast;
};

/** Presses the star of the first strategy, once that is not without effect: favorites are known, and nothing is under way. */
const pressStar = async (): Promise<void> => {
  const star = page.locator('.strategy-card').first().getByTitle('Add to favorites');
  await expectShown(star.and(page.locator('[aria-disabled=false]')));
  await star.press('Enter');
};

/** A toast, as the one at a time. */
const failStar = async (): Promise<Locator> => {
  await failChanges(page, '**/api/member/favorites');
  await pressStar();
  return holdToast('Failed to add strategy to favorites');
};

describe('a toast', () => {
  it.each([
    ['wide', 1_440],
    ['narrow', 390],
  ])('is above an open dialog and can be dismissed in it, on a %s screen', async (_size, width) => {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(account);
    await button('Update Profile').press('Enter');
    await dialogOf(page).getByLabel('TradingView Username').fill('');
    await dialogOf(page).getByRole('button', { name: 'Save' }).press('Enter');
    const toast = await holdToast('Missing information');
    expect(await toastOf(page).count()).toBe(1);
    expect(await dialogOf(page).locator('.toast').count()).toBe(1);
    // A click fails on what is covered or inert.
    await toast.getByRole('button', { name: 'Dismiss' }).click();
    await expectHidden(toast);
    await expectShown(dialogOf(page));
  });

  it('is announced inside of an open dialog, where everything else is inert', async () => {
    await page.clock.install();
    await page.goto(account);
    await button('Update Profile').press('Enter');
    await dialogOf(page).getByLabel('TradingView Username').fill('');
    // What is announced is in the page for a second.
    await stopClock(page);
    await dialogOf(page).getByRole('button', { name: 'Save' }).press('Enter');
    await expectShownInTime(
      page,
      dialogOf(page).locator('[role=status][aria-live=assertive]', { hasText: 'Missing information' }),
    );
    expect(await dialogOf(page).locator('.toast').count()).toBe(1);
  });

  it('stays when the dialog in which it has appeared is closed by what has succeeded', async () => {
    await page.goto(account);
    await button('Update Profile').press('Enter');
    await dialogOf(page).getByLabel('TradingView Username').fill('another');
    await dialogOf(page).getByRole('button', { name: 'Save' }).press('Enter');
    await expectHidden(dialogOf(page));
    await expectShown(toastOf(page).getByText('Profile updated'));
    expect(await page.locator('dialog .toast').count()).toBe(0);
  });

  it('shows what the server has not named as a sentence, with details on request', async () => {
    await openExplorer(page, 'sort_by=likes');
    const toast = await failStar();
    await expectNoJson(page);
    await toast.locator('summary').click();
    await expectShown(toast.getByText('Request: r-42'));
  });
});

describe('an error toast disappears', () => {
  it('when the field that it complains of is corrected', async () => {
    await page.goto(account);
    await button('Update Profile').press('Enter');
    const field = dialogOf(page).getByLabel('TradingView Username');
    await field.fill('');
    await dialogOf(page).getByRole('button', { name: 'Save' }).press('Enter');
    const toast = await holdToast('Missing information');
    expect(await hasFocus(field)).toBe(true);
    await page.keyboard.type('n');
    await expectHidden(toast);
    expect(await dialogOf(page).getByText('TradingView Username is required.').count()).toBe(0);
  });

  it('when its dialog is left', async () => {
    await page.goto(account);
    await button('Update Profile').press('Enter');
    await dialogOf(page).getByLabel('TradingView Username').fill('');
    await page.keyboard.press('Enter');
    const toast = await holdToast('Missing information');
    await dialogOf(page).getByRole('button', { name: 'Cancel' }).press('Enter');
    await expectHidden(toast);
  });

  it('when its page is left', async () => {
    await openExplorer(page, 'sort_by=likes');
    const toast = await failStar();
    await page.locator('.strategy-card h2 a').first().press('Enter');
    await page.waitForURL(/\/strategy\//);
    await expectHidden(toast);
  });

  it('not when the filters of its page change', async () => {
    await openExplorer(page, 'sort_by=likes');
    const toast = await failStar();
    await page.keyboard.press(']');
    await page.waitForURL(/page=2/);
    expect(await toast.count()).toBe(1);
  });

  it('when the same action succeeds', async () => {
    await openExplorer(page, 'sort_by=likes');
    const failed = await failStar();
    await page.unroute('**/api/member/favorites');
    await pressStar();
    await expectHidden(failed);
    await expectShown(toastOf(page).getByText('Added to favorites'));
    expect(await toastOf(page).count()).toBe(1);
  });
});

describe('the details of an error', () => {
  it('are copied by a button, and hidden until they are asked for', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.route('**/api/strategies/explore*', failWith(500));
    await page.goto('/strategies');
    await expectShown(page.getByText('Failed to fetch filtered strategies'));
    await expectNoJson(page);
    await page.getByText('Details', { exact: true }).press('Enter');
    await expectShown(page.locator('.error-details pre'));
    await button('Copy').press('Enter');
    await expectShown(button('Copied'));
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(await page.locator('.error-details pre').innerText());
    expect(copied).toContain('Request: r-42\n500: {"title":"Out of order"');
  });
});

describe('the focus', () => {
  it('returns from a dialog to the button that has opened it', async () => {
    await page.goto(account);
    for (const name of ['Update Profile', 'Security Settings', 'Delete Account']) {
      await button(name).press('Enter');
      await expectShown(dialogOf(page));
      await page.keyboard.press('Tab');
      await page.keyboard.press('Escape');
      await expectHidden(dialogOf(page));
      expect(await hasFocus(button(name))).toBe(true);
    }
  });

  it('returns from a dialog that a menu has opened to the button of the menu', async () => {
    await page.goto(account);
    const menu = page.getByRole('button', { name: /account menu$/ });
    await menu.press('Enter');
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).press('Enter');
    await expectShown(dialogOf(page));
    await page.keyboard.press('Escape');
    await expectHidden(dialogOf(page));
    await eventually(async () => expect(await hasFocus(menu)).toBe(true));
  });
});
