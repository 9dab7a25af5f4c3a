import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  BrushSlice,
  Exploration,
  explorerRoutes,
  IndicatorTotals,
  SimilarStrategies,
  StrategyList,
  unpackSlice,
} from './contract.ts';
import { binCount, facetFields } from '@tapedeck/search-engine/contract';
import { seededRandom, randomRows, importStrategies, recordOf } from '@tapedeck/search-engine/testing';
import { createTestCatalogue, type TestCatalogue } from '@tapedeck/search-engine/testing';
import { startTestExplorer, type TestExplorer } from './testing/test-explorer.ts';

let ground: TestCatalogue;
let explorer: TestExplorer;

beforeAll(async () => {
  ground = await createTestCatalogue();
  await importStrategies(ground.store, randomRows(seededRandom(4), 300).map(recordOf));
  await importStrategies(ground.store, [{ url_id: 'Nothing1', title: 'Nothing known' }]);
  await ground.project();
  explorer = await startTestExplorer(ground);
});
afterAll(async () => {
  await explorer.close();
  await ground.close();
});

const ask: TestExplorer['ask'] = (schema, path) => explorer.ask(schema, path);

const sum = (counts: Iterable<number>): number => [...counts].reduce((all, count) => all + count, 0);

describe('the histograms of one interaction', () => {
  it('have the scales that are asked for, and the default ones else', async () => {
    const { histograms } = await ask(
      Exploration,
      `${explorerRoutes.explore}?scales=sharpeRatio:quantile,likes:log`,
    );
    const scaleOf = Object.fromEntries(histograms.map(({ field, scale }) => [field, scale]));
    expect(scaleOf).toMatchObject({ sharpeRatio: 'quantile', likes: 'log', profitFactor: 'linear' });
  });
});

describe('a brush slice', () => {
  const others = 'min_views=2&has_performance=true';

  it('answers every range between two stops as the list does', async () => {
    const slice = await ask(BrushSlice, `${explorerRoutes.brush}?active=likes&${others}&min_likes=4`);
    expect(slice).toMatchObject({ field: 'likes', scale: 'quantile', meta: { demo: false } });
    const { stops } = slice;
    const { hits } = unpackSlice(slice);
    expect(hits).toHaveLength(2 * stops.length + 2);
    for (const [i, j] of [
      [0, stops.length - 1],
      [1, 3],
      [2, 2],
    ] as const) {
      const bounds = `min_likes=${stops[i]}&max_likes=${stops[j]}`;
      const { total } = await ask(StrategyList, `${explorerRoutes.filtered}?${others}&${bounds}`);
      // A low bound of 0 is what is sent for none, and the range then begins below the first stop.
      const from = stops[i] === 0 ? 0 : 2 * i + 1;
      expect(sum(hits.slice(from, 2 * j + 2))).toBe(total);
    }
    const { total } = await ask(StrategyList, `${explorerRoutes.filtered}?${others}`);
    expect(sum(hits)).toBe(total);
  });

  it('is compressed on its way', async () => {
    const path = `${explorerRoutes.brush}?active=likes`;
    const response = await explorer.get(path, { 'accept-encoding': 'gzip, deflate, br' });
    expect(response.headers.get('content-encoding')).toBe('br');
    expect(BrushSlice.parse(await response.json()).field).toBe('likes');
  });

  it('has the seven other facets, in the scales that are asked for', async () => {
    const scales = 'scales=views:log,likes:linear';
    const slice = await ask(BrushSlice, `${explorerRoutes.brush}?active=likes&${scales}`);
    expect([slice.scale, slice.facets.map(({ field }) => field)]).toEqual([
      'linear',
      facetFields.filter((field) => field !== 'likes'),
    ]);
    const { histograms } = await ask(Exploration, `${explorerRoutes.explore}?${scales}`);
    for (const { field, scale, bins, counts } of unpackSlice(slice).facets) {
      const histogram = histograms.find((one) => one.field === field);
      expect([scale, bins]).toEqual([histogram?.scale, binCount[field]]);
      const bars = Array.from({ length: bins + 1 }, (_, bin) =>
        sum(counts.filter((_count, place) => place % (bins + 1) === bin)),
      );
      expect(bars).toEqual([...(histogram?.counts ?? []), histogram?.unknown]);
    }
  });
});

describe('the totals of the indicators', () => {
  it('are what the search for each finds, in place of the search that is given', async () => {
    const { counts } = await ask(IndicatorTotals, `${explorerRoutes.indicatorTotals}?search=zzz&min_likes=2`);
    expect(Object.keys(counts).length).toBeGreaterThan(5);
    for (const [label, count] of Object.entries(counts)) {
      const search = encodeURIComponent(label);
      const list = await ask(StrategyList, `${explorerRoutes.filtered}?search=${search}&min_likes=2`);
      expect([label, count]).toEqual([label, list.total]);
    }
  });
});

describe('similar strategies', () => {
  it('are six unless told otherwise, without the one itself', async () => {
    const [first] = (await ask(StrategyList, explorerRoutes.filtered)).strategies;
    const urlId = first?.url_id ?? '';
    const { strategies } = await ask(SimilarStrategies, explorerRoutes.similar(urlId));
    const more = await ask(SimilarStrategies, `${explorerRoutes.similar(urlId)}?limit=9`);
    expect(strategies).toHaveLength(6);
    expect(more.strategies.slice(0, 6)).toEqual(strategies);
    expect(more.strategies.map(({ url_id }) => url_id)).not.toContain(urlId);
  });

  it('are none of what has no figure', async () => {
    expect(await ask(SimilarStrategies, explorerRoutes.similar('Nothing1'))).toEqual({ strategies: [] });
  });

  it.each([
    ['Unknown1', 404, 'STRATEGY_NOT_FOUND'],
    ['short', 400, 'INVALID_STRATEGY_ID'],
    ['..%2F..%2Fa', 400, 'INVALID_STRATEGY_ID'],
  ])('has a problem for %s', async (urlId, status, code) => {
    const response = await explorer.get(explorerRoutes.similar(urlId));
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ status, code });
  });
});
