import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { waitForPosition } from '@tapedeck/eventing/projections';
import { derivedId } from '@tapedeck/kernel';
import { ReadModels } from '@tapedeck/platform/http';
import { asAccount, createTestApp } from '@tapedeck/platform/testing';
import { StrategiesModule } from './api.ts';
import { IndicatorCatalogue, StrategyDetails, strategyRoutes } from './contract.ts';
import { importFixture, type ImportFixture } from './testing/import-fixture.ts';
import { strategiesSettings } from './settings.ts';

const member = derivedId('member');
const withoutCode = derivedId('without code');

let fixture: ImportFixture;
let app: NestFastifyApplication;
let url: string;

beforeAll(async () => {
  fixture = await importFixture();
  await fixture.importStrategies(
    {
      url_id: 'S3LKflwr',
      title: 'Alligator </script>',
      publication_date: '2024-05-17',
      likes: 20_349,
      pine_script: 'a\nb\n',
      pine_version: 5,
      categories: ['ichimoku', 'Ichimoku Cloud', 'Gann Fan'],
      total_pandl: '−344.63 USDT (−34.46%)',
      profit_factor: '∞',
      profit_factor_long: '2.31',
      sortino_ratio_all: '−0.748',
      how_it_works: 'Buys high.',
      symbol: 'BINANCE:BTCUSDT',
      timeframe: '4h',
    },
    { url_id: 'Bare0001', title: 'Bare' },
    { url_id: 'Hosted01', title: 'Hosted', source_url: 'https://github.com/a/b/blob/c/d.pine' },
  );
  app = await createTestApp({
    modules: [StrategiesModule],
    settings: strategiesSettings,
    databases: fixture.databases,
    config: { CHART_ORIGIN: 'https://charts.example' },
    features: { [withoutCode]: ['explorer'] },
  });
  const { catalogue } = fixture.databases;
  app
    .get(ReadModels)
    .register('strategies', (position, timeout) =>
      waitForPosition(catalogue, 'strategies', position, timeout),
    );
  await app.listen(0, '127.0.0.1');
  url = await app.getUrl();
});
afterAll(async () => {
  await app.close();
  await fixture.close();
});

const get = (path: string, headers: Record<string, string> = { [asAccount]: member }): Promise<Response> =>
  fetch(`${url}${path}`, { headers });

describe('GET /api/strategies/details/{urlId}', () => {
  it('returns the texts of the source and the labels of its indicators', async () => {
    const response = await get(strategyRoutes.details('S3LKflwr'));
    expect(response.status).toBe(200);
    expect(StrategyDetails.parse(await response.json())).toMatchObject({
      urlId: 'S3LKflwr',
      title: 'Alligator </script>',
      publicationDate: '2024-05-17',
      likes: 20_349,
      codeLines: 2,
      pineVersion: 5,
      categories: ['Ichimoku', 'Gann Fan'],
      totalPandl: '−344.63 USDT (−34.46%)',
      profitFactor: '∞',
      profitFactorLong: '2.31',
      profitFactorShort: null,
      sharpeRatioAll: null,
      sortinoRatioAll: '−0.748',
      howItWorks: 'Buys high.',
      symbol: 'BINANCE:BTCUSDT',
      timeframe: '4h',
    });
  });

  it('contains the source code only for members whose plan includes it', async () => {
    const codeFor = async (account: string, urlId: string): Promise<unknown> => {
      const answer = await get(strategyRoutes.details(urlId), { [asAccount]: account });
      const { title, pineScript, sourceCodeIncluded } = StrategyDetails.parse(await answer.json());
      return [title, pineScript, sourceCodeIncluded];
    };
    expect(await codeFor(member, 'S3LKflwr')).toEqual(['Alligator </script>', 'a\nb\n', true]);
    expect(await codeFor(withoutCode, 'S3LKflwr')).toEqual(['Alligator </script>', null, false]);
    expect(await codeFor(member, 'Bare0001')).toEqual(['Bare', null, true]);
  });

  it('returns null for unknown values', async () => {
    const details = StrategyDetails.parse(await (await get(strategyRoutes.details('Bare0001'))).json());
    expect(details).toMatchObject({ author: null, likes: null, publicationDate: null, categories: [] });
  });

  it('links to the source, and to the charting site where the source is not stated', async () => {
    const linkOf = async (urlId: string): Promise<unknown> => {
      const { sourceUrl, isOnChartingSite } = StrategyDetails.parse(
        await (await get(strategyRoutes.details(urlId))).json(),
      );
      return [sourceUrl, isOnChartingSite];
    };
    expect(await linkOf('Hosted01')).toEqual(['https://github.com/a/b/blob/c/d.pine', false]);
    expect(await linkOf('Bare0001')).toEqual(['https://charts.example/script/Bare0001/', true]);
  });

  it.each(['s3lkflwr', 'Unknown1', 'x', '%00', '..%2f..', "'--", 'S3LKflwr%20'])(
    'returns 404 for %j',
    async (urlId) => {
      const response = await get(`/api/strategies/details/${urlId}`);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: 'STRATEGY_NOT_FOUND' });
    },
  );

  it('requires a session', async () => {
    expect((await get(strategyRoutes.details('S3LKflwr'), {})).status).toBe(401);
    expect((await get(strategyRoutes.indicators, {})).status).toBe(401);
  });
});

describe('GET /api/indicators', () => {
  it('returns known indicators and those that only sources name, by category', async () => {
    const catalogue = IndicatorCatalogue.parse(await (await get(strategyRoutes.indicators)).json());
    expect(Object.keys(catalogue)).toEqual(['Trend', 'Momentum', 'Volatility', 'Volume', 'Levels', 'Other']);
    expect(catalogue['Momentum']).toContainEqual({ id: 'macd', indicator: 'MACD' });
    expect(catalogue['Trend']?.filter(({ indicator }) => indicator === 'Ichimoku')).toHaveLength(1);
    expect(catalogue['Other']).toEqual([{ id: 'gann-fan', indicator: 'Gann Fan' }]);
  });
});
