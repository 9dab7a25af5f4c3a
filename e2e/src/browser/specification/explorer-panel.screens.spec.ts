import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import type { Exploration } from '@tapedeck/explorer/contract';
import { facets } from '@tapedeck/search-engine/contract';
import { strategyRoutes, type IndicatorCatalogue } from '@tapedeck/strategies/contract';
import type { Page } from 'playwright-core';
import {
  expectHidden,
  expectShown,
  expectTotal,
  explorationAfter,
  holdRequests,
  openExplorer,
  resultsLoaded,
} from '../explorer-screen.ts';
import { lowOf, maximum, minimum } from '../slider-screen.ts';
import { setUpTestEnvironment } from '../test-environment.ts';
import { colourOf, expectAllTexts, field, listRequestAfter, lists, type } from './catalogue-screen.ts';
import { checkRows } from './check-rows.ts';

const environment = setUpTestEnvironment({ product: 'shared', reusesPage: true });
const catalogueSize = 4_500;
let page: Page;

beforeEach(() => {
  ({ page } = environment);
});

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });

describe('the filter panel', () => {
  const group = (name: string) => page.locator('details.group', { hasText: name });
  const search = () => field(page, 'Search strategies');

  it('has its controls', async () => {
    // No strategy of the demo catalogue has an indicator of another category.
    await page.route(`**${strategyRoutes.indicators}`, async (route) => {
      const response = await route.fetch();
      const catalogue = (await response.json()) as IndicatorCatalogue;
      await route.fulfill({
        response,
        json: { ...catalogue, Other: [{ id: 'renko', indicator: 'Renko' }] },
      });
    });
    await openExplorer(page);
    await checkRows('filter panel', {
      'the title is Strategy Explorer, with the badge Beta and the number of results': async () => {
        const head = page.locator('.results-head .title');
        await expectShown(head.getByRole('heading', { level: 1, name: 'Strategy Explorer' }));
        await expectAllTexts(head.locator('.badge'), ['Beta', '4,500 results']);
      },
      'the panel closes and opens again': async () => {
        await button('Close the filter panel').click();
        await expectHidden(search());
        await button('Filters').click();
        await expectShown(search());
      },
      'one field searches title, author, indicator and description': async () =>
        expect(await search().getAttribute('placeholder')).toBe('Title, author, indicator, description'),
      'the sliders are Total P&L %, Max drawdown %, Profit factor, Sharpe ratio, Likes, Views, Comments and Lines of code':
        () =>
          expectAllTexts(page.locator('#filters .sliders .histogram-name'), [
            'Total P&L %',
            'Max drawdown %',
            'Profit factor',
            'Sharpe ratio',
            'Likes',
            'Views',
            'Comments',
            'Lines of code',
          ]),
      'P&L is green, drawdown orange, profit factor blue and Sharpe ratio purple': async () => {
        const bars = page.getByRole('region', { name: 'Performance' }).locator('svg.bars.in path');
        const colours = (await bars.all()).map((path) => colourOf(path, 'stroke'));
        expect(await Promise.all(colours)).toEqual(['green', 'orange', 'blue', 'purple']);
      },
      'Symbol has the placeholder e.g. BTCUSD, AAPL': async () =>
        expect(await field(page, 'Symbol').getAttribute('placeholder')).toBe('e.g. BTCUSD, AAPL'),
      'Pine Script version has the placeholder e.g. v5, v4': async () =>
        expect(await field(page, 'Pine Script version').getAttribute('placeholder')).toBe('e.g. v5, v4'),
      'Publication date and Backtesting period are ranges of two days': async () => {
        for (const name of ['Publication date', 'Backtesting period']) {
          const days = page.getByRole('group', { name, exact: true }).locator('input[type=date]');
          expect([name, await days.count()]).toEqual([name, 2]);
        }
      },
      'the checkboxes are Has Performance Data and Has Enhanced Data': () =>
        expectAllTexts(page.locator('#filters label.check'), ['Has Performance Data', 'Has Enhanced Data']),
      'indicators are grouped into Trend, Momentum, Volatility, Volume, Levels and Other': async () => {
        const groups = page.getByRole('region', { name: 'Technical indicators' }).locator('.chips');
        const categories = ['Trend', 'Momentum', 'Volatility', 'Volume', 'Levels', 'Other'];
        // They are asked for after the results.
        await eventually(async () => {
          const names = await groups.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')));
          expect(names).toEqual(categories.map((category) => `${category} indicators`));
        });
      },
      'a group of indicators collapses and opens again': async () => {
        const chips = group('Momentum').getByRole('group');
        await expectShown(chips);
        await group('Momentum').locator('summary').click();
        await expectHidden(chips);
        await group('Momentum').locator('summary').click();
        await expectShown(chips);
      },
      'a chip puts the name of its indicator into the search, and requests it': async () => {
        const request = await listRequestAfter(page, () => button(/^MACD\b/).click());
        expect(request.get('search')).toBe('MACD');
        expect(await search().inputValue()).toBe('MACD');
        expect(await button(/^MACD\b/).getAttribute('aria-pressed')).toBe('true');
      },
      'the pressed chip clears the search': async () => {
        await button(/^MACD\b/).click();
        expect(await search().inputValue()).toBe('');
        expect(await button(/^MACD\b/).getAttribute('aria-pressed')).toBe('false');
        await expectTotal(page, catalogueSize);
      },
    });
  }, 120_000);
});

describe('the sliders', () => {
  /** Both ends of a slider's scale: its thumbs are at them. */
  const rangeOf = async (label: string): Promise<readonly number[]> =>
    Promise.all(
      [minimum(page, label), maximum(page, label)].map(async (thumb) => Number(await thumb.inputValue())),
    );
  const expectStep = (label: string, from: string, to: string) => async (): Promise<void> => {
    await type(page, `${label} from`, from);
    await minimum(page, label).press('ArrowRight');
    expect(await lowOf(page, label)).toBe(to);
    await button(`Clear ${label}`).click();
  };
  /** The heights of the bars of all strategies. */
  const heightsOf = async (label: string): Promise<readonly number[]> => {
    const slider = page.getByRole('group', { name: label, exact: true });
    const path = await slider.locator('svg.bars.all path').getAttribute('d');
    return [...(path ?? '').matchAll(/v-?(\d+)/g)].map(([, height]) => Number(height));
  };

  it('have ranges, steps and bars', async () => {
    const release = await holdRequests(page, lists);
    let histograms: Exploration['histograms'] = [];
    await page.goto('/strategies');
    await checkRows('sliders', {
      'before the ranges of the server are known, each slider has its default range': async () => {
        for (const [label, low, high] of [
          ['Total P&L', -100, 300_000_000],
          ['Max drawdown', 0, 100],
          ['Profit factor', 0, 10],
          ['Sharpe ratio', -5, 5],
          ['Likes', 0, 20_349],
          ['Views', 0, 999],
          ['Comments', 0, 53],
          ['Lines of code', 0, 4_328],
        ] as const) {
          expect([label, ...(await rangeOf(label))]).toEqual([label, low, high]);
        }
      },
      'then its ends are those of the histogram of the server': async () => {
        const answered = await explorationAfter(page, async () => release());
        await resultsLoaded(page);
        for (const { field, edges } of answered.histograms.filter(
          (each) => facets[each.field].group !== 'more',
        )) {
          expect([field, ...(await rangeOf(facets[field].label))]).toEqual([field, edges[0], edges.at(-1)]);
        }
        histograms = answered.histograms;
      },
      'a step of P&L is 1': expectStep('Total P&L', '10', '11'),
      'a step of Max drawdown is 1': expectStep('Max drawdown', '10', '11'),
      'a step of Profit factor is 0.1': expectStep('Profit factor', '1.5', '1.6'),
      'a step of Sharpe ratio is 0.01': expectStep('Sharpe ratio', '0.5', '0.51'),
      'a step of Likes is 100': expectStep('Likes', '100', '200'),
      'a step of Views is 10': expectStep('Views', '20', '30'),
      'a step of Comments is 1': expectStep('Comments', '2', '3'),
      'a step of Lines of code is 50': expectStep('Lines of code', '50', '100'),
      'P&L and drawdown have 40 bars': async () => {
        for (const label of ['Total P&L', 'Max drawdown']) expect(await heightsOf(label)).toHaveLength(40);
      },
      'profit factor and Sharpe ratio have 20 bars': async () => {
        for (const label of ['Profit factor', 'Sharpe ratio'])
          expect(await heightsOf(label)).toHaveLength(20);
      },
      'the height of a bar is logarithmic': async () => {
        const counts = histograms.find((each) => each.field === 'sharpeRatio')?.all ?? [];
        const max = Math.max(...counts);
        const heights = await heightsOf('Sharpe ratio');
        for (const [at, count] of counts.entries()) {
          const share = Math.log(1 + (12 * count) / max) / Math.log(13);
          expect(heights[at]).toBe(count === 0 ? 0 : Math.max(3, Math.round(100 * share)));
        }
      },
      'a bound with the value of an unset filter is open, and filters nothing': async () => {
        for (const [label, low, high] of [
          ['Total P&L', '-999999', '999999999'],
          ['Max drawdown', '0', '100'],
          ['Profit factor', '0', '999999'],
          ['Sharpe ratio', '-999', '999'],
          ...(['Likes', 'Views', 'Comments', 'Lines of code'] as const).map(
            (label) => [label, '0', '999999'] as const,
          ),
        ] as const) {
          await type(page, `${label} from`, low);
          await type(page, `${label} to`, high);
          expect([label, await button(`Clear ${label}`).count()]).toEqual([label, 0]);
        }
        await page.waitForURL(({ search }) => search === '');
        await expectTotal(page, catalogueSize);
      },
    });
  }, 120_000);
});
