import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defaultScale, facets, type FacetField } from '@tapedeck/search-engine/contract';
import {
  createTestCatalogue,
  importStrategies,
  randomRows,
  recordOf,
  seededRandom,
  type TestCatalogue,
} from '@tapedeck/search-engine/testing';
import {
  explorerRoutes,
  HistogramAnswer,
  rankedFields,
  StrategyList,
  StrategyPlaces,
  type StrategyListItem,
} from './contract.ts';
import { startTestExplorer, type TestExplorer } from './testing/test-explorer.ts';

const rows = randomRows(seededRandom(11), 300);
/** The figures of these strategies have equals, extremes and gaps. */
const [loser, equal, unbeaten, silent] = ['Loser001', 'Equal001', 'Unbeat01', 'Silent01'] as const;

let catalogue: TestCatalogue;
let explorer: TestExplorer;

beforeAll(async () => {
  catalogue = await createTestCatalogue();
  await importStrategies(catalogue.store, rows.map(recordOf));
  await importStrategies(catalogue.store, [
    { url_id: loser, title: 'Loser', total_pandl: '−1 USD (−9999%)', max_equity_drawdown: '99999%' },
    { url_id: equal, title: 'Equal', total_pandl: '−1 USD (−9999%)', max_equity_drawdown: '0%' },
    { url_id: unbeaten, title: 'Unbeaten', profit_factor: '∞' },
    { url_id: 'Unbeat02', title: 'Unbeaten too', profit_factor: '∞' },
    { url_id: silent, title: 'Nothing known' },
  ]);
  await catalogue.project();
  explorer = await startTestExplorer(catalogue);
});
afterAll(async () => {
  await explorer.close();
  await catalogue.close();
});

const placesOf = (urlId: string): Promise<StrategyPlaces> =>
  explorer.getJson(StrategyPlaces, explorerRoutes.places(urlId));

const placeOf = async (urlId: string, field: FacetField) =>
  (await placesOf(urlId)).places.find((place) => place.field === field);

/** Every strategy, as the list has it. */
const allItems = async (): Promise<readonly StrategyListItem[]> => {
  const items: StrategyListItem[] = [];
  for (let page = 1; ; page++) {
    const list = await explorer.getJson(StrategyList, `${explorerRoutes.filtered}?limit=100&page=${page}`);
    items.push(...list.strategies);
    if (page >= list.meta.pages) return items;
  }
};

/** In which a figure that is not known is NaN, which is neither better nor worse than any. */
const figureOf = (strategy: StrategyListItem, field: FacetField): number => {
  const { item } = facets[field];
  return Number(('text' in item ? strategy[item.text] : strategy[item.number]) ?? NaN);
};

describe('GET /api/strategies/places/{urlId}', () => {
  it('counts what a comparison with every other strategy counts', async () => {
    const items = await allItems();
    expect(items).toHaveLength(rows.length + 5);
    for (const item of items.filter((_, index) => index % 12 === 0)) {
      const { places } = await placesOf(item.url_id);
      const counted = rankedFields.flatMap((field) => {
        const own = figureOf(item, field);
        if (Number.isNaN(own)) return [];
        const figures = items.map((other) => figureOf(other, field)).filter((value) => !Number.isNaN(value));
        const isWorse = (value: number): boolean =>
          facets[field].better === 'less' ? value > own : value < own;
        return [{ field, known: figures.length, worse: figures.filter(isWorse).length }];
      });
      expect(places.map(({ field, known, worse }) => ({ field, known, worse }))).toEqual(counted);
    }
  });

  it('has the histogram of the catalogue and the bin of the strategy in it', async () => {
    const { places, meta } = await placesOf(rows[0]?.urlId ?? '');
    expect(meta.demo).toBe(false);
    for (const { field, scale, edges, all, bin } of places) {
      expect(scale).toBe(defaultScale[field]);
      const histogram = await explorer.getJson(HistogramAnswer, `${explorerRoutes.histogram}?field=${field}`);
      expect([edges, all]).toEqual([histogram.edges, histogram.all]);
      expect(all[bin]).toBeGreaterThan(0);
    }
  });

  it('ranks the smallest profit last, with its equals, and a small drawdown before a large one', async () => {
    expect(await placeOf(loser, 'totalPandlPercent')).toMatchObject({ bin: 0, worse: 0 });
    expect(await placeOf(equal, 'totalPandlPercent')).toMatchObject({ bin: 0, worse: 0 });
    const last = await placeOf(loser, 'maxDrawdownPercent');
    const first = await placeOf(equal, 'maxDrawdownPercent');
    expect(first?.bin).toBe(0);
    expect(first?.worse).toBeGreaterThan(last?.worse ?? Infinity);
  });

  it('ranks an infinite profit factor above every number, in the last bin', async () => {
    const items = await allItems();
    const finite = items.filter((item) => Number.isFinite(figureOf(item, 'profitFactor')));
    const place = await placeOf(unbeaten, 'profitFactor');
    expect(place).toMatchObject({ bin: facets.profitFactor.bins - 1, worse: finite.length });
    expect(place?.known).toBeGreaterThan(finite.length + 1);
  });

  it('leaves out figures that are not known', async () => {
    expect((await placesOf(silent)).places).toEqual([]);
    expect((await placesOf(unbeaten)).places.map(({ field }) => field)).toEqual(['profitFactor']);
  });

  it.each([
    ['Unknown1', 404, 'STRATEGY_NOT_FOUND'],
    ['short', 400, 'INVALID_STRATEGY_ID'],
  ])('refuses %s', async (urlId, status, code) => {
    const response = await explorer.get(explorerRoutes.places(urlId));
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ status, code });
  });

  it('refuses visitors', async () => {
    expect((await fetch(`${explorer.url}${explorerRoutes.places(loser)}`)).status).toBe(401);
  });
});
