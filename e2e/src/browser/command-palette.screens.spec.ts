import { describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import type { Locator, Page } from 'playwright-core';
import { hasFocus } from './error-screen.ts';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { expectHidden, expectShown } from './explorer-screen.ts';
import { signInAs } from './membership-screen.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment({ strategies: 50 });

const openAs = async (email: string, path: string): Promise<Page> => {
  const page = await environment.openPage('visitor');
  await signInAs(page, email);
  await page.goto(path);
  return page;
};
const field = (page: Page): Locator => page.getByRole('combobox', { name: 'Pages, actions and members' });
const option = (page: Page, name: string | RegExp): Locator => page.getByRole('option', { name });
const active = (page: Page): Locator => page.locator('[role=option][aria-selected=true]');
const open = async (page: Page): Promise<void> => {
  await page.keyboard.press('Control+k');
  await expectShown(field(page));
};

describe('the command palette', () => {
  it('leads an admin to every page by the keyboard alone', async () => {
    const page = await openAs('admin@tapedeck.example', '/admin/sql');
    await expectShown(page.getByRole('textbox', { name: 'SQL' }));
    await page.getByRole('textbox', { name: 'SQL' }).focus();
    await open(page);
    await expectShown(option(page, 'Execute the statement'));
    await expectAccessibleEverywhere(page);
    await page.keyboard.type('strat up');
    expect(await active(page).textContent()).toBe('Strategy Upload');
    expect(await field(page).getAttribute('aria-activedescendant')).toBe(
      await active(page).getAttribute('id'),
    );
    await page.keyboard.press('Enter');
    await page.waitForURL('**/admin/upload');
    await expectHidden(field(page));
    await open(page);
    await page.keyboard.press('ArrowUp');
    await expectShown(active(page).getByText('Logout'));
    await page.keyboard.type('xyz');
    await expectShown(page.getByText('Nothing matches “xyz”.'));
    await page.keyboard.press('Control+k');
    await expectHidden(field(page));
  }, 120_000);

  it('finds members for support, lists the keys of the page, and offers no page of admins', async () => {
    const page = await openAs('support@tapedeck.example', '/admin/queues');
    await page.getByRole('button', { name: 'Commands' }).press('Enter');
    await expectShown(option(page, 'Members'));
    expect(await option(page, 'SQL Console').count()).toBe(0);
    await page.keyboard.type('elite@tape');
    await expectShown(option(page, /^elite@tapedeck\.example/));
    await expectAccessibleEverywhere(page);
    // What was found for the first letters may have been replaced meanwhile.
    await expectShown(active(page).filter({ hasText: 'elite@tapedeck.example' }));
    await page.keyboard.press('Enter');
    await expectShown(page.getByRole('heading', { level: 1, name: 'elite@tapedeck.example' }));
    await open(page);
    await expectShown(option(page, 'Next event').getByText('j', { exact: true }));
    await page.keyboard.type('note');
    await page.keyboard.press('Enter');
    await expectHidden(field(page));
    await expectShown(page.getByLabel('New note'));
    await eventually(async () => expect(await hasFocus(page.getByLabel('New note'))).toBe(true));
  }, 120_000);

  it('offers members their own pages and actions, and visitors nothing', async () => {
    const { page } = environment;
    await page.goto('/?section=my-account');
    await expectShown(page.getByRole('button', { name: 'Security Settings' }));
    await open(page);
    await expectShown(option(page, 'Strategy Explorer'));
    for (const name of ['Members', 'SQL Console', 'Projections'])
      expect(await option(page, name).count()).toBe(0);
    await page.keyboard.type('theme');
    await page.keyboard.press('Enter');
    await page.locator('html[data-theme]').waitFor();
    await open(page);
    await page.keyboard.type('security');
    await page.keyboard.press('Enter');
    const sessions = page.getByRole('dialog', { name: 'Security Settings' });
    await expectShown(sessions.getByText(/^Signed in .* from this computer/).first());
    await expectAccessibleEverywhere(page);
    await page.keyboard.press('Escape');
    const visitor = await environment.openPage('visitor');
    await visitor.goto('/');
    await expectShown(visitor.getByRole('heading', { level: 1 }));
    await visitor.keyboard.press('Control+k');
    expect(await field(visitor).count()).toBe(0);
  }, 60_000);
});
