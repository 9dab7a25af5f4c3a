import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { facetFields, facets } from '@tapedeck/search-engine/contract';
import { importStrategies, randomRows, recordOf, seededRandom } from '@tapedeck/search-engine/testing';
import { createTestCatalogue, type TestCatalogue } from '@tapedeck/search-engine/testing';
import {
  BrushSlice,
  Exploration,
  explorerRoutes,
  IndicatorTotals,
  SimilarStrategies,
  StrategyList,
  unpackSlice,
} from './contract.ts';
import { startTestExplorer, type TestExplorer } from './testing/test-explorer.ts';

let catalogue: TestCatalogue;
let explorer: TestExplorer;

beforeAll(async () => {
  catalogue = await createTestCatalogue();
  await importStrategies(catalogue.store, randomRows(seededRandom(4), 300).map(recordOf));
  await importStrategies(catalogue.store, [{ url_id: 'Nothing1', title: 'Nothing known' }]);
  await catalogue.project();
  explorer = await startTestExplorer(catalogue);
});
afterAll(async () => {
  await explorer.close();
  await catalogue.close();
});

const getJson: TestExplorer['getJson'] = (schema, path) => explorer.getJson(schema, path);

const sum = (counts: Iterable<number>): number => [...counts].reduce((all, count) => all + count, 0);

describe('histograms of GET /api/strategies/explore', () => {
  it('have the requested scales, else the default ones', async () => {
    const { histograms } = await getJson(
      Exploration,
      `${explorerRoutes.explore}?scales=sharpeRatio:quantile,likes:log`,
    );
    const scaleOf = Object.fromEntries(histograms.map(({ field, scale }) => [field, scale]));
    expect(scaleOf).toMatchObject({ sharpeRatio: 'quantile', likes: 'log', profitFactor: 'linear' });
  });
});

describe('GET /api/strategies/brush', () => {
  const others = 'min_views=2&has_performance=true';

  it('gives every range between two snap points the total of the list', async () => {
    const slice = await getJson(BrushSlice, `${explorerRoutes.brush}?active=likes&${others}&min_likes=4`);
    expect(slice).toMatchObject({ field: 'likes', scale: 'quantile', meta: { demo: false } });
    const { snapPoints } = slice;
    const { hits } = unpackSlice(slice);
    expect(hits).toHaveLength(2 * snapPoints.length + 2);
    for (const [i, j] of [
      [0, snapPoints.length - 1],
      [1, 3],
      [2, 2],
    ] as const) {
      const bounds = `min_likes=${snapPoints[i]}&max_likes=${snapPoints[j]}`;
      const { total } = await getJson(StrategyList, `${explorerRoutes.filtered}?${others}&${bounds}`);
      // A low bound of 0 is what is sent for none, and the range then begins below the first snap point.
      const from = snapPoints[i] === 0 ? 0 : 2 * i + 1;
      expect(sum(hits.slice(from, 2 * j + 2))).toBe(total);
    }
    const { total } = await getJson(StrategyList, `${explorerRoutes.filtered}?${others}`);
    expect(sum(hits)).toBe(total);
  });

  it('is compressed', async () => {
    const path = `${explorerRoutes.brush}?active=likes`;
    const response = await explorer.get(path, { 'accept-encoding': 'gzip, deflate, br' });
    expect(response.headers.get('content-encoding')).toBe('br');
    expect(BrushSlice.parse(await response.json()).field).toBe('likes');
  });

  it('returns the other facets in the requested scales', async () => {
    const scales = 'scales=views:log,likes:linear';
    const slice = await getJson(BrushSlice, `${explorerRoutes.brush}?active=likes&${scales}`);
    expect([slice.scale, slice.facets.map(({ field }) => field)]).toEqual([
      'linear',
      facetFields.filter((field) => field !== 'likes'),
    ]);
    const { histograms } = await getJson(Exploration, `${explorerRoutes.explore}?${scales}`);
    for (const { field, scale, bins, counts } of unpackSlice(slice).facets) {
      const histogram = histograms.find((one) => one.field === field);
      expect([scale, bins]).toEqual([histogram?.scale, facets[field].bins]);
      const bars = Array.from({ length: bins + 1 }, (_, bin) =>
        sum(counts.filter((_count, place) => place % (bins + 1) === bin)),
      );
      expect(bars).toEqual([...(histogram?.counts ?? []), histogram?.unknown]);
    }
  });
});

describe('GET /api/strategies/indicator-totals', () => {
  it('returns for each indicator what a search for it finds in place of the given search', async () => {
    const { counts } = await getJson(
      IndicatorTotals,
      `${explorerRoutes.indicatorTotals}?search=zzz&min_likes=2`,
    );
    expect(Object.keys(counts).length).toBeGreaterThan(5);
    for (const [label, count] of Object.entries(counts)) {
      const search = encodeURIComponent(label);
      const list = await getJson(StrategyList, `${explorerRoutes.filtered}?search=${search}&min_likes=2`);
      expect([label, count]).toEqual([label, list.total]);
    }
  });
});

describe('GET /api/strategies/similar/{urlId}', () => {
  it('returns six by default, without the strategy itself', async () => {
    const [first] = (await getJson(StrategyList, explorerRoutes.filtered)).strategies;
    const urlId = first?.url_id ?? '';
    const { strategies } = await getJson(SimilarStrategies, explorerRoutes.similar(urlId));
    const more = await getJson(SimilarStrategies, `${explorerRoutes.similar(urlId)}?limit=9`);
    expect(strategies).toHaveLength(6);
    expect(more.strategies.slice(0, 6)).toEqual(strategies);
    expect(more.strategies.map(({ url_id }) => url_id)).not.toContain(urlId);
  });

  it('returns none for a strategy without figures', async () => {
    expect(await getJson(SimilarStrategies, explorerRoutes.similar('Nothing1'))).toEqual({ strategies: [] });
  });

  it.each([
    ['Unknown1', 404, 'STRATEGY_NOT_FOUND'],
    ['short', 400, 'INVALID_STRATEGY_ID'],
    ['..%2F..%2Fa', 400, 'INVALID_STRATEGY_ID'],
  ])('refuses %s', async (urlId, status, code) => {
    const response = await explorer.get(explorerRoutes.similar(urlId));
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ status, code });
  });
});
