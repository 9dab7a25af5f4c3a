import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { derivedId } from '@tapedeck/kernel';
import { asAccount } from '@tapedeck/platform/testing';
import { createTestCatalogue, importStrategies, type TestCatalogue } from '@tapedeck/search-engine/testing';
import { explorerRoutes, HistogramAnswer, StrategyList, Teaser } from '../contract.ts';
import { startTestExplorer, type TestExplorer } from '../testing/test-explorer.ts';

let catalogue: TestCatalogue;
let explorer: TestExplorer;

beforeAll(async () => {
  catalogue = await createTestCatalogue();
  const spread = Array.from({ length: 400 }, (_, index) => ({
    url_id: `Spread${String(index).padStart(3, '0')}`,
    title: `Strategy ${index}`,
    sharpe_ratio_all: String(((index * 37) % 60) / 10 - 2),
    max_equity_drawdown: `${((index * 17) % 90) + 0.5}%`,
  }));
  await importStrategies(catalogue.store, spread);
  await importStrategies(catalogue.store, [
    { url_id: 'Nothing1', title: 'Nothing known' },
    { url_id: 'Sharpe01', title: 'Sharpe only', sharpe_ratio_all: '0.7' },
    { url_id: 'Drawdn01', title: 'Drawdown only', max_equity_drawdown: '12.5%' },
  ]);
  await catalogue.project();
  explorer = await startTestExplorer(catalogue, {
    config: { RATE_LIMIT_TEASER: { max: 20, windowMs: 60_000 } },
  });
});
afterAll(async () => {
  await explorer.close();
  await catalogue.close();
});

const ask = (headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${explorer.url}${explorerRoutes.teaser}`, { headers });

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);
const columnSums = ({ counts, withoutSharpeRatio }: Teaser): readonly number[] =>
  withoutSharpeRatio.map((unknown, column) => unknown + sum(counts.map((row) => row[column] ?? 0)));
const rowSums = ({ counts, withoutDrawdown }: Teaser): readonly number[] =>
  counts.map((row, index) => sum(row) + (withoutDrawdown[index] ?? 0));

const histogramOf = (field: string): Promise<HistogramAnswer> =>
  explorer.getJson(HistogramAnswer, `${explorerRoutes.histogram}?field=${field}`);

describe('GET /api/strategies/teaser', () => {
  it('has the total, and the histograms that members see', async () => {
    const teaser = Teaser.parse(await (await ask()).json());
    const [sharpe, drawdown] = [await histogramOf('sharpeRatio'), await histogramOf('maxDrawdownPercent')];
    expect(teaser).toMatchObject({
      total: 403,
      demo: false,
      sharpeRatio: { edges: sharpe.edges },
      maxDrawdownPercent: { edges: drawdown.edges },
    });
    expect([teaser.counts.length, ...teaser.counts.map((row) => row.length)]).toEqual([
      20,
      ...Array.from({ length: 20 }, () => 40),
    ]);
    expect(rowSums(teaser)).toEqual(sharpe.all);
    expect(columnSums(teaser)).toEqual(drawdown.all);
    expect(sum(teaser.withoutSharpeRatio)).toBeGreaterThan(0);
    expect(sum(teaser.withoutDrawdown)).toBeGreaterThan(0);
  });

  it('counts each row as a search with its bounds does', async () => {
    const teaser = Teaser.parse(await (await ask()).json());
    const { edges } = teaser.sharpeRatio;
    for (const row of [3, 10, 16]) {
      const low = edges[row] ?? 0;
      const below = (edges[row + 1] ?? 0) - 0.001;
      const bounds = `min_sharpe_ratio=${low}&max_sharpe_ratio=${below.toFixed(3)}`;
      const { total } = await explorer.getJson(StrategyList, `${explorerRoutes.filtered}?${bounds}`);
      expect(total).toBeGreaterThan(0);
      expect(rowSums(teaser)[row]).toBe(total);
    }
  });

  it('is the same for visitors and members, and may be cached', async () => {
    const [visitor, member] = [await ask(), await ask({ [asAccount]: derivedId('member') })];
    expect(visitor.headers.get('cache-control')).toBe(
      'public, max-age=60, stale-while-revalidate=600, stale-if-error=86400',
    );
    expect(await visitor.text()).toBe(await member.text());
    const etag = visitor.headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
    for (const known of [etag, `"other", ${etag.slice(2)}`]) {
      const again = await ask({ 'if-none-match': known });
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
      expect(again.headers.get('cache-control')).toBe(visitor.headers.get('cache-control'));
    }
    expect((await ask({ 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('is small, and nothing in it is about a person or a strategy', async () => {
    const text = await (await ask()).text();
    expect(text.length).toBeLessThan(6_000);
    expect(text.match(/[a-z]+/gi)?.toSorted()).toEqual(
      [
        'counts',
        'demo',
        'edges',
        'edges',
        'false',
        'maxDrawdownPercent',
        'sharpeRatio',
        'total',
        'withoutDrawdown',
        'withoutSharpeRatio',
      ].toSorted(),
    );
  });

  it('is limited for one address', async () => {
    let last = await ask();
    for (let requests = 0; requests < 20 && last.status !== 429; requests++) last = await ask();
    expect([last.status, Number(last.headers.get('retry-after')) > 0]).toEqual([429, true]);
  });
});
