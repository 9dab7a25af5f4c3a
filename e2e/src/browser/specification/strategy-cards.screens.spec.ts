import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  explorerRoutes,
  StrategyList,
  type Exploration,
  type StrategyListItem,
} from '@tapedeck/explorer/contract';
import type { FacetField } from '@tapedeck/search-engine/contract';
import type { Locator, Page } from 'playwright-core';
import { expectHidden, expectShown, explorationAfter, resultsLoaded } from '../explorer-screen.ts';
import { setUpTestEnvironment } from '../test-environment.ts';
import { changeCards, expectAllTexts } from './catalogue-screen.ts';
import { checkRows } from './check-rows.ts';

// A picture is not loaded, which the browser logs.
const environment = setUpTestEnvironment({
  product: 'shared',
  reusesPage: true,
  expectedErrors: /ERR_FAILED/,
});
let page: Page;

beforeEach(() => {
  ({ page } = environment);
});

const known: Partial<StrategyListItem> = {
  title: 'Trend follower',
  author: 'Ada',
  likes: 1_234,
  views: 56,
  total_trades: '789',
  total_pandl_percent: '1234.56',
  max_drawdown_percent: '12.34',
  profit_factor_numeric: '1.567',
  sharpe_ratio_numeric: '0.456',
  categories: ['EMA', 'RSI', 'MACD', 'ATR'],
  code_lines: 120,
  publication_date: '2024-03-04',
};
const unknown: Partial<StrategyListItem> = {
  author: null,
  likes: null,
  total_pandl_percent: null,
  max_drawdown_percent: null,
  profit_factor_numeric: 'Infinity',
  sharpe_ratio_numeric: null,
  categories: ['EMA', 'RSI'],
  code_lines: 1,
  publication_date: null,
};
const changes: readonly Partial<StrategyListItem>[] = [
  known,
  unknown,
  { likes: 999, views: 1_000, total_pandl_percent: '-2345678' },
  { likes: 999_949, views: 1_500_000, total_pandl_percent: '3000000000' },
  { likes: 999_950, total_pandl_percent: '0' },
  { total_pandl_percent: '12.34' },
  { total_pandl_percent: '-12.34' },
];

const card = (at: number): Locator => page.locator('.strategy-card').nth(at);
/** The bar with this name, and its figure. */
const meter = (at: number, name: string): Locator =>
  card(at)
    .locator('.meters > div')
    .filter({ has: page.getByText(name, { exact: true }) });
const figure = (at: number, name: string): Promise<string> => meter(at, name).locator('dd').innerText();
/** A number that the style of a bar is drawn by. */
const numberOf = (at: number, name: string, variable: '--n' | '--of'): Promise<number> =>
  meter(at, name)
    .locator('.meter')
    .evaluate((bar, property) => Number(getComputedStyle(bar).getPropertyValue(property)), variable);
/** Likes, views and trades, with their names for screen readers. */
const counts = (at: number): Promise<readonly string[]> =>
  card(at).locator('.strategy-counts > span').allTextContents();

/** The explorer with the changed cards. */
const openCards = async (): Promise<Exploration> => {
  await changeCards(page, changes);
  const answer = await explorationAfter(page, () => page.goto('/strategies?sort_by=likes'));
  await resultsLoaded(page);
  return answer;
};

describe('the card of a strategy', () => {
  it('shows what is known', async () => {
    const list = await page.request.get(`${explorerRoutes.filtered}?limit=2&sort_by=likes`);
    const second = StrategyList.parse(await list.json()).strategies[1]?.url_id;
    await page.route(`**/${second}.svg`, (route) => route.abort());
    const { chartImageOrigin } = (await (await page.request.get('/api/config')).json()) as Readonly<{
      chartImageOrigin: string;
    }>;
    const answer = await openCards();
    const segmentsReached = (field: FacetField, value: number): number => {
      const edges = answer.histograms.find((each) => each.field === field)?.edges ?? [];
      return Math.max(1, edges.slice(0, -1).filter((edge) => value >= edge).length);
    };
    await checkRows('strategy card', {
      'it has the title and "Strategy by" with the author': async () => {
        await expectShown(card(0).getByRole('heading', { name: 'Trend follower', exact: true }));
        await expectShown(card(0).getByText('Strategy by Ada', { exact: true }));
      },
      'it has likes, views and trades': async () =>
        expect(await counts(0)).toEqual(['1.2K likes', '56 views', '789 trades']),
      'it has a bar of 40 segments for P&L and for Max DD, and of 20 for PF and for Sharpe': async () => {
        await expectAllTexts(card(0).locator('.meters dt'), ['P&L', 'Max DD', 'PF', 'Sharpe']);
        const names = ['P&L', 'Max DD', 'PF', 'Sharpe'];
        expect(await Promise.all(names.map((name) => numberOf(0, name, '--of')))).toEqual([40, 40, 20, 20]);
      },
      'a bar lights the segments whose threshold the value reaches': async () => {
        for (const [name, field, value] of [
          ['P&L', 'totalPandlPercent', 1_234.56],
          ['Max DD', 'maxDrawdownPercent', 12.34],
          ['PF', 'profitFactor', 1.567],
          ['Sharpe', 'sharpeRatio', 0.456],
        ] as const) {
          expect([name, await numberOf(0, name, '--n')]).toEqual([name, segmentsReached(field, value)]);
        }
      },
      'a bar is there only if its value is known': () =>
        expectAllTexts(card(1).locator('.meters dt'), ['PF']),
      'the first 2 indicators are shown, the others are counted: +2 more': () =>
        expectAllTexts(card(0).locator('.chip--still'), ['EMA', 'RSI', '+2 more']),
      'with 2 indicators there is no count': () =>
        expectAllTexts(card(1).locator('.chip--still'), ['EMA', 'RSI']),
      'the lines of code are counted: 120 lines, 1 line': async () => {
        await expectShown(card(0).getByText('120 lines', { exact: true }));
        await expectShown(card(1).getByText('1 line', { exact: true }));
      },
      'the date of publication is written as Mar 4, 2024': () =>
        expectShown(card(0).getByText('Mar 4, 2024', { exact: true })),
      'the thumbnail comes from the host of chart images': async () =>
        expect(await card(0).locator('img').getAttribute('src')).toBe(
          `${chartImageOrigin}/${answer.strategies[0]?.url_id}.svg`,
        ),
      'a thumbnail that cannot be loaded is hidden': async () => {
        await expectHidden(card(1).locator('img'));
        expect(await card(0).locator('img').isVisible()).toBe(true);
      },
      'a click on the card opens /strategy/ with the id of the strategy': async () => {
        await card(0).click();
        await page.waitForURL(`**/strategy/${answer.strategies[0]?.url_id}`);
      },
    });
  }, 90_000);

  it('has short numbers', async () => {
    await openCards();
    await checkRows('number formats', {
      'thousands are K with one decimal': async () => {
        expect(await figure(0, 'P&L')).toBe('+1.2K%');
        expect(await counts(2)).toContain('1.0K views');
        expect(await counts(3)).toContain('999.9K likes');
      },
      'millions are M with one decimal': async () => {
        expect(await figure(2, 'P&L')).toBe('−2.3M%');
        expect(await counts(3)).toContain('1.5M views');
        expect(await counts(4)).toContain('1.0M likes');
      },
      'billions are B with one decimal': async () => expect(await figure(3, 'P&L')).toBe('+3.0B%'),
      'below a thousand there is no letter': async () => expect(await counts(2)).toContain('999 likes'),
      'a positive percentage of P&L has a plus sign': async () =>
        expect(await figure(5, 'P&L')).toBe('+12.3%'),
      'a negative one has a minus sign': async () => expect(await figure(6, 'P&L')).toBe('−12.3%'),
      'zero has no sign': async () => expect(await figure(4, 'P&L')).toBe('0.0%'),
      'an infinite profit factor is ∞': async () => expect(await figure(1, 'PF')).toBe('∞'),
      'what is missing is N/A': async () => {
        await expectShown(card(1).getByText('Strategy by N/A', { exact: true }));
        expect(await counts(1)).toContain('N/A likes');
        await expectShown(card(1).locator('.strategy-foot').getByText('N/A', { exact: true }));
      },
    });
  }, 90_000);
});
