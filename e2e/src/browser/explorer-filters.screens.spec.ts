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
} from './explorer-screen.ts';
import { filterCases, presetCases } from './filter-cases.ts';
import { describeMoreFigures, openPart } from './more-figures-cases.ts';
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
    for (const { name, opens, types, checks, condition } of filterCases) {
      if (opens) await openPart(page, opens);
      for (const [label, text] of Object.entries(types ?? {})) await type(label, text);
      if (checks) await page.getByLabel(checks).check();
      const expected = await countWhere(condition);
      expect([name, expected > 0, expected < catalogueSize]).toEqual([name, true, true]);
      await expectTotalOf(name, expected);
      await page.getByRole('button', { name: 'Reset' }).first().click();
      await expectTotalOf(`reset of ${name}`, catalogueSize);
    }
  }, 180_000);
});

describe('changes that follow each other faster than the address', () => {
  it('are all kept', async () => {
    await openExplorer(page);
    const controls = ['Has Performance Data', 'Has Enhanced Data'];
    for (const delayMs of [0, 1, 2, 4, 8, 16, 32]) {
      const flags = await Promise.all(controls.map((name) => field(name).elementHandle()));
      const order = await page
        .getByRole('button', { name: 'Descending: change to ascending' })
        .elementHandle();
      await page.evaluate(
        async ({ elements, delay }) => {
          for (const element of elements) {
            (element as HTMLElement).click();
            await new Promise((resolve) => setTimeout(resolve, delay));
          }
        },
        { elements: [...flags, order], delay: delayMs },
      );
      await page.waitForURL(({ search }) => search.includes('sort_order'));
      await resultsLoaded(page);
      expect([delayMs, addressOf()]).toEqual([
        delayMs,
        '?has_performance=true&has_enhanced=true&sort_order=asc',
      ]);
      await page.getByRole('button', { name: 'Reset' }).first().click();
      await page.waitForURL(({ search }) => search === '');
    }
  }, 60_000);

  it('are taken back in the address too', async () => {
    await openExplorer(page);
    const flag = field('Has Performance Data');
    await flag.evaluate((control: HTMLInputElement) => {
      const { pushState } = history;
      const addresses: string[] = [];
      history.pushState = (...entry) => {
        pushState.apply(history, entry);
        addresses.push(location.search);
        control.dataset['addresses'] = addresses.join(' ');
        // Here the address of the browser has changed, and the page has not rendered it yet.
        if (addresses.length === 1) control.click();
      };
    });
    await flag.click();
    await expectShown(page.locator('[data-addresses="?has_performance=true "]'));
    await expectTotal(page, catalogueSize);
    expect([addressOf(), await flag.isChecked()]).toEqual(['', false]);
  });
});

describe('the filter panel of the next visit', () => {
  describeMoreFigures(environment);
});

describe('invalid filters', () => {
  it('explain how to write a version and keep the last valid one', async () => {
    await openExplorer(page);
    const version = field('Pine Script version');
    await version.fill('4');
    const expected = await countWhere('pine_version = 4');
    await expectTotal(page, expected);
    await version.fill('four');
    await expectShown(page.getByText('Enter one version, such as v5 or 5; v4 still applies'));
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
    // The browser closes a group before the page learns of it.
    await page.waitForFunction(() => localStorage.getItem('tapedeck.indicator-groups') === '');
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
