import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import type { Locator, Page } from 'playwright-core';
import { figures } from './catalogue-sql.ts';
import { expectShown, expectTotal, openExplorer, resultsLoaded, screenState } from './explorer-screen.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment({ product: 'shared' });
const catalogueSize = 4_500;
let page: Page;

beforeEach(() => {
  ({ page } = environment);
});

const countWhere = (condition: string): Promise<number> => environment.catalogue.countWhere(condition);
const addressOf = (): string => decodeURIComponent(new URL(page.url()).search);
const field = (name: string): Locator => page.getByLabel(name, { exact: true });
const everything =
  'search=rsi&min_total_pandl_percent=-50&max_max_drawdown_percent=90&min_profit_factor=0.5&max_sharpe_ratio=4' +
  '&min_likes=1&min_views=2&max_comments=90&max_code_lines=900&symbol=b&pine_version=v5' +
  '&publication_date_start=2019-01-02&publication_date_end=2026-10-01&backtesting_date_start=2010-01-01' +
  '&has_performance=true&has_enhanced=true&scales=totalPandlPercent:log,likes:linear&sort_by=likes&sort_order=asc&page=2';

describe('the address of the filters', () => {
  it('shows the same screen in another browser', async () => {
    await openExplorer(page, everything);
    expect(addressOf()).toBe(`?${everything}`);
    const expected = await screenState(page);
    expect(expected.titles.length).toBeGreaterThan(0);
    expect(expected.page).toBe('2');
    const other = await environment.openPage('member');
    await openExplorer(other, everything);
    expect(await screenState(other)).toEqual(expected);
    await other.reload();
    await resultsLoaded(other);
    expect(await screenState(other)).toEqual(expected);
  }, 120_000);

  it('is stored one second after a change and restored at the next visit', async () => {
    await openExplorer(page, 'symbol=btc&scales=likes:log');
    await page.waitForFunction(
      () => localStorage.getItem('tapedeck.explorer') === 'symbol=btc&scales=likes:log',
    );
    await page.evaluate(() => {
      const waited = new Promise<number>((resolve) => {
        let changed = 0;
        // Captured at the window: before the page itself handles the event and starts its timer.
        window.addEventListener('input', () => (changed = performance.now()), { capture: true });
        const { setItem } = Storage.prototype;
        Storage.prototype.setItem = function (this: Storage, key: string, value: string): void {
          setItem.call(this, key, value);
          if (value.includes('pine_version=v5')) resolve(performance.now() - changed);
        };
      });
      Object.assign(window, { waited });
    });
    await field('Pine Script version').fill('5');
    await field('Pine Script version').press('Enter');
    const waited = await page.evaluate(
      () => (window as unknown as { waited: Promise<number> }).waited, // The script above defines it.
    );
    expect(waited).toBeGreaterThan(990);
    await page.goto('/strategies');
    await page.waitForURL(/pine_version=v5/);
    expect(addressOf()).toBe('?symbol=btc&pine_version=v5&scales=likes:log');
    await eventually(async () => expect(await field('Scale of Likes').inputValue()).toBe('log'));
  });

  it('takes precedence over stored filters', async () => {
    await openExplorer(page, 'pine_version=v5');
    await page.waitForFunction(() => localStorage.getItem('tapedeck.explorer') === 'pine_version=v5');
    await openExplorer(page, 'symbol=eth');
    await expectTotal(page, await countWhere(`${figures.symbol} ilike 'eth%'`));
    await expect(field('Pine Script version').inputValue()).resolves.toBe('');
  });

  it('is empty after a reset, and nothing is stored', async () => {
    await openExplorer(page, everything);
    await page.waitForFunction(() => localStorage.getItem('tapedeck.explorer') !== null);
    await page.getByRole('button', { name: 'Reset' }).first().click();
    await expectTotal(page, catalogueSize);
    expect(addressOf()).toBe('');
    await page.waitForFunction(() => localStorage.getItem('tapedeck.explorer') === null);
    await page.reload();
    await expectTotal(page, catalogueSize);
    await expect(field('Symbol').inputValue()).resolves.toBe('');
    await expect(field('Sort by').inputValue()).resolves.toBe('total_pandl');
    expect(await page.locator('#filters [aria-pressed=true]').count()).toBe(0);
  });
});

describe('filter chips', () => {
  it('remove only their own filter and move the focus to the next chip', async () => {
    await openExplorer(
      page,
      'search=rsi&min_sharpe_ratio=1.5&publication_date_start=2024-03-14&has_performance=true',
    );
    const removeButtons = page.getByRole('button', { name: /^Remove filter/ });
    const names = await removeButtons.evaluateAll((buttons) =>
      buttons.map((button) => button.getAttribute('aria-label')),
    );
    expect(names).toEqual([
      'Remove filter Search “rsi”',
      'Remove filter Sharpe ≥ 1.5',
      'Remove filter Published since Mar 14, 2024',
      'Remove filter Has performance data',
    ]);
    await removeButtons.nth(1).click();
    await page.waitForURL((url) => !url.search.includes('sharpe'));
    expect(addressOf()).toBe('?search=rsi&publication_date_start=2024-03-14&has_performance=true');
    const focused = page.locator(':focus');
    await expect(focused.getAttribute('aria-label')).resolves.toBe(names[2]);
    for (const left of [2, 1, 0]) {
      // The focus follows the list: a key that is pressed before would be lost.
      await page.waitForFunction(() => document.activeElement?.closest('.chip--filter'));
      await focused.press('Enter');
      await page.waitForFunction((n) => document.querySelectorAll('.chip--filter').length === n, left);
    }
    await expect(focused.textContent()).resolves.toBe('Strategy Explorer');
    await expectTotal(page, catalogueSize);
  });
});

describe('an empty list', () => {
  const suggestions = (): Locator => page.locator('.suggestions button');
  it('suggests filters to remove, with the number of results that a click gives, the most first', async () => {
    const query =
      'search=macd&min_sharpe_ratio=4.5&symbol=BTC&pine_version=v4&publication_date_start=2018-01-01';
    await openExplorer(page, query);
    await expectShown(page.getByText('No strategies found.'));
    await expectShown(suggestions());
    const counts = (await page.locator('.suggestions .n').allTextContents()).map((text) =>
      Number.parseInt(text, 10),
    );
    expect(counts.length).toBeGreaterThan(1);
    expect(counts).toEqual(counts.toSorted((one, other) => other - one));
    for (const [index, count] of counts.entries()) {
      await openExplorer(page, query);
      await suggestions().nth(index).click();
      await expectTotal(page, count);
    }
  }, 120_000);

  it('suggests to remove two filters if one is not enough', async () => {
    await openExplorer(page, 'search=zzzz&symbol=qqqq&pine_version=v5');
    const expected = await countWhere('pine_version = 5');
    const suggestion = suggestions().first();
    await expectShown(suggestion);
    await expect(suggestion.textContent()).resolves.toBe(
      `Remove Search “zzzz” and Symbol qqqq: ${expected.toLocaleString('en')} results`,
    );
    await suggestion.click();
    await expectTotal(page, expected);
  });

  it('can always clear all filters', async () => {
    await openExplorer(page, 'search=zzzz&symbol=qqqq');
    await page.getByRole('button', { name: 'Clear all filters: 4,500 results' }).click();
    await expectTotal(page, catalogueSize);
  });
});
