import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { StrategyPlaces, explorerRoutes, StrategyList } from '@tapedeck/explorer/contract';
import { expectAccessible } from './expect-accessible.ts';
import { expectHidden, expectShown } from './explorer-screen.ts';
import {
  addressOf,
  detailsRoute,
  firstStrategy,
  openFromResult,
  openStrategy,
  strategyShown,
} from './strategy-screen.ts';
import { setUpTestEnvironment } from './test-environment.ts';

// The tests answer requests with errors, which the browser logs.
const environment = setUpTestEnvironment({
  product: 'shared',
  expectedErrors: /status of 50[03]|ERR_FAILED|ERR_CONNECTION_REFUSED/,
});
let page: Page;

beforeEach(() => {
  ({ page } = environment);
});

const figure = (name: string) => page.locator('.figure').filter({ has: page.getByRole('heading', { name }) });
const fact = (name: string) =>
  page.locator('.side-pane[data-state=active] .facts > div').filter({ hasText: name }).locator('dd');
const tab = (name: string) => page.getByRole('tab', { name, exact: true });
const step = (name: 'Previous' | 'Next') => page.getByRole('link', { name: `${name} strategy` });
const answerWith =
  (status: number) =>
  (route: Route): Promise<void> =>
    route.fulfill({ status, json: { title: 'Unavailable', requestId: 'r-1' } });

describe('the figures of a strategy', () => {
  it.each([
    ['1.19', 'Poor', 'under 1.2 is poor'],
    ['1.2', 'Good', '1.2 up to 1.5 is good'],
    ['1.5', 'Excellent', '1.5 or more is excellent'],
    ['∞', 'Excellent', '1.5 or more is excellent'],
  ])('label a profit factor of %s as %s', async (profitFactor, label, note) => {
    await openStrategy(page, { profitFactor });
    await expectShown(figure('Profit Factor').getByText(label, { exact: true }));
    await expectShown(figure('Profit Factor').getByText(note));
  });

  it('have the sign and the amount of the profit, and the winners among all trades', async () => {
    await openStrategy(page, {
      totalPandl: '−344.63 USDT (−34.46%)',
      profitableTrades: '38.46% (10/26)',
      totalTrades: '26',
    });
    await expectShown(figure('Total P&L').locator('.loss', { hasText: '−34.5%' }));
    await expectShown(figure('Total P&L').getByText('−344.63 USDT'));
    await expectShown(figure('Win Rate').getByText('38.5%'));
    await expectShown(figure('Win Rate').getByText('10 of 26 trades'));
    await expectShown(fact('Winning trades').getByText('10', { exact: true }));
    await expectShown(fact('Losing trades').getByText('up to 16', { exact: true }));
  });

  it('stand at their places in the catalogue', async () => {
    const { urlId } = await openStrategy(page);
    const answer = await page.request.get(explorerRoutes.places(urlId));
    const { places } = StrategyPlaces.parse(await answer.json());
    for (const [name, field] of [
      ['Total P&L', 'totalPandlPercent'],
      ['Max Drawdown', 'maxDrawdownPercent'],
      ['Profit Factor', 'profitFactor'],
      ['Win Rate', 'winRate'],
    ] as const) {
      const place = places.find((one) => one.field === field);
      const percent = Math.floor((100 * (place?.worse ?? 0)) / (place?.known ?? 1));
      await expectShown(
        figure(name).getByText(new RegExp(`^better than ${percent}(\\.\\d)?% of strategies$`)),
      );
      const strokes = await figure(name).locator('.place-own').getAttribute('d');
      const own =
        strokes
          ?.split('M')
          .slice(1)
          .map((stroke) => Number(/v-?(\d+)/.exec(stroke)?.[1])) ?? [];
      expect(own.findIndex((height) => height > 0)).toBe(place?.bin);
    }
  });

  it('are N/A where they are not known', async () => {
    await openStrategy(page, {
      totalPandl: null,
      maxEquityDrawdown: null,
      profitFactor: null,
      profitableTrades: null,
      totalTrades: null,
      fullDescription: null,
      profitFactorLong: null,
      profitFactorShort: null,
    });
    for (const name of ['Total P&L', 'Max Drawdown', 'Profit Factor', 'Win Rate']) {
      await expectShown(figure(name).getByText('N/A', { exact: true }));
    }
    for (const name of ['Total trades', 'Win rate', 'Winning trades', 'Losing trades']) {
      await expectShown(fact(name).getByText('N/A', { exact: true }));
    }
    await expectShown(page.getByText('No description available'));
    await tab('Risk').click();
    expect(await page.getByText('Profit factor by side').count()).toBe(0);
  });
});

describe('the tabs of a strategy', () => {
  it('show risk, with long and short side by side, and details, by the keyboard alone', async () => {
    await openStrategy(page, {
      profitFactorLong: '2.31',
      profitFactorShort: '0.9',
      categories: ['EMA', 'RSI', 'ATR', 'MACD'],
      timeframes: ['1h', '4h', '1D', '1W'],
      initialCapital: '10000',
      currency: 'USD',
      pyramiding: 1,
      sourceUrl: 'https://www.tradingview.com/script/AbCd1234/',
      isOnChartingSite: true,
    });
    await tab('Overview').focus();
    await page.keyboard.press('ArrowRight');
    await expectShown(fact('Sharpe ratio'));
    const sides = page.locator('.sides > div');
    expect(await sides.allInnerTexts()).toEqual([
      expect.stringMatching(/^Long\s+2\.31\s+Excellent$/),
      expect.stringMatching(/^Short\s+0\.90\s+Poor$/),
    ]);
    await page.keyboard.press('End');
    expect(await fact('Indicators').innerText()).toBe('EMA, RSI, ATR');
    expect(await fact('Timeframes').innerText()).toBe('1h, 4h, 1D');
    expect(await fact('Initial capital').innerText()).toBe('10,000 USD');
    expect(await fact('Pyramiding').innerText()).toBe('1 order');
    await expectShown(fact('Source').getByRole('link', { name: 'View on TradingView' }));
    const top = page.locator('.detail-head').getByRole('link', { name: 'View on TradingView' });
    expect(await top.getAttribute('href')).toBe('https://www.tradingview.com/script/AbCd1234/');
    await tab('Strategy').focus();
    await page.keyboard.press('ArrowRight');
    await expectShown(page.getByRole('tabpanel', { name: 'Performance' }));
  });
});

describe('previous and next', () => {
  const idsOf = async (query: string, pageNumber: number): Promise<readonly string[]> => {
    const path = `${explorerRoutes.filtered}?${query}&limit=12&page=${pageNumber}`;
    const { strategies } = StrategyList.parse(await (await page.request.get(path)).json());
    return strategies.map(({ url_id }) => url_id);
  };
  const query = 'search=rsi&sort_by=likes&sort_order=asc';

  it('go through the result from which the strategy was opened, across its pages', async () => {
    const [first, second] = [await idsOf(query, 1), await idsOf(query, 2)];
    await openFromResult(page, query, 11);
    expect(page.url()).toContain(String(first[11]));
    await expectShown(page.getByRole('status').getByText(/^12 of [\d,]+$/));
    // The next one is on a page of the result that arrives later.
    await expectShown(step('Next').and(page.locator('[href]')));
    await step('Next').click();
    await page.waitForURL(`**/strategy/${second[0]}`);
    await expectShown(page.getByRole('status').getByText(/^13 of /));
    await strategyShown(page);
    expect(await step('Next').evaluate((link) => link === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/strategy/${second[1]}`);
    await expectShown(page.getByRole('status').getByText(/^14 of /));
    await page.reload();
    await expectShown(page.getByRole('status').getByText(/^14 of /));
    for (const [id, place] of [
      [second[0], /^13 of /],
      [first[11], /^12 of /],
    ] as const) {
      await expectShown(step('Previous').and(page.locator('[href]')));
      await page.keyboard.press('[');
      await page.waitForURL(`**/strategy/${id}`);
      // The address changes before the page does.
      await expectShown(page.getByRole('status').getByText(place));
      await strategyShown(page);
    }
    await expectShown(step('Next').and(page.locator('[href]')));
    await page.keyboard.press(']');
    await page.waitForURL(`**/strategy/${second[0]}`);
  }, 120_000);

  it('end with the result, and return to it', async () => {
    await openFromResult(page, query, 0);
    await expectShown(step('Next').and(page.locator('[href]')));
    expect(await step('Previous').getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('link', { name: 'Back to the explorer' }).click();
    await page.waitForURL(/\/strategies\?.*search=rsi/);
  });

  it('are absent when the strategy was opened by a link', async () => {
    await openStrategy(page);
    expect(await page.getByRole('navigation', { name: 'Result' }).count()).toBe(0);
  });
});

describe('the charts', () => {
  it('are shown one at a time', async () => {
    await openStrategy(page);
    const shown = async (): Promise<readonly string[]> =>
      page
        .locator('.chart-pane:visible')
        .evaluateAll((panes) => panes.map(({ id }) => id.replace(/^.*-/, '')));
    expect(await shown()).toEqual(['strategy']);
    await page.getByRole('tab', { name: 'Performance' }).click();
    expect(await shown()).toEqual(['performance']);
  });
});

describe('the comparison', () => {
  it('takes the strategy, and opens from its page', async () => {
    const { title } = await openStrategy(page);
    await page.getByRole('button', { name: `Compare ${title}` }).click();
    const tray = page.getByRole('complementary', { name: 'Compare' });
    await expectShown(tray.getByText(title));
    await page
      .locator('.similar')
      .getByRole('button', { name: /^Compare / })
      .first()
      .click();
    await tray.getByRole('button', { name: 'Compare 2' }).click();
    await expectShown(page.getByRole('dialog').getByText(title));
    await expectAccessible(page, 'comparison');
    await page.keyboard.press('Escape');
    await tray.getByRole('button', { name: 'Clear' }).click();
    await expectHidden(tray);
  });
});

describe('a strategy that cannot be shown', () => {
  it('is not found only after a 404', async () => {
    await page.goto('/strategy/Unknown1');
    await expectShown(page.getByRole('heading', { name: 'Strategy not found' }));
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  });

  it.each([500, 503, 'failed' as const])(
    'offers to try again after %s, and keeps the focus until then',
    async (how) => {
      const details = await firstStrategy(page);
      await page.route(detailsRoute, how === 'failed' ? (route) => route.abort() : answerWith(how));
      await page.goto(addressOf(details));
      const retry = page.getByRole('button', { name: 'Try again' });
      await retry.focus();
      expect(await page.getByText('Strategy not found').count()).toBe(0);
      const again = page.waitForRequest(/strategies\/details/);
      await page.keyboard.press('Enter');
      await again;
      await expectShown(retry.and(page.locator('[aria-busy=false]')));
      expect(await retry.evaluate((button) => button === document.activeElement)).toBe(true);
      await page.unroute(detailsRoute);
      await page.keyboard.press('Enter');
      await expectShown(page.getByRole('heading', { level: 1, name: details.title }));
    },
  );

  it('loads the places of its figures again when that has failed', async () => {
    const places = '**/api/strategies/places/*';
    await page.route(places, answerWith(503));
    await openStrategy(page);
    await expectShown(figure('Win Rate').getByText('Place in the catalogue not loaded'));
    await page.unroute(places);
    await page.getByRole('button', { name: 'Try again to load the place of Win rate' }).click();
    await expectShown(figure('Win Rate').getByText(/^better than/));
  });
});
