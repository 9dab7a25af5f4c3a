import { Agent, get } from 'node:http';
import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { derivedId } from '@tapedeck/kernel';
import { asAccount, createTestApp } from '@tapedeck/platform/testing';
import { DEMO_CATALOGUE } from '@tapedeck/platform/tokens';
import { explorerRoutes } from './contract.ts';
import { ExplorerController } from './explorer.controller.ts';
import { CatalogueChanges } from './feed/catalogue-changes.ts';
import { CatalogueFeed } from './feed/catalogue-feed.ts';
import { CountIndicatorsHandler } from './queries/count-indicators.ts';
import { ExploreHandler } from './queries/explore.ts';
import { FindBrushSliceHandler } from './queries/find-brush-slice.ts';
import { FindHistogramHandler } from './queries/find-histogram.ts';
import { FindRangesHandler } from './queries/find-ranges.ts';
import { FindSimilarHandler } from './queries/find-similar.ts';
import { ListStrategiesHandler } from './queries/list-strategies.ts';
import type { Asking, SearchEngine, SearchHit } from './search-port.ts';
import { SEARCH_ENGINE } from './tokens.ts';

let hear: (asking: Asking) => void = () => {};
const heard = (): Promise<Asking> => new Promise((resolve) => (hear = resolve));

/** Works for ever, unless it is told that nobody waits. */
const working = (asking: Asking = {}): Promise<never> =>
  new Promise((_, reject) => {
    asking.signal?.addEventListener('abort', () => reject(new Error('given up')));
    hear(asking);
  });

/** Answers one thing, that there are no similar ones, at once. */
const engine: SearchEngine = {
  search: (_, asking) => working(asking),
  brush: (_, asking) => working(asking),
  countIndicators: (_, asking) => working(asking),
  list: async function* (): AsyncGenerator<readonly SearchHit[]> {},
  similar: (_urlId, limit, asking = {}) => {
    if (limit > 1) return working(asking);
    hear(asking);
    return Promise.resolve([]);
  },
};

@Module({
  imports: [CqrsModule],
  controllers: [ExplorerController],
  providers: [
    { provide: SEARCH_ENGINE, useValue: engine },
    { provide: DEMO_CATALOGUE, useValue: () => false },
    { provide: CatalogueFeed, useValue: { assertReady: () => {}, onChange: () => {} } },
    CatalogueChanges,
    ExploreHandler,
    FindHistogramHandler,
    FindRangesHandler,
    ListStrategiesHandler,
    FindBrushSliceHandler,
    CountIndicatorsHandler,
    FindSimilarHandler,
  ],
})
class ExplorerWithoutCatalogue {}

let app: NestFastifyApplication;
let url: string;

beforeAll(async () => {
  app = await createTestApp({ rooms: [ExplorerWithoutCatalogue] });
  await app.listen(0, '127.0.0.1');
  url = await app.getUrl();
});
afterAll(() => app.close());

const headers = { [asAccount]: derivedId('member') };

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve());
  });

describe('a request whose connection is closed', () => {
  it.each([
    explorerRoutes.explore,
    explorerRoutes.filtered,
    explorerRoutes.ranges,
    `${explorerRoutes.histogram}?field=likes`,
    `${explorerRoutes.quantileHistogram}?field=likes`,
    `${explorerRoutes.brush}?active=likes`,
    explorerRoutes.indicatorTotals,
    explorerRoutes.similar('Skyrex01'),
  ])('is given up by the engine: %s', async (path) => {
    const asked = heard();
    const request = get(`${url}${path}`, { headers }).on('error', () => {});
    const { signal } = await asked;
    expect(signal?.aborted).toBe(false);
    request.destroy();
    if (signal) await aborted(signal);
    expect(signal?.aborted).toBe(true);
  });
});

describe('a request that is answered', () => {
  it('is not given up when its connection goes on or ends', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const path = `${explorerRoutes.similar('Skyrex01')}?limit=1`;
    const answered = async (): Promise<AbortSignal | undefined> => {
      const asked = heard();
      await new Promise((resolve, reject) => {
        get(`${url}${path}`, { headers, agent }, (response) => response.resume().on('end', resolve)).on(
          'error',
          reject,
        );
      });
      return (await asked).signal;
    };
    const signals = [await answered(), await answered()];
    agent.destroy();
    // Another request on another connection is answered after the server has seen that one end.
    await fetch(`${url}${path}`, { headers });
    expect(signals.map((signal) => signal?.aborted)).toEqual([false, false]);
  });
});
