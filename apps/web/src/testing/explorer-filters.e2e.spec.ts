import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { figures } from './catalogue-sql.ts';
import {
  expectAborted,
  expectHidden,
  expectShown,
  expectTotal,
  holdRequests,
  openExplorer,
  resultsLoaded,
  screenState,
} from './explorer-screen.ts';
import { filterCases, presetCases } from './filter-cases.ts';
import { setUpTestEnvironment } from './test-environment.ts';

// The server answers reversed ranges with 400.
const environment = setUpTestEnvironment({ product: 'shared', expectedErrors: /status of 400/ });
const catalogueSize = 4_500;
let page: Page;

beforeEach(() => {
  ({ page } = environment);
});

const countWhere = (condition: string): Promise<number> => environment.catalogue.countWhere(condition);
const addressOf = (): string => decodeURIComponent(new URL(page.url()).search);
const field = (name: string): Locator => page.getByLabel(name, { exact: true });
const type = async (name: string, text: string): Promise<void> => {
  await field(name).fill(text);
  await field(name).press('Enter');
};
const chip = (name: string): Locator => page.getByRole('button', { name: new RegExp(`^${name}\\b`) });

/** Names the case in which the screen shows another total than SQL counts. */
const expectTotalOf = async (name: string, total: number): Promise<void> =>
  expectTotal(page, total).catch((cause: unknown) => {
    throw new Error(`${name}: the screen does not show ${total} results.`, { cause });
  });

describe('the filter panel', () => {
  // One page for all cases: to load it takes longer than to set a filter.
  it('gives for each filter the total that SQL counts, and all strategies after each reset', async () => {
    await openExplorer(page);
    for (const { name, types, checks, condition } of filterCases) {
      for (const [label, text] of Object.entries(types ?? {})) await type(label, text);
      if (checks) await page.getByLabel(checks).check();
      const expected = await countWhere(condition);
      expect([name, expected > 0, expected < catalogueSize]).toEqual([name, true, true]);
      await expectTotalOf(name, expected);
      await page.getByRole('button', { name: 'Reset' }).first().click();
      await expectTotalOf(`reset of ${name}`, catalogueSize);
    }
  });
});

describe('invalid filters', () => {
  it('explain how to write a version and keep the last valid one', async () => {
    await openExplorer(page);
    const version = field('Pine Script version');
    await version.fill('4');
    const expected = await countWhere('pine_version = 4');
    await expectTotal(page, expected);
    await version.fill('four');
    await expectShown(page.getByText('Write one version, such as v5 or 5; v4 still applies'));
    await expect(version.getAttribute('aria-invalid')).resolves.toBe('true');
    await expectTotal(page, expected);
    expect(addressOf()).toBe('?pine_version=v4');
    await version.fill('');
    await expectTotal(page, catalogueSize);
  });

  it('explain reversed days that are typed, and are not applied', async () => {
    await openExplorer(page);
    await field('Published from').fill('2024-03-14');
    const expected = await countWhere(`publication_date >= '2024-03-14'`);
    await expectTotal(page, expected);
    await field('Published to').fill('2023-01-01');
    await expectShown(page.getByText('The first day is after the last'));
    expect(addressOf()).toBe('?publication_date_start=2024-03-14');
    await field('Published to').fill('2024-12-31');
    await expectHidden(page.getByText('The first day is after the last'));
    await expectTotal(page, await countWhere(`publication_date between '2024-03-14' and '2024-12-31'`));
  });

  it('are kept and explained if an address has a reversed range', async () => {
    await openExplorer(page, 'min_likes=100&max_likes=10&symbol=btc');
    await expectShown(page.getByText('Failed to fetch filtered strategies'));
    await expectShown(
      page.getByText('min_likes (100) is above max_likes (10): swap them, or leave one out.', {
        exact: true,
      }),
    );
    await expectShown(page.getByText('The minimum is above the maximum'));
    expect(await field('Likes from').inputValue()).toBe('100');
    expect(await field('Likes to').inputValue()).toBe('10');
    expect(addressOf()).toBe('?min_likes=100&max_likes=10&symbol=btc');
    await type('Likes from', '5');
    await expectHidden(page.getByText('The minimum is above the maximum'));
    await expectTotal(page, await countWhere(`likes between 5 and 10 and ${figures.symbol} ilike 'btc%'`));
  });

  it('are kept and explained if an address has reversed days', async () => {
    await openExplorer(page, 'publication_date_start=2025-01-02&publication_date_end=2025-01-01');
    await expectShown(page.getByText(/^publication_date_start \(2025-01-02\) is above/));
    await expectShown(page.getByText('The first day is after the last'));
    expect(await field('Published from').inputValue()).toBe('2025-01-02');
    await field('Published to').fill('2025-03-01');
    await expectTotal(page, await countWhere(`publication_date between '2025-01-02' and '2025-03-01'`));
  });

  it('are ignored in an address if they are malformed', async () => {
    await openExplorer(
      page,
      'min_likes=many&page=-3&pine_version=x&scales=likes:cubic&publication_date_end=soon&z=1&symbol=btc',
    );
    await expectTotal(page, await countWhere(`${figures.symbol} ilike 'btc%'`));
    await expect(field('Symbol').inputValue()).resolves.toBe('btc');
  });
});

describe('indicator chips', () => {
  it('show how many strategies they find, and set the search', async () => {
    await openExplorer(page);
    await type('Pine Script version', 'v4');
    await expectTotal(page, await countWhere('pine_version = 4'));
    const macd = chip('MACD');
    const expected = await countWhere(`pine_version = 4 and ${figures.matches('macd')}`);
    await macd.filter({ hasText: String(expected) }).click();
    await expectTotal(page, expected);
    const search = field('Search strategies');
    await expect(search.inputValue()).resolves.toBe('MACD');
    await expect(macd.getAttribute('aria-pressed')).resolves.toBe('true');
    await search.fill('MACD x');
    await expect(macd.getAttribute('aria-pressed')).resolves.toBe('false');
    await search.fill('macd');
    await expect(macd.getAttribute('aria-pressed')).resolves.toBe('true');
    await macd.click();
    await expect(search.inputValue()).resolves.toBe('');
    await expectTotal(page, await countWhere('pine_version = 4'));
  });

  it('are counted only while a group is open, and groups stay open or closed after a reload', async () => {
    await openExplorer(page, 'pine_version=v4');
    for (const group of ['Trend', 'Momentum']) await page.locator('summary', { hasText: group }).click();
    await page.reload();
    await expectShown(page.locator('summary', { hasText: 'Volume' }));
    const counts: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('indicator-totals')) counts.push(request.url());
    });
    await type('Symbol', 'btc');
    await expectTotal(page, await countWhere(`pine_version = 4 and ${figures.symbol} ilike 'btc%'`));
    expect(counts).toEqual([]);
    await page.locator('summary', { hasText: 'Volume' }).click();
    await expectShown(chip('VWAP').locator('.n'));
    expect(counts).toHaveLength(1);
  });

  it('abort a count when the filters change', async () => {
    await openExplorer(page);
    const release = await holdRequests(page, /indicator-totals.*likes/);
    const aborted = expectAborted(page, 'min_likes=5');
    const requested = page.waitForRequest(/indicator-totals.*min_likes=5/);
    await type('Likes from', '5');
    await requested;
    await type('Likes from', '6');
    await aborted;
    release();
  });
});

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
  });

  it('is stored one second after a change and restored at the next visit', async () => {
    await openExplorer(page, 'symbol=btc&scales=likes:log');
    await page.waitForFunction(
      () => localStorage.getItem('tapedeck.explorer') === 'symbol=btc&scales=likes:log',
    );
    const waited = page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let changed = 0;
          // Captured at the window: before the page itself handles the event and starts its timer.
          window.addEventListener('input', () => (changed = performance.now()), { capture: true });
          const { setItem } = Storage.prototype;
          Storage.prototype.setItem = function (this: Storage, key: string, value: string): void {
            setItem.call(this, key, value);
            if (value.includes('pine_version=v5')) resolve(performance.now() - changed);
          };
        }),
    );
    await type('Pine Script version', '5');
    expect(await waited).toBeGreaterThan(990);
    await page.goto('/strategies');
    await page.waitForURL(/pine_version=v5/);
    expect(addressOf()).toBe('?symbol=btc&pine_version=v5&scales=likes:log');
    await expect(field('Scale of Likes').inputValue()).resolves.toBe('log');
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
  });

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

describe('presets', () => {
  it('give the total that SQL counts and are pressed, until the browser goes back', async () => {
    await openExplorer(page);
    for (const { name, condition } of presetCases) {
      const preset = page.getByRole('group', { name: 'Presets' }).getByRole('button', { name });
      await preset.click();
      await expectTotalOf(name, await countWhere(condition));
      expect([name, await preset.getAttribute('aria-pressed')]).toEqual([name, 'true']);
      await page.goBack();
      await expectTotalOf(`back from ${name}`, catalogueSize);
      expect([name, await preset.getAttribute('aria-pressed')]).toEqual([name, 'false']);
    }
  });
});
