import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { expectAccessibleEverywhere, expectAccessibleInThemes, setSize, sizes } from './expect-accessible.ts';
import {
  expectShown,
  expectTotal,
  explorationAfter,
  openExplorer,
  requestExploration,
  resultsLoaded,
} from './explorer-screen.ts';
import { openAccount, openProMember } from './membership-screen.ts';
import { setUpTestEnvironment } from './test-environment.ts';

// The tests answer requests with errors, which the browser logs.
const environment = setUpTestEnvironment({
  product: 'shared',
  expectedErrors: /status of 50[03]|ERR_FAILED/,
});
let page: Page;

beforeEach(() => {
  ({ page } = environment);
});

const explore = '**/api/strategies/explore*';
const failWith =
  (status: number) =>
  (route: Route): Promise<void> =>
    route.fulfill({
      status,
      json: { title: 'Unavailable', requestId: 'r-1' },
      headers: { 'retry-after': '60' },
    });

// Each size loads the page itself: it decides which parts are open.
describe.each(sizes)('the explorer at $width', (size) => {
  beforeEach(() => setSize(page, size));

  it('is accessible with all filters set', async () => {
    await openExplorer(
      page,
      'search=a&min_total_pandl_percent=-50&max_code_lines=900&symbol=b&pine_version=v5' +
        '&publication_date_start=2019-01-02&has_performance=true&scales=totalPandlPercent:log',
    );
    await expectAccessibleInThemes(page);
  });

  it('is accessible with the filter panel toggled', async () => {
    await openExplorer(page, 'search=a');
    const close = page.getByRole('button', { name: 'Close the filter panel' });
    const open = page.getByRole('button', { name: /^Filters/ });
    const [pressed, shown] = size.width > 960 ? [close, open] : [open, close];
    await pressed.click();
    await expectShown(shown);
    await expectAccessibleInThemes(page);
  });

  it('is accessible without results', async () => {
    await openExplorer(page, 'search=zzzz&symbol=qqqq&pine_version=v5');
    await expectShown(page.locator('.suggestions button'));
    await expectAccessibleInThemes(page);
  });

  it('is accessible while it loads', async () => {
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(explore, async (route) => {
      await released;
      await route.abort();
    });
    await page.goto('/strategies?search=loading');
    await expectShown(page.getByText('Loading strategies'));
    await expectAccessibleInThemes(page);
    await expectShown(page.getByText('Loading strategies'));
    release();
  });

  it.each([500, 503])('is accessible after an answer of %d', async (status) => {
    await page.route(explore, failWith(status));
    await page.goto('/strategies?search=failure');
    await expectShown(page.getByText('Failed to fetch filtered strategies'));
    await expectAccessibleInThemes(page);
  });

  it('is accessible on the page of a strategy', async () => {
    await openExplorer(page, 'sort_by=likes');
    await page.locator('.strategy-title a').first().click();
    await expectShown(page.getByRole('heading', { name: 'Strategy Description' }));
    await expectAccessibleInThemes(page);
  });
});

describe('membership and payments', () => {
  it('are accessible for a member, dialogs included', async () => {
    page = await openProMember(environment, `${randomUUID().slice(0, 8)}@buyers.example`);
    await page.goto('/');
    await expectShown(page.getByRole('heading', { name: 'Strategy Optimizer' }));
    await expectAccessibleEverywhere(page);
    await openAccount(page, 'Pro active');
    await expectShown(page.getByRole('button', { name: 'Change plan' }));
    await expectAccessibleEverywhere(page);
    for (const name of ['Cancel subscription', 'Security Settings', 'Delete Account', 'Update Profile']) {
      await page.getByRole('button', { name }).first().click();
      await expectShown(page.getByRole('dialog'));
      await expectAccessibleEverywhere(page);
      await page.keyboard.press('Escape');
    }
    await page.getByRole('button', { name: 'Change plan' }).click();
    await page.getByLabel('Elite, $19.99 a month').check();
    await expectShown(page.getByText('Credit for unused time'));
    await expectAccessibleEverywhere(page);
  }, 180_000);

  it('are accessible for a visitor', async () => {
    page = await environment.openPage('visitor');
    await page.goto('/#pricing');
    await page.locator('.choice label', { hasText: 'Annual' }).click();
    await expectAccessibleEverywhere(page);
    await page.getByRole('button', { name: 'Pro: Pay $74.99/year' }).click();
    await page.getByLabel('E-mail address').fill('not an address');
    await page.keyboard.press('Enter');
    await expectShown(page.getByRole('dialog').getByText('Please enter a valid email address'));
    await expectAccessibleEverywhere(page);
    await page.goto('/payment-success');
    await expectShown(page.getByRole('heading', { name: 'Payment Verification Failed' }));
    await expectAccessibleEverywhere(page);
  }, 120_000);
});

const narrow = '@media (max-width: 600px)';
/** A fault that only one theme or one size has: style, content, and what is reported. */
const faults = [
  [
    'a low contrast',
    'p { color: #000 } @media (prefers-color-scheme: dark) { p { color: #777; background: #666 } }',
    '',
    /dark, 1440 wide[^]*color-contrast: <p>/,
  ],
  [
    'a button without a name',
    `button { display: none } ${narrow} { button { display: block; width: 40px; height: 40px } }`,
    '<button></button>',
    /light, 390 wide[^]*button-name: <button>/,
  ],
  [
    'a link that is too small',
    `a { display: block; height: 40px } ${narrow} { a { width: 10px; height: 10px } }`,
    '<a href="#t">Title</a>',
    /light, 390 wide[^]*Title: 10 × 10/,
  ],
  ['a page wider than the window', `${narrow} { p { width: 800px } }`, '', /light, 390 wide[^]*\d+ in 390/],
  [
    'a text that is cut off',
    `${narrow} { p { width: 9px; overflow: hidden } }`,
    '',
    /P: Text[^]*light, 390 wide/,
  ],
] as const;

describe('the checks', () => {
  it.each(faults)('find %s in the one display that has it', async (_fault, style, content, report) => {
    await page.setContent(
      `<html lang="en"><title>T</title><style>${style}</style><main><h1 id="t">T</h1><p>Text</p>${content}</main></html>`,
    );
    await expect(expectAccessibleEverywhere(page)).rejects.toThrow(report);
  });
});

describe('the explorer by keyboard alone', () => {
  it('searches, takes a preset, sorts, turns the page and opens a strategy', async () => {
    await openExplorer(page, 'sort_order=asc');
    await expectTotal(page, 4_500);
    const focused = page.locator(':focus');
    await page.keyboard.press('/');
    await page.keyboard.type('rsi');
    await page.keyboard.press('Enter');
    await page.waitForURL(/search=rsi/);
    // The frame after the first key focuses the field once more.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    await page.keyboard.press('Tab');
    await expect(focused.textContent()).resolves.toContain('Low drawdown');
    await page.keyboard.press('Space');
    await page.waitForURL(/max_max_drawdown_percent=10/);
    // Nothing else is being asked for when the order changes.
    const filters = new URL(page.url()).searchParams.toString();
    await expectTotal(page, (await requestExploration(page, filters)).total);
    await page.getByLabel('Sort by').focus();
    const sorted = await explorationAfter(page, () => page.keyboard.press('End'));
    await page.waitForURL(/sort_by=views/);
    await page.keyboard.press('Tab');
    const turned = await explorationAfter(page, () => page.keyboard.press('Enter'));
    expect(turned.strategies[0]?.url_id).not.toBe(sorted.strategies[0]?.url_id);
    await explorationAfter(page, () => page.keyboard.press(']'));
    await page.waitForURL(/page=2/);
    await resultsLoaded(page);
    for (let presses = 0; presses < 12; presses++) {
      await page.keyboard.press('Tab');
      if (await focused.evaluate((element) => element.matches('.strategy-title a'))) break;
    }
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/strategy\//);
  });

  it('stays where it is when the window gets narrower and wider', async () => {
    await openExplorer(page);
    const search = page.getByRole('searchbox').first();
    await search.focus();
    const close = page.getByRole('button', { name: 'Close the filter panel' });
    await setSize(page, { width: 800, height: 900 });
    await close.waitFor({ state: 'hidden' });
    await setSize(page, { width: 1_440, height: 900 });
    await close.waitFor();
    expect(await close.evaluate((button) => button === document.activeElement)).toBe(false);
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
  });

  it('stays in the open filter panel of a narrow screen until Escape closes it', async () => {
    await setSize(page, sizes[1]);
    await openExplorer(page);
    const open = page.getByRole('button', { name: /^Filters/ });
    await open.focus();
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog', { name: 'Filters' });
    await expectShown(page.locator('[aria-label="Close the filter panel"]:focus'));
    const outside = page.locator(':focus:not(#filters *)');
    for (let presses = 0; presses < 60; presses++) {
      await page.keyboard.press(presses < 5 ? 'Shift+Tab' : 'Tab');
      expect(await outside.count()).toBe(0);
    }
    await panel.getByLabel('Symbol', { exact: true }).focus();
    await page.keyboard.press('Escape');
    await expectShown(open.and(page.locator(':focus')));
    await page.keyboard.press('Shift+Tab');
    expect(await page.locator('.topbar :focus, .results :focus').count()).toBe(1);
  });
});
