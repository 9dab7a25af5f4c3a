import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { openPage } from './browser.ts';
import { figures } from './catalogue-sql.ts';
import { openExplorer, resetExplorer, screenState, shows, signIn } from './explorer-screen.ts';
import { filterCases, presetCases } from './filter-cases.ts';
import { openStage, type Stage } from './test-environment.ts';

let opening: Promise<Stage>;
let stage: Stage;
let page: Page;

beforeAll(async () => {
  opening = openStage();
  stage = await opening;
  ({ page } = stage);
}, 120_000);
afterAll(async () => (await opening).close(), 120_000);

const open = (query: string, on = page): Promise<void> =>
  openExplorer(on, `${stage.url}/strategies?${query}`);
const addressOf = (): string => decodeURIComponent(new URL(page.url()).search);
const field = (name: string): Locator => page.getByLabel(name, { exact: true });
const type = async (name: string, text: string): Promise<void> => {
  await field(name).fill(text);
  await field(name).press('Enter');
};
const chip = (name: string): Locator => page.getByRole('button', { name: new RegExp(`^${name}\\b`) });

describe('every filter finds what SQL counts', () => {
  it.each(filterCases)('$name', async ({ types, checks, condition }) => {
    await resetExplorer(page);
    for (const [label, text] of Object.entries(types ?? {})) await type(label, text);
    if (checks) await page.getByLabel(checks).check();
    const expected = await stage.catalogue.countWhere(condition);
    expect(expected).toBeGreaterThan(0);
    expect(expected).toBeLessThan(4_500);
    await shows(page, expected);
  });
});

describe('what cannot be asked', () => {
  it('says how a version is written and keeps the last one that was', async () => {
    await resetExplorer(page);
    const version = field('Pine Script version');
    await version.fill('4');
    const expected = await stage.catalogue.countWhere('pine_version = 4');
    await shows(page, expected);
    await version.fill('four');
    await page.getByText('Write one version, such as v5 or 5; v4 still applies').waitFor();
    await expect(version.getAttribute('aria-invalid')).resolves.toBe('true');
    await shows(page, expected);
    expect(addressOf()).toBe('?pine_version=v4');
    await version.fill('');
    await shows(page, 4_500);
  });

  it('explains days that contradict each other and does not send them', async () => {
    await resetExplorer(page);
    await field('Published from').fill('2024-03-14');
    const expected = await stage.catalogue.countWhere(`publication_date >= '2024-03-14'`);
    await shows(page, expected);
    await field('Published to').fill('2023-01-01');
    await page.getByText('The first day is after the last').waitFor();
    expect(addressOf()).toBe('?publication_date_start=2024-03-14');
    await field('Published to').fill('2024-12-31');
    await page.getByText('The first day is after the last').waitFor({ state: 'hidden' });
    await shows(
      page,
      await stage.catalogue.countWhere(`publication_date between '2024-03-14' and '2024-12-31'`),
    );
  });

  it('leaves out what an address should not say', async () => {
    await open(
      'min_likes=many&page=-3&pine_version=x&scales=likes:cubic&publication_date_end=soon&z=1&symbol=btc',
    );
    await shows(page, await stage.catalogue.countWhere(`${figures.symbol} ilike 'btc%'`));
    await expect(field('Symbol').inputValue()).resolves.toBe('btc');
  });
});

describe('indicators', () => {
  it('are chips that say what they would find, and are the search', async () => {
    await resetExplorer(page);
    await type('Pine Script version', 'v4');
    await shows(page, await stage.catalogue.countWhere('pine_version = 4'));
    const macd = chip('MACD');
    const expected = await stage.catalogue.countWhere(`pine_version = 4 and ${figures.matches('macd')}`);
    await macd.filter({ hasText: String(expected) }).click();
    await shows(page, expected);
    const search = field('Search strategies');
    await expect(search.inputValue()).resolves.toBe('MACD');
    await expect(macd.getAttribute('aria-pressed')).resolves.toBe('true');
    await search.fill('MACD x');
    await expect(macd.getAttribute('aria-pressed')).resolves.toBe('false');
    await search.fill('macd');
    await expect(macd.getAttribute('aria-pressed')).resolves.toBe('true');
    await macd.click();
    await expect(search.inputValue()).resolves.toBe('');
    await shows(page, await stage.catalogue.countWhere('pine_version = 4'));
  });

  it('are counted only while a group is open, and groups stay as they were left', async () => {
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('indicator-totals')) asked.push(request.url());
    });
    for (const group of ['Trend', 'Momentum']) await page.locator('summary', { hasText: group }).click();
    await page.reload();
    await page.locator('summary', { hasText: 'Volume' }).waitFor();
    await type('Symbol', 'btc');
    await shows(
      page,
      await stage.catalogue.countWhere(`pine_version = 4 and ${figures.symbol} ilike 'btc%'`),
    );
    expect(asked).toEqual([]);
    await page.locator('summary', { hasText: 'Volume' }).click();
    await chip('VWAP').locator('.n').waitFor();
    expect(asked).toHaveLength(1);
    for (const group of ['Trend', 'Momentum']) await page.locator('summary', { hasText: group }).click();
  });

  it('leave off counting for filters that are no longer', async () => {
    await resetExplorer(page);
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/indicator-totals.*likes/, async (route) => {
      await held;
      await route.continue().catch(() => {});
    });
    const aborted = page.waitForEvent('requestfailed', (request) => request.url().includes('min_likes=5'));
    const asked = page.waitForRequest(/indicator-totals.*min_likes=5/);
    await type('Likes from', '5');
    await asked;
    await type('Likes from', '6');
    await aborted;
    release();
    await page.unroute(/indicator-totals.*likes/);
  });
});

const everything =
  'search=rsi&min_total_pandl_percent=-50&max_max_drawdown_percent=90&min_profit_factor=0.5&max_sharpe_ratio=4' +
  '&min_likes=1&min_views=2&max_comments=90&max_code_lines=900&symbol=b&pine_version=v5' +
  '&publication_date_start=2019-01-02&publication_date_end=2026-10-01&backtesting_date_start=2010-01-01' +
  '&has_performance=true&has_enhanced=true&scales=totalPandlPercent:log,likes:linear&sort_by=likes&sort_order=asc&page=2';

describe('the address', () => {
  it('shows another browser the same screen', async () => {
    await open(everything);
    expect(addressOf()).toBe(`?${everything}`);
    const mine = await screenState(page);
    expect(mine.titles.length).toBeGreaterThan(0);
    expect(mine.page).toBe('2');
    const other = await openPage(stage.browser);
    await signIn(other.page, stage.url);
    await open(everything, other.page);
    expect(await screenState(other.page)).toEqual(mine);
    await other.page.reload();
    await other.page.locator('.cards[aria-busy=false]').waitFor();
    expect(await screenState(other.page)).toEqual(mine);
    expect(other.complaints).toEqual([]);
    await other.page.context().close();
  });

  it('is kept a second after a change, and found again on coming back', async () => {
    await open('symbol=btc&scales=likes:log');
    await page.waitForFunction(
      () => localStorage.getItem('tapedeck.explorer') === 'symbol=btc&scales=likes:log',
    );
    const waited = page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let changed = 0;
          document.addEventListener('input', () => (changed = performance.now()));
          const { setItem } = Storage.prototype;
          Storage.prototype.setItem = function (this: Storage, key: string, value: string): void {
            setItem.call(this, key, value);
            if (value.includes('pine_version=v5')) resolve(performance.now() - changed);
          };
        }),
    );
    await type('Pine Script version', '5');
    expect(await waited).toBeGreaterThan(990);
    await page.goto(`${stage.url}/strategies`);
    await page.waitForURL(/pine_version=v5/);
    expect(addressOf()).toBe('?symbol=btc&pine_version=v5&scales=likes:log');
    await expect(field('Scale of Likes').inputValue()).resolves.toBe('log');
  });

  it('goes before what was kept', async () => {
    await open('symbol=eth');
    await shows(page, await stage.catalogue.countWhere(`${figures.symbol} ilike 'eth%'`));
    await expect(field('Pine Script version').inputValue()).resolves.toBe('');
  });

  it('is empty after a reset, and so is what was kept', async () => {
    await open(everything);
    await page.getByRole('button', { name: 'Reset' }).first().click();
    await shows(page, 4_500);
    expect(addressOf()).toBe('');
    await page.waitForFunction(() => localStorage.getItem('tapedeck.explorer') === null);
    await page.reload();
    await shows(page, 4_500);
    await expect(field('Symbol').inputValue()).resolves.toBe('');
    await expect(field('Sort by').inputValue()).resolves.toBe('total_pandl');
    expect(await page.locator('#filters [aria-pressed=true]').count()).toBe(0);
  });
});

describe('chips', () => {
  it('take away their filter alone, and hand the focus on', async () => {
    await open('search=rsi&min_sharpe_ratio=1.5&publication_date_start=2024-03-14&has_performance=true');
    const crosses = page.getByRole('button', { name: /^Remove filter/ });
    const names = await crosses.evaluateAll((buttons) =>
      buttons.map((button) => button.getAttribute('aria-label')),
    );
    expect(names).toEqual([
      'Remove filter Search “rsi”',
      'Remove filter Sharpe ≥ 1.5',
      'Remove filter Published since Mar 14, 2024',
      'Remove filter Has performance data',
    ]);
    await crosses.nth(1).click();
    await page.waitForURL((url) => !url.search.includes('sharpe'));
    expect(addressOf()).toBe('?search=rsi&publication_date_start=2024-03-14&has_performance=true');
    const focused = page.locator(':focus');
    await expect(focused.getAttribute('aria-label')).resolves.toBe(names[2]);
    for (const left of [2, 1, 0]) {
      await focused.press('Enter');
      await page.waitForFunction((n) => document.querySelectorAll('.chip--filter').length === n, left);
    }
    await expect(focused.textContent()).resolves.toBe('Strategy Explorer');
    await shows(page, 4_500);
  });
});

describe('an empty list', () => {
  const offers = (): Locator => page.locator('.suggestions button');
  it('offers what clicking then gives, the best first', async () => {
    const query =
      'search=macd&min_sharpe_ratio=4.5&symbol=BTC&pine_version=v4&publication_date_start=2018-01-01';
    await open(query);
    await page.getByText('No strategies found.').waitFor();
    await offers().first().waitFor();
    const counts = (await page.locator('.suggestions .n').allTextContents()).map((words) =>
      Number.parseInt(words, 10),
    );
    expect(counts.length).toBeGreaterThan(1);
    expect(counts).toEqual(counts.toSorted((one, other) => other - one));
    for (const [at, count] of counts.entries()) {
      await open(query);
      await offers().nth(at).click();
      await shows(page, count);
    }
  });

  it('offers two at once where one is not enough', async () => {
    await open('search=zzzz&symbol=qqqq&pine_version=v5');
    const expected = await stage.catalogue.countWhere('pine_version = 5');
    const offer = offers().first();
    await offer.waitFor();
    await expect(offer.textContent()).resolves.toBe(
      `Remove Search “zzzz” and Symbol qqqq: ${expected.toLocaleString('en')} results`,
    );
    await offer.click();
    await shows(page, expected);
  });

  it('always has a way out', async () => {
    await open('search=zzzz&symbol=qqqq');
    await page.getByRole('button', { name: 'Clear all filters: 4,500 results' }).click();
    await shows(page, 4_500);
  });
});

describe('presets', () => {
  it.each(presetCases)('$name', async ({ name, condition }) => {
    await resetExplorer(page);
    const preset = page.getByRole('group', { name: 'Presets' }).getByRole('button', { name });
    await preset.click();
    await shows(page, await stage.catalogue.countWhere(condition));
    await expect(preset.getAttribute('aria-pressed')).resolves.toBe('true');
    await page.goBack();
    await shows(page, 4_500);
    await expect(preset.getAttribute('aria-pressed')).resolves.toBe('false');
  });

  it('have left no error in the console', () => {
    expect(stage.complaints).toEqual([]);
  });
});
