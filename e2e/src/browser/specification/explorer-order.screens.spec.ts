import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import type { Page } from 'playwright-core';
import {
  expectShown,
  expectTotal,
  explorationAfter,
  openExplorer,
  resultsLoaded,
} from '../explorer-screen.ts';
import { setUpTestEnvironment } from '../test-environment.ts';
import {
  expectAllTexts,
  expectPage,
  field,
  filtersOf,
  listRequestAfter,
  lists,
  pageButtons,
  type,
} from './catalogue-screen.ts';
import { checkRows } from './check-rows.ts';

const environment = setUpTestEnvironment({ product: 'shared', reusesPage: true });
const catalogueSize = 4_500;
let page: Page;

beforeEach(() => {
  ({ page } = environment);
});

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });

describe('the order and the pages', () => {
  const sortBy = () => page.getByLabel('Sort by');
  const startFromPage2 = async (): Promise<void> => {
    await button('Page 2').click();
    await expectPage(page, 2);
  };
  const expectFirstPageAfter = async (act: () => Promise<unknown>): Promise<void> => {
    await startFromPage2();
    await act();
    await expectPage(page, 1);
    expect(filtersOf(page).get('page')).toBeNull();
  };
  const values = [
    'total_pandl',
    'max_equity_drawdown',
    'profit_factor',
    'sharpe_ratio_all',
    'total_trades',
    'win_rate',
    'publication_date',
    'likes',
    'views',
  ] as const;

  it('are those of the list', async () => {
    const requested = page.waitForRequest(lists);
    const answer = await explorationAfter(page, () => page.goto('/strategies'));
    await resultsLoaded(page);
    await checkRows('order and pages', {
      'without a choice the list is sorted by total P&L, descending': async () => {
        const shown = answer.strategies.map(({ total_pandl_percent: percent }) => Number(percent));
        expect(shown).toEqual(shown.toSorted((one, other) => other - one));
        expect([await sortBy().inputValue(), await button(/^Descending/).count()]).toEqual([
          'total_pandl',
          1,
        ]);
      },
      'a list is requested with a limit of 12, and has 12 cards': async () => {
        expect(new URL((await requested).url()).searchParams.get('limit')).toBe('12');
        expect(await page.locator('.strategy-card').count()).toBe(12);
      },
      'the orders are Total P&L, Max Drawdown, Profit Factor, Sharpe Ratio, Trades, Win Rate, Publication Date, Likes and Views':
        () =>
          expectAllTexts(sortBy().locator('option'), [
            'Total P&L',
            'Max Drawdown',
            'Profit Factor',
            'Sharpe Ratio',
            'Trades',
            'Win Rate',
            'Publication Date',
            'Likes',
            'Views',
          ]),
      'they are sent as total_pandl, max_equity_drawdown, profit_factor, sharpe_ratio_all, total_trades, win_rate, publication_date, likes and views':
        async () => {
          const options = await sortBy().locator('option').all();
          expect(await Promise.all(options.map((option) => option.getAttribute('value')))).toEqual(values);
          // The first is the default, which is not sent.
          for (const value of values.slice(1)) {
            const request = await listRequestAfter(page, () => sortBy().selectOption(value));
            expect(request.get('sort_by')).toBe(value);
          }
          await sortBy().selectOption('total_pandl');
          await page.waitForURL(({ search }) => search === '');
        },
      'the button beside it changes between descending and ascending': async () => {
        const request = await listRequestAfter(page, () => button('Descending: change to ascending').click());
        expect(request.get('sort_order')).toBe('asc');
        await button('Ascending: change to descending').click();
        await page.waitForURL(({ search }) => search === '');
        await expectShown(button('Descending: change to ascending'));
      },
      'on the first page Previous cannot be pressed': async () =>
        expect(await button('Previous page').isDisabled()).toBe(true),
      'there are at most 7 page buttons': async () =>
        expect(await pageButtons(page)).toEqual(['1', '2', '3', '4', '5', '6', '7']),
      'Next and Previous turn one page': async () => {
        const request = await listRequestAfter(page, () => button('Next page').click());
        expect(request.get('page')).toBe('2');
        await expectPage(page, 2);
        await button('Previous page').click();
        await expectPage(page, 1);
      },
      'the window of page buttons follows the current page': async () => {
        await button('Page 7').click();
        await expectPage(page, 7);
        expect(await pageButtons(page)).toEqual(['4', '5', '6', '7', '8', '9', '10']);
        await button('Page 4').click();
        await expectPage(page, 4);
      },
      'a change of a filter returns to page 1': () =>
        expectFirstPageAfter(() => page.getByLabel('Has Performance Data').check()),
      'a change of the order returns to page 1': () =>
        expectFirstPageAfter(() => sortBy().selectOption('likes')),
      'a change of the direction returns to page 1': () =>
        expectFirstPageAfter(() => button('Descending: change to ascending').click()),
      'at the last page the window ends with it, and Next cannot be pressed': async () => {
        await openExplorer(page, 'page=375');
        expect(await pageButtons(page)).toEqual(['369', '370', '371', '372', '373', '374', '375']);
        expect(await button('Next page').isDisabled()).toBe(true);
      },
    });
  }, 120_000);
});

describe('a reset', () => {
  const sortBy = () => page.getByLabel('Sort by');
  const stored = () => page.evaluate(() => localStorage.getItem('tapedeck.explorer'));
  const expectStored = (text: string | null) =>
    page.waitForFunction((wanted) => localStorage.getItem('tapedeck.explorer') === wanted, text);
  const flags = () => page.locator('#filters label.check input');

  it('restores everything', async () => {
    await openExplorer(page);
    await checkRows('reset', {
      'filters, order and page are in the address and in the controls before a reset': async () => {
        await button(/^MACD\b/).click();
        await type(page, 'Max drawdown to', '90');
        await field(page, 'Symbol').fill('b');
        for (const flag of await flags().all()) await flag.check();
        await sortBy().selectOption('likes');
        await button('Descending: change to ascending').click();
        await button('Page 2').click();
        await expectPage(page, 2);
        const filters =
          'search=MACD&max_max_drawdown_percent=90&symbol=b&has_performance=true&has_enhanced=true&sort_by=likes&sort_order=asc';
        expect(filtersOf(page).toString()).toBe(`${filters}&page=2`);
        await expectStored(filters);
      },
      'Reset clears every filter': async () => {
        await button('Reset').click();
        await expectTotal(page, catalogueSize);
        expect(filtersOf(page).toString()).toBe('');
        for (const name of ['Max drawdown from', 'Max drawdown to', 'Symbol'])
          expect([name, await field(page, name).inputValue()]).toEqual([name, '']);
        for (const flag of await flags().all()) expect(await flag.isChecked()).toBe(false);
      },
      'Reset clears the chosen indicator': async () => {
        expect(await page.locator('#filters .chip[aria-pressed=true]').count()).toBe(0);
        expect(await field(page, 'Search strategies').inputValue()).toBe('');
      },
      'Reset restores the order by total P&L, descending': async () => {
        expect(await sortBy().inputValue()).toBe('total_pandl');
        await expectShown(button('Descending: change to ascending'));
      },
      'Reset returns to page 1': () => expectPage(page, 1),
      'Reset leaves nothing in the storage of the browser': () => expectStored(null),
      'stored filters are restored at the next visit': async () => {
        await field(page, 'Symbol').fill('eth');
        await expectStored('symbol=eth');
        await page.goto('/strategies');
        await page.waitForURL(({ search }) => search === '?symbol=eth');
        await eventually(async () => expect(await field(page, 'Symbol').inputValue()).toBe('eth'));
      },
      'an address with filters takes precedence over stored ones': async () => {
        expect(await stored()).toBe('symbol=eth');
        await openExplorer(page, 'pine_version=v5');
        expect(await field(page, 'Symbol').inputValue()).toBe('');
        expect(filtersOf(page).toString()).toBe('pine_version=v5');
      },
    });
  }, 120_000);
});
