import { beforeEach, describe, expect, it } from '@jest/globals';
import { chartCaptureRoutes, type ChartPicture } from '@tapedeck/chart-capture/contract';
import type { StrategyDetails } from '@tapedeck/strategies/contract';
import type { Locator, Page, Route } from 'playwright-core';
import { expectShown, holdRequests } from '../explorer-screen.ts';
import { addressOf, code, detailsRoute, firstStrategy, strategyShown } from '../strategy-screen.ts';
import { setUpTestEnvironment } from '../test-environment.ts';
import { colourOf, expectAllTexts } from './catalogue-screen.ts';
import { checkRows } from './check-rows.ts';
import { expectLink, expectTexts } from './expectations.ts';

// The tests answer requests with errors, which the browser logs.
const environment = setUpTestEnvironment({
  product: 'shared',
  reusesPage: true,
  expectedErrors: /status of 502|ERR_FAILED/,
});
let page: Page;

beforeEach(() => {
  ({ page } = environment);
});

const captures = `**${chartCaptureRoutes.capture}`;
const pictures = '**/public-objects/**';
const picture: ChartPicture = {
  imagePath: `${chartCaptureRoutes.picture('Trend1')}?v=1`,
  width: 1_200,
  height: 600,
  takenAt: '2024-03-04T12:00:00.000Z',
};
const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="12" height="6"/>';
const showPicture = (route: Route): Promise<void> =>
  route.fulfill({ contentType: 'image/svg+xml', body: drawing });

const performanceTab = (): Locator => page.getByRole('tab', { name: 'Performance', exact: true });
const chart = (): Locator => page.getByRole('img', { name: /^Performance chart of / });

const known: Partial<StrategyDetails> = {
  title: 'Trend follower',
  author: 'Ada',
  publicationDate: '2024-03-04',
  likes: 1_234,
  views: 56,
  commentsCount: 7,
  codeLines: 3,
  totalPandl: '+344.63 USD (+34.46%)',
  maxEquityDrawdown: '123.40 USD (12.34%)',
  profitFactor: '1.5',
  sharpeRatioAll: '0.456',
  sortinoRatioAll: null,
  profitFactorLong: null,
  profitFactorShort: null,
  totalTrades: '26',
  profitableTrades: '38.46% (10/26)',
  fullDescription: 'Buys what rises.',
  howItWorks: null,
  backtestingRangeStart: '2020-01-02',
  backtestingRangeEnd: '2023-11-30',
  categories: ['EMA', 'RSI', 'ATR', 'MACD'],
  timeframes: ['1h', '4h', '1D', '1W'],
  initialCapital: '10000',
  currency: 'USD',
  commission: '0.1%',
  slippage: 2,
  pyramiding: 1,
  pineVersion: 4,
  pineScript: '//@version=4\nstudy("Trend")\nplot(close)',
  sourceCodeIncluded: true,
  sourceUrl: 'https://www.tradingview.com/script/AbCd1234/',
  isOnChartingSite: true,
};
const unknown: Partial<StrategyDetails> = {
  totalPandl: null,
  maxEquityDrawdown: null,
  profitFactor: null,
  totalTrades: null,
  profitableTrades: null,
  fullDescription: null,
};

const figure = (name: string): Locator =>
  page.locator('.figure').filter({ has: page.getByRole('heading', { name, exact: true }) });
/** The value and the note of one of the four figures. */
const expectFigure = (name: string, ...texts: readonly string[]): Promise<void> =>
  expectTexts(figure(name), ...texts);
const expectTone = async (text: string, colour: string): Promise<void> => {
  const value = figure('Total P&L').locator('.figure-value').getByText(text, { exact: true });
  await expectShown(value);
  const rgb = await value.evaluate((element) => getComputedStyle(element).color);
  const [red = 0, green = 0] = rgb.match(/\d+/g)?.map(Number) ?? [];
  if (colour === 'red') expect(red).toBeGreaterThan(green * 1.5);
  else expect(await colourOf(value, 'color')).toBe(colour);
};
const fact = (name: string): Locator =>
  page
    .locator('.facts > div')
    .filter({ has: page.locator('dt').getByText(name, { exact: true }) })
    .locator('dd');
const expectFacts = async (tab: string, facts: readonly (readonly [string, string])[]): Promise<void> => {
  await page.getByRole('tab', { name: tab, exact: true }).click();
  const pane = page.getByRole('tabpanel', { name: tab, exact: true });
  await expectAllTexts(
    pane.locator('.facts dt'),
    facts.map(([name]) => name),
  );
  for (const [name, value] of facts) await expectShown(fact(name).getByText(value, { exact: true }));
};

describe('the page of a strategy', () => {
  it('has its figures, tabs and texts', async () => {
    const details = await firstStrategy(page);
    let change = known;
    await page.route(detailsRoute, (route) => route.fulfill({ json: { ...details, ...change } }));
    await page.route(captures, (route) => route.fulfill({ json: picture }));
    await page.route(pictures, showPicture);
    const showWith = async (changed: Partial<StrategyDetails>): Promise<void> => {
      change = { ...known, ...changed };
      await page.reload();
      await strategyShown(page);
    };
    const captured = page.waitForRequest(captures);
    await page.goto(addressOf(details));
    await strategyShown(page);
    await checkRows('strategy page', {
      'it has title, author and date of publication': async () => {
        await expectShown(page.getByRole('heading', { level: 1, name: 'Trend follower', exact: true }));
        await expectAllTexts(page.locator('.byline > span:not(.tags)'), ['by Ada', 'Published Mar 4, 2024']);
      },
      'View on TradingView opens the page of the script in a new tab': () =>
        expectLink(
          page.locator('.detail-head').getByRole('link', { name: 'View on TradingView' }),
          'https://www.tradingview.com/script/AbCd1234/',
          '_blank',
        ),
      'Back leads to /?section=strategy-explorer': () =>
        expectLink(
          page.getByRole('link', { name: 'Back to the explorer' }),
          /^\/\?section=strategy-explorer$/,
        ),
      'opening it has the chart of the strategy captured': async () => {
        expect((await captured).method()).toBe('POST');
        expect((await captured).postDataJSON()).toEqual({ urlId: details.urlId });
      },
      'the bar of figures has likes, views, comments and lines of code': async () => {
        await expectAllTexts(page.locator('.statsbar dt'), ['Likes', 'Views', 'Comments', 'Lines of code']);
        await expectAllTexts(page.locator('.statsbar dd'), ['1.2K', '56', '7', '3']);
      },
      'Total P&L is green with a plus sign and the amount': async () => {
        await expectTone('+34.5%', 'green');
        await expectFigure('Total P&L', '+344.63 USD');
      },
      'Max Drawdown has its percentage and amount': () => expectFigure('Max Drawdown', '12.3%', '123.40 USD'),
      'a profit factor of 1.5 is Excellent': () => expectFigure('Profit Factor', '1.50', 'Excellent'),
      'Win Rate has the share of winners and their number among all trades': () =>
        expectFigure('Win Rate', '38.5%', '10 of 26 trades'),
      'the tab Strategy has the image of the chart': async () => {
        const image = page.getByRole('tabpanel', { name: 'Strategy', exact: true }).getByRole('img');
        expect(await image.getAttribute('src')).toMatch(new RegExp(`/${details.urlId}\\.svg$`));
      },
      'the tab Performance has the stored screenshot': async () => {
        await performanceTab().click();
        expect(await chart().getAttribute('src')).toBe('/public-objects/screenshots/Trend1.png?v=1');
      },
      'there is a Strategy Description': () => expectTexts(page, 'Strategy Description', 'Buys what rises.'),
      'Overview has total trades, win rate, winning and losing trades and the amount of P&L': () =>
        expectFacts('Overview', [
          ['Total trades', '26'],
          ['Win rate', '38.5%'],
          ['Winning trades', '10'],
          ['Losing trades', 'up to 16'],
          ['Total P&L', '+344.63 USD'],
        ]),
      'the trades that did not win are up to so many losing ones': () =>
        expectShown(fact('Losing trades').getByText('up to 16', { exact: true })),
      'Risk has max drawdown, profit factor, Sharpe ratio and backtesting period': () =>
        expectFacts('Risk', [
          ['Max drawdown', '12.3%'],
          ['Profit factor', '1.50'],
          ['Sharpe ratio', '0.46'],
          ['Backtesting period', 'Jan 2, 2020 – Nov 30, 2023'],
        ]),
      'Details has indicators, timeframes, initial capital, commission, slippage, pyramiding and the source':
        () =>
          expectFacts('Details', [
            ['Indicators', 'EMA, RSI, ATR'],
            ['Timeframes', '1h, 4h, 1D'],
            ['Initial capital', '10,000 USD'],
            ['Commission', '0.1%'],
            ['Slippage', '2 ticks'],
            ['Pyramiding', '1 order'],
            ['Source', 'View on TradingView'],
          ]),
      'the first 3 indicators are named': async () =>
        expect(await fact('Indicators').innerText()).toBe('EMA, RSI, ATR'),
      'the first 3 timeframes are named': async () =>
        expect(await fact('Timeframes').innerText()).toBe('1h, 4h, 1D'),
      'the viewer is called Pine Script with the version of the script, and has the number of lines': () =>
        expectTexts(code(page).locator('.code-head'), 'Pine Script v4', '3 lines'),
      'a loss is red with a minus sign': async () => {
        await showWith({ totalPandl: '−344.63 USD (−34.46%)', profitFactor: '1.19' });
        await expectTone('−34.5%', 'red');
        await expectFigure('Total P&L', '−344.63 USD');
      },
      'a profit factor of 1.19 is Poor': () => expectFigure('Profit Factor', '1.19', 'Poor'),
      'a P&L of zero is green with a plus sign': async () => {
        await showWith({ totalPandl: '0.00 USD (0.00%)', profitFactor: '1.2' });
        await expectTone('+0.0%', 'green');
      },
      'a profit factor of 1.2 is Good': () => expectFigure('Profit Factor', '1.20', 'Good'),
      'a profit factor of 1.49 is Good': async () => {
        await showWith({ profitFactor: '1.49' });
        await expectFigure('Profit Factor', '1.49', 'Good');
      },
      'figures that are not known are N/A': async () => {
        await showWith(unknown);
        for (const name of ['Total P&L', 'Max Drawdown', 'Profit Factor', 'Win Rate'])
          await expectFigure(name, 'N/A');
      },
      'without a description it says: No description available': () =>
        expectTexts(page, 'No description available'),
      'while it is loaded there is a spinner': async () => {
        const release = await holdRequests(page, detailsRoute);
        await page.reload();
        await expectShown(page.getByRole('status').getByText('Loading strategy', { exact: true }));
        release();
        await strategyShown(page);
        await page.unroute(detailsRoute);
      },
      'an unknown strategy says: Strategy not found': async () => {
        await page.goto('/strategy/no-such-strategy');
        await expectShown(page.getByRole('heading', { name: 'Strategy not found' }));
      },
    });
  }, 180_000);
});

describe('the captured chart', () => {
  it('says what is wrong', async () => {
    const details = await firstStrategy(page);
    await page.route(pictures, (route) => route.abort());
    let release: () => void;
    let released: Promise<void>;
    const hold = (): void => {
      released = new Promise<void>((resolve) => (release = resolve));
    };
    hold();
    let answer = (route: Route): Promise<void> => route.abort();
    await page.route(captures, async (route) => {
      await released;
      await answer(route);
    });
    // Soon: after four seconds it says more than that it is loading.
    await page.goto(addressOf(details), { waitUntil: 'commit' });
    await performanceTab().click();
    const retry = (): Locator => page.getByRole('button', { name: 'Try again', exact: true });
    const loading = (): Locator =>
      page.getByRole('status').getByText('Loading performance chart', { exact: true });
    const expectAfter = async (next: typeof answer, text: string): Promise<void> => {
      answer = next;
      if (await retry().isVisible()) {
        hold();
        await retry().click();
        // It takes the place of the last answer, which may have said the same.
        await expectShown(loading());
      }
      release();
      await expectShown(page.getByRole('alert').getByText(text, { exact: true }));
    };
    const answered = (body: string) => (route: Route) => route.fulfill({ status: 502, body });
    const notOnSite = 'This strategy is not available on TradingView';
    await checkRows('captured chart', {
      'while it is captured it says that it is loading': () => expectShown(loading()),
      'an error with "not exist" says: This strategy is not available on TradingView': () =>
        expectAfter(answered('The script does not exist.'), notOnSite),
      'an error with "404" says the same': () => expectAfter(answered('The site: 404'), notOnSite),
      'an error with "not found" says the same': () => expectAfter(answered('Not Found.'), notOnSite),
      'an error with "chart element" says: Performance chart not available for this strategy': () =>
        expectAfter(answered('No chart element'), 'Performance chart not available for this strategy'),
      'an error with "timeout" says: Loading timeout - please try again later': () =>
        expectAfter(answered('A timeout'), 'Loading timeout - please try again later'),
      'a failure of the network says: Unable to load performance chart - please try again later': () =>
        expectAfter((route) => route.abort(), 'Unable to load performance chart - please try again later'),
      'any other failure says: Performance chart not available': () =>
        expectAfter(answered('Something else'), 'Performance chart not available'),
      'a picture that cannot be shown says: Failed to display performance chart': () =>
        expectAfter((route) => route.fulfill({ json: picture }), 'Failed to display performance chart'),
      'a new try shows the chart': async () => {
        await page.unroute(pictures);
        await page.route(pictures, showPicture);
        await retry().click();
        await expectShown(chart());
        expect(await page.getByRole('alert').count()).toBe(0);
      },
    });
  }, 90_000);
});
