import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { facetFields, facets, itemRecord } from '@tapedeck/search-engine/contract';
import {
  importStrategies,
  randomRows,
  recordOf,
  seededRandom,
  type PartialRecord,
} from '@tapedeck/search-engine/testing';
import { createTestCatalogue, type TestCatalogue } from '@tapedeck/search-engine/testing';
import { Exploration, explorerRoutes, HistogramAnswer, RangesAnswer, StrategyList } from './contract.ts';
import { startTestExplorer, type TestExplorer } from './testing/test-explorer.ts';

const strategies: readonly PartialRecord[] = [
  {
    url_id: 'Skyrex01',
    title: 'Alligator Long Term [Skyrex.io]',
    author: 'Skyrex',
    categories: ['super trend', 'ichimoku cloud'],
    symbol: 'BINANCE:BTC_USDT',
    pine_version: 5,
    publication_date: '2024-05-17',
    backtesting_range_start: '2023-05-11',
    backtesting_range_end: '2024-05-16',
    full_description: 'Rides a Média móvel.',
    commission: '0.1%',
    total_pandl: '+1,234.56 USD (+12.35%)',
    max_equity_drawdown: '154.20%',
    profit_factor: '∞',
    sharpe_ratio_all: '−0.489',
    total_trades: '1,026',
    likes: 20_349,
    views: 10,
    comments_count: 3,
    code_lines: 111,
  },
  { url_id: 'Bare0001', title: 'Bare' },
  { url_id: 'Bare0002', title: 'Barely profitable', total_pandl: '1%', likes: 5 },
];

let catalogue: TestCatalogue;
let explorer: TestExplorer;

beforeAll(async () => {
  catalogue = await createTestCatalogue();
  await importStrategies(catalogue.store, strategies);
  await importStrategies(catalogue.store, randomRows(seededRandom(3), 300).map(recordOf));
  await catalogue.project();
  explorer = await startTestExplorer(catalogue);
});
afterAll(async () => {
  await explorer.close();
  await catalogue.close();
});

const getJson: TestExplorer['getJson'] = (schema, path) => explorer.getJson(schema, path);

const routes = [
  explorerRoutes.explore,
  explorerRoutes.filtered,
  explorerRoutes.ranges,
  `${explorerRoutes.histogram}?field=likes`,
  `${explorerRoutes.quantileHistogram}?field=sharpeRatio`,
  `${explorerRoutes.brush}?active=likes`,
  explorerRoutes.indicatorTotals,
  explorerRoutes.similar('Skyrex01'),
];

describe('GET /api/strategies/datatable/filtered', () => {
  it('returns a strategy with numeric texts and the labels of its indicators', async () => {
    const list = await getJson(StrategyList, `${explorerRoutes.filtered}?search=skyrex`);
    expect(list).toMatchObject({
      total: 1,
      totalCount: 1,
      meta: { page: 1, limit: 20, pages: 1, demo: false, position: expect.stringMatching(/^\d+$/) },
    });
    expect(list.strategies).toEqual([
      {
        ...itemRecord(
          () => null,
          () => null,
        ),
        url_id: 'Skyrex01',
        title: 'Alligator Long Term [Skyrex.io]',
        author: 'Skyrex',
        likes: 20_349,
        views: 10,
        total_trades: '1026',
        total_pandl_percent: '12.35',
        max_drawdown_percent: '154.2',
        profit_factor_numeric: 'Infinity',
        sharpe_ratio_numeric: '-0.489',
        categories: ['Supertrend', 'Ichimoku'],
        comments: 3,
        code_lines: 111,
        publication_date: '2024-05-17',
      },
    ]);
  });

  it.each([
    'search=ALLI lonG',
    'search=movel',
    'search=supertrend',
    'search=super cloud',
    'symbol=btcu',
    'symbol=Kraken:BTC/USDT',
    'pine_version=v5&search=skyrex',
    'publication_date_start=2024-05-17&publication_date_end=2024-05-17',
    'backtesting_date_start=2023-05-11&backtesting_date_end=2024-05-16',
    'has_performance=true&has_enhanced=true&search=alligator',
    'min_likes=20349&max_likes=20349',
    'min_profit_factor=1000000&search=alligator',
    'min_max_drawdown_percent=154.2&max_max_drawdown_percent=154.2',
  ])('finds a strategy by %s', async (parameters) => {
    const { strategies: found } = await getJson(
      StrategyList,
      `${explorerRoutes.filtered}?${parameters}&limit=100`,
    );
    expect(found.map(({ url_id }) => url_id)).toContain('Skyrex01');
  });

  it.each([
    'search=skyrex bare',
    'search=kyrex',
    'symbol=usdt',
    'has_enhanced=true&search=bare',
    'min_likes=0.5&search=bare0001',
    'max_profit_factor=5',
    'publication_date_end=2024-05-16',
    'backtesting_date_start=2023-05-12',
  ])('leaves a strategy out by %s', async (parameters) => {
    const { strategies: found } = await getJson(
      StrategyList,
      `${explorerRoutes.filtered}?${parameters}&limit=100`,
    );
    expect(found.map(({ url_id }) => url_id)).not.toContain('Skyrex01');
  });

  it('sorts by P&L per cent by default, with unknown values last in both directions', async () => {
    for (const parameters of ['', '&sort_order=desc', '&sort_by=total_pandl&sort_order=asc']) {
      const pages = [1, 2, 3, 4].map((page) =>
        getJson(StrategyList, `${explorerRoutes.filtered}?limit=100&page=${page}${parameters}`),
      );
      const rows = (await Promise.all(pages)).flatMap(({ strategies: found }) => found);
      expect(rows.length).toBeGreaterThan(300);
      const known = rows.filter(({ total_pandl_percent }) => total_pandl_percent !== null);
      expect(rows.slice(0, known.length)).toEqual(known);
      const percents = known.map(({ total_pandl_percent }) => Number(total_pandl_percent));
      const sign = parameters.endsWith('asc') ? 1 : -1;
      expect(percents).toEqual(percents.toSorted((a, b) => sign * (a - b)));
      const unknown = rows.slice(known.length).map(({ url_id }) => url_id);
      expect(unknown).toContain('Bare0001');
      expect(unknown).toEqual(unknown.toSorted());
    }
  });

  it('returns no rows on a page beyond the end', async () => {
    const {
      strategies: found,
      total,
      meta,
    } = await getJson(StrategyList, `${explorerRoutes.filtered}?page=90&limit=100`);
    expect([found, total > 300, meta.pages]).toEqual([[], true, Math.ceil(total / 100)]);
  });
});

describe('GET /api/strategies/explore', () => {
  it('returns rows, total, all histograms and ranges that equal those of the single calls', async () => {
    const filters = 'search=s&min_likes=1&max_max_drawdown_percent=60';
    const all = await getJson(Exploration, `${explorerRoutes.explore}?${filters}&limit=12`);
    const list = await getJson(StrategyList, `${explorerRoutes.filtered}?${filters}&limit=12`);
    const ranges = await getJson(RangesAnswer, `${explorerRoutes.ranges}?search=s`);
    const { histograms, ranges: allRanges, ...rows } = all;
    expect(rows).toEqual(list);
    expect({ ...allRanges, meta: ranges.meta }).toEqual(ranges);
    for (const [index, field] of facetFields.entries()) {
      const { meta: _, ...single } = await getJson(
        HistogramAnswer,
        `${explorerRoutes.histogram}?field=${field}&${filters}`,
      );
      expect(histograms[index]).toEqual(single);
    }
  });

  it('counts bars and unknown values that add up to the total without the own range', async () => {
    const bounds = 'min_likes=2&min_sharpe_ratio=0.3&max_views=80'.split('&');
    const { histograms } = await getJson(Exploration, `${explorerRoutes.explore}?${bounds.join('&')}`);
    for (const { field, counts, unknown } of histograms) {
      const others = bounds.filter((bound) => !bound.slice(4).startsWith(`${facets[field].parameter}=`));
      const open = await getJson(StrategyList, `${explorerRoutes.filtered}?${others.join('&')}`);
      expect(counts.reduce((sum, count) => sum + count, unknown)).toBe(open.total);
    }
  });

  it('uses the requested scale, and the quantile scale on the quantile path', async () => {
    const scaleOf = async (path: string): Promise<string> => (await getJson(HistogramAnswer, path)).scale;
    expect(await scaleOf(`${explorerRoutes.histogram}?field=likes`)).toBe('quantile');
    expect(await scaleOf(`${explorerRoutes.histogram}?field=sharpeRatio`)).toBe('linear');
    expect(await scaleOf(`${explorerRoutes.histogram}?field=sharpeRatio&scale=log`)).toBe('log');
    expect(await scaleOf(`${explorerRoutes.quantileHistogram}?field=sharpeRatio`)).toBe('quantile');
    expect(await scaleOf(`${explorerRoutes.quantileHistogram}?field=sharpeRatio&scale=linear`)).toBe(
      'linear',
    );
  });
});

describe('an invalid request', () => {
  it.each(routes)('asks a visitor to sign in: %s', async (route) => {
    const response = await fetch(`${explorer.url}${route}`);
    expect(response.status).toBe(401);
  });

  it.each([
    [`${explorerRoutes.explore}?min_likes=many`, 'min_likes'],
    [`${explorerRoutes.filtered}?min_likes=10&max_likes=5`, 'min_likes'],
    [`${explorerRoutes.filtered}?max_sharpe_ratio=NaN`, 'max_sharpe_ratio'],
    [`${explorerRoutes.filtered}?page=1000&limit=100`, 'page'],
    [`${explorerRoutes.filtered}?limit=0`, 'limit'],
    [`${explorerRoutes.filtered}?min_views=1&min_views=2`, 'min_views'],
    [`${explorerRoutes.ranges}?publication_date_start=17.5.2024`, 'publication_date_start'],
    [
      `${explorerRoutes.ranges}?backtesting_date_start=2024-02-01&backtesting_date_end=2024-01-01`,
      'backtesting_date_start',
    ],
    [explorerRoutes.histogram, 'field'],
    [`${explorerRoutes.histogram}?field=title`, 'field'],
    [`${explorerRoutes.quantileHistogram}?field=likes&scale=cubic`, 'scale'],
    [`${explorerRoutes.explore}?scales=likes:cubic`, 'scales'],
    [explorerRoutes.brush, 'active'],
    [`${explorerRoutes.brush}?active=likes&scales=likes`, 'scales'],
    [`${explorerRoutes.brush}?active=likes&min_views=9&max_views=8`, 'min_views'],
    [`${explorerRoutes.indicatorTotals}?max_comments=few`, 'max_comments'],
    [`${explorerRoutes.similar('Skyrex01')}?limit=25`, 'limit'],
  ])('is refused with the name of the parameter: %s', async (path, parameter) => {
    const response = await explorer.get(path);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      status: 400,
      detail: expect.stringContaining(parameter),
      errors: expect.arrayContaining([expect.objectContaining({ path: parameter })]),
    });
  });
});
