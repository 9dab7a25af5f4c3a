import { createPersonalDataKeys, createPostgresEventStore } from '@tapedeck/eventing/postgres';
import type { EventStore } from '@tapedeck/eventing';
import { eventingMigrations } from '@tapedeck/eventing/migrations';
import { accountId, derivedId, systemClock } from '@tapedeck/kernel';
import { createLogger } from '@tapedeck/platform/log';
import { migrate } from '@tapedeck/platform/migrations';
import {
  asAccount,
  asRoles,
  createTestApp,
  testDatabases,
  type TestDatabases,
} from '@tapedeck/platform/testing';
import { StrategiesModule } from '../api.ts';
import { ImportStatus, strategyRoutes } from '../contract.ts';
import { strategyEvents } from '../events.ts';
import { strategyMigrations } from '../projections.ts';
import { followUploads, type UploadsOptions } from '../upload/follow-uploads.ts';
import { strategiesSettings } from '../settings.ts';

export const admin = accountId(derivedId('an admin'));
export const adminHeaders = { [asAccount]: admin, [asRoles]: 'admin' };

export type UploadApi = Readonly<{
  databases: TestDatabases;
  store: EventStore;
  url: string;
  /** Sends the file as the screen does. */
  send: (bytes: Buffer, name?: string) => Promise<Response>;
  status: (jobId: string) => Promise<ImportStatus>;
  /** Imports in this process; returns how to stop it. */
  startImporting: (options?: Partial<UploadsOptions>) => () => Promise<void>;
  close: () => Promise<void>;
}>;

/** The module behind HTTP, on databases of its own. */
export const startUploadApi = async (
  timeouts?: Parameters<typeof createTestApp>[0]['timeouts'],
): Promise<UploadApi> => {
  const databases = await testDatabases();
  await migrate(databases.pools, [...eventingMigrations, ...strategyMigrations]);
  const pool = databases.tapedeck;
  const keys = createPersonalDataKeys({ pool, masterKey: Buffer.alloc(32, 7) });
  const store = createPostgresEventStore({ url: databases.urls.tapedeck, types: strategyEvents, keys });
  const app = await createTestApp({
    modules: [StrategiesModule],
    settings: strategiesSettings,
    databases,
    store,
    clock: systemClock,
    ...(timeouts ? { timeouts } : {}),
  });
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  return {
    databases,
    store,
    url,
    send: async (bytes, name = 'strategies.zip') => {
      const body = new FormData();
      body.set('zipFile', new Blob([new Uint8Array(bytes)], { type: 'application/zip' }), name);
      return fetch(`${url}${strategyRoutes.upload}`, { method: 'POST', headers: adminHeaders, body });
    },
    status: async (jobId) =>
      ImportStatus.parse(
        await (await fetch(`${url}${strategyRoutes.importStatus(jobId)}`, { headers: adminHeaders })).json(),
      ),
    startImporting: (options = {}) => {
      const stopped = new AbortController();
      const logger = createLogger('test', 'silent');
      const running = followUploads({
        store,
        pool,
        clock: systemClock,
        logger,
        signal: stopped.signal,
        ...options,
      });
      return async () => {
        stopped.abort();
        await running;
      };
    },
    close: async () => {
      await app.close();
      await store.close();
      await databases.drop();
    },
  };
};
