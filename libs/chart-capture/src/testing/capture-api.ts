import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { EventStore, Position, RecordedEvent } from '@tapedeck/eventing';
import { eventingMigrations } from '@tapedeck/eventing/migrations';
import { createPersonalDataKeys, createPostgresEventStore } from '@tapedeck/eventing/postgres';
import { startProjector, waitForPosition } from '@tapedeck/eventing/projections';
import { sampleEvent } from '@tapedeck/eventing/testing';
import { accountId, derivedId, type Clock } from '@tapedeck/kernel';
import { ReadModels } from '@tapedeck/platform/http';
import { createLogger } from '@tapedeck/platform/log';
import { migrate } from '@tapedeck/platform/migrations';
import { asAccount, createTestApp, temporaryFolder, testDatabases } from '@tapedeck/platform/testing';
import { strategyEvents, strategyId, strategyStream } from '@tapedeck/strategies/events';
import { emptyRecord } from '@tapedeck/strategies/testing';
import { ChartCaptureModule } from '../api.ts';
import { chartCaptureRoutes } from '../contract.ts';
import { chartCaptureEvents, performanceChartStream } from '../events.ts';
import { chartCaptureProjections } from '../projections.ts';
import { chartCaptureSettings, type ChartCaptureConfig } from '../settings.ts';
import { captureSecret } from './capture-process.ts';

export const member = accountId(derivedId('a member'));

export type CaptureApi = Readonly<{
  url: string;
  pictureFolder: string;
  store: EventStore;
  /** Puts strategies into the catalogue, or changes their result. */
  publish: (...urlIds: readonly string[]) => Promise<void>;
  revise: (urlId: string, totalPandl: string) => Promise<void>;
  withdraw: (urlId: string) => Promise<void>;
  /** Asks for the chart of a strategy; without an account as a visitor. */
  ask: (
    urlId: string,
    account?: string | null,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Response>;
  /** The events of the chart's stream, the oldest first. */
  eventsOf: (urlId: string) => Promise<readonly RecordedEvent[]>;
  close: () => Promise<void>;
}>;

const strategyEvent = (type: string, urlId: string, totalPandl: string): ReturnType<typeof sampleEvent> =>
  sampleEvent(type, {
    record: { ...emptyRecord, url_id: urlId, title: 'A strategy', total_pandl: totalPandl },
    contentHash: `${urlId} ${totalPandl}`,
  });

/** The module behind HTTP with a projector, on databases of its own, with a capture process at `captureUrl`. */
export const startCaptureApi = async (
  captureUrl: string,
  options: Readonly<{ clock?: Clock; config?: Partial<ChartCaptureConfig> }> = {},
): Promise<CaptureApi> => {
  const databases = await testDatabases();
  await migrate(databases.pools, eventingMigrations);
  const keys = createPersonalDataKeys({ pool: databases.tapedeck, masterKey: randomBytes(32) });
  const types = { ...chartCaptureEvents, ...strategyEvents };
  const store = createPostgresEventStore({ url: databases.urls.tapedeck, types, keys });
  const projector = startProjector({
    store,
    projections: chartCaptureProjections,
    databases: databases.pools,
    logger: createLogger('test', 'silent'),
  });
  const folder = temporaryFolder();
  const config = {
    CHART_ORIGIN: 'http://127.0.0.1:1',
    CAPTURE_URL: captureUrl,
    CAPTURE_SECRET: captureSecret,
    PICTURE_FOLDER: folder.path,
    ...options.config,
  };
  const app: NestFastifyApplication = await createTestApp({
    modules: [ChartCaptureModule],
    databases,
    store,
    settings: chartCaptureSettings,
    config,
    ...(options.clock ? { clock: options.clock } : {}),
  });
  const projected = (position: Position, ms: number): Promise<boolean> =>
    waitForPosition(databases.tapedeck, 'performance_charts', position, ms);
  app.get(ReadModels).register('performance_charts', projected);
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const append = async (urlId: string, event: ReturnType<typeof sampleEvent>): Promise<void> => {
    const result = await store.append(strategyStream(strategyId(urlId)), 'ANY', [event]);
    if (result.outcome === 'conflict' || !(await projected(result.position, 20_000)))
      throw new Error(`The catalogue has no ${urlId}.`);
  };
  return {
    url,
    store,
    pictureFolder: folder.path,
    publish: async (...urlIds) => {
      for (const urlId of urlIds)
        await append(urlId, strategyEvent('StrategyImported', urlId, '+1 USD (+1%)'));
    },
    revise: (urlId, totalPandl) => append(urlId, strategyEvent('StrategyRevised', urlId, totalPandl)),
    withdraw: (urlId) => append(urlId, sampleEvent('StrategyWithdrawn', { urlId, reason: 'test' })),
    ask: (urlId, account = member, headers = {}) =>
      fetch(`${url}${chartCaptureRoutes.capture}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(account === null ? {} : { [asAccount]: account }),
          ...headers,
        },
        body: JSON.stringify({ urlId }),
      }),
    eventsOf: (urlId) => store.readStream(performanceChartStream(strategyId(urlId))),
    close: async () => {
      await app.close();
      await projector.stop();
      await store.close();
      await databases.drop();
      folder.remove();
    },
  };
};
