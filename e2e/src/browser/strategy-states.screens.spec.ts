import { beforeEach, describe, expect, it } from '@jest/globals';
import type { StrategyDetails } from '@tapedeck/strategies/contract';
import type { Page } from 'playwright-core';
import { expectAccessible, expectAccessibleInThemes } from './expect-accessible.ts';
import { expectShown, holdRequests } from './explorer-screen.ts';
import {
  addressOf,
  code,
  detailsRoute,
  firstStrategy,
  longScript,
  openFromResult,
  openStrategy,
  viewer,
} from './strategy-screen.ts';
import { setUpTestEnvironment } from './test-environment.ts';

// The tests answer requests with errors, which the browser logs.
const environment = setUpTestEnvironment({ product: 'shared', expectedErrors: /status of 50[03]/ });
let page: Page;

beforeEach(() => {
  ({ page } = environment);
});

const sizes = [
  { width: 1_440, height: 900 },
  { width: 1_024, height: 768 },
  { width: 768, height: 1_024 },
  { width: 390, height: 844 },
] as const;

const expectGood = (display: string): Promise<void> => expectAccessibleInThemes(page, display);

const unknown: Partial<StrategyDetails> = {
  author: null,
  publicationDate: null,
  likes: null,
  totalPandl: null,
  maxEquityDrawdown: null,
  profitFactor: null,
  profitableTrades: null,
  totalTrades: null,
  fullDescription: null,
  pineScript: null,
  symbol: null,
  categories: [],
};

describe.each(sizes)('the page of a strategy at $width', (size) => {
  beforeEach(() => page.setViewportSize(size));

  it('is accessible with all it can have', async () => {
    await openFromResult(page, 'sort_by=likes', 3);
    await code(page).scrollIntoViewIfNeeded();
    await expectShown(viewer(page));
    await page.getByLabel('Find in code').fill('a');
    await page.getByLabel('Go to line').fill('2-4');
    await page.keyboard.press('Enter');
    await expectGood('overview');
    for (const name of ['Risk', 'Details', 'Performance']) {
      await page.getByRole('tab', { name, exact: true }).click();
      await expectGood(name);
    }
  }, 120_000);

  it('is accessible with long texts', async () => {
    await openStrategy(page, {
      title: `Pneumonoultramicroscopicsilicovolcanoconiosis ${'and a long title '.repeat(8)}`,
      author: 'ZenAndTheArtOfTrading / www.PineScriptMastery.com and © BacktestRookies',
      totalPandl: '+1,852,318,200,667,115.74 USDT (+300,000,000.00%)',
      profitFactorLong: '1,234.5',
      profitFactorShort: '0.1',
      initialCapital: '1000000000',
      commission: '0.005 per contract',
      symbol: 'BINANCE:1000000BABYDOGEUSDT.P',
      fullDescription: 'https://example.com/'.repeat(20),
      sourceUrl: 'https://github.com/a/b',
    });
    await expectGood('long texts');
  });

  it('is accessible without figures, description and code', async () => {
    await openStrategy(page, unknown);
    await expectGood('nothing known');
  });

  it('is accessible where the plan has no code', async () => {
    await openStrategy(page, { pineScript: null, sourceCodeIncluded: false });
    await expectGood('no code in the plan');
  });

  it('is accessible while it loads, after an error and for an unknown strategy', async () => {
    const details = await firstStrategy(page);
    const release = await holdRequests(page, /strategies\/details/);
    await page.goto(addressOf(details));
    await expectShown(page.getByText('Loading strategy'));
    await expectGood('loading');
    release();
    await page.unroute(/strategies\/details/);
    await page.route(detailsRoute, (route) => route.fulfill({ status: 500, json: { title: 'No' } }));
    await page.reload();
    await expectShown(page.getByRole('button', { name: 'Try again' }));
    await expectGood('error');
    await page.unroute(detailsRoute);
    await page.goto('/strategy/Unknown1');
    await expectShown(page.getByRole('heading', { name: 'Strategy not found' }));
    await expectGood('not found');
  }, 120_000);

  it('does not move while it loads', async () => {
    await page.addInitScript(() => {
      const shifts: number[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        // The type of the entries of layout shifts is not among those of the DOM.
        for (const entry of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[]) {
          if (!entry.hadRecentInput) shifts.push(entry.value);
        }
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await openStrategy(page);
    await code(page).scrollIntoViewIfNeeded();
    await expectShown(viewer(page));
    await page.locator('.similar .strategy-card .strategy-title').first().scrollIntoViewIfNeeded();
    const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
    expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThanOrEqual(0.02);
  });
});

describe('the page of a strategy', () => {
  it('keeps its marks in forced colours', async () => {
    page = await environment.openPage('member', { forcedColors: 'active' });
    await openStrategy(page, { pineScript: longScript(20) }, '#L2-L4');
    await expectShown(viewer(page));
    await expectAccessible(page, 'forced colours');
    const outline = await code(page)
      .locator('.cm-line.cm-marked')
      .first()
      .evaluate((line) => getComputedStyle(line).outlineStyle);
    expect(outline).toBe('solid');
    const strokes = await page
      .locator('.figure')
      .first()
      .evaluate((card) =>
        ['.place-all', '.place-own'].map((name) => getComputedStyle(card.querySelector(name) ?? card).stroke),
      );
    expect(strokes[0]).not.toBe(strokes[1]);
  });

  it('prints figures, description and the whole code, and nothing else', async () => {
    const { title } = await openStrategy(page, {
      pineScript: longScript(300),
      fullDescription: 'Buys high.',
    });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const shown = async (selector: string): Promise<boolean> => page.locator(selector).first().isVisible();
    for (const selector of [
      '.topbar',
      '.detail-ways',
      '.detail-actions',
      '.chart-card',
      '.code-tools',
      '.similar',
    ]) {
      expect([selector, await shown(selector)]).toEqual([selector, false]);
    }
    const text = await page.locator('main').innerText();
    for (const part of [
      title,
      'Max Drawdown',
      'Winning trades',
      'Sharpe ratio',
      'Pyramiding',
      'Buys high.',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).toContain('plot(ta.sma(close, 300), "Line 300")');
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
      'rgb(255, 255, 255)',
    );
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
    expect(pdf.match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(1);
  });
});
