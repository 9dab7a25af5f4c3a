import { spawn, type ChildProcess } from 'node:child_process';
import { afterAll, beforeAll } from '@jest/globals';
import { eventTypes, migrations } from '@tapedeck/composition/modules';
import type { EventStore } from '@tapedeck/eventing';
import { createPersonalDataKeys, createPostgresEventStore } from '@tapedeck/eventing/postgres';
import { migrate } from '@tapedeck/platform/migrations';
import { outsideServices, testDatabases, type TestDatabases } from '@tapedeck/platform/testing';

const masterKey = Buffer.alloc(32, 7);

export type ProjectorProcesses = Readonly<{
  databases: () => TestDatabases;
  store: () => EventStore;
  /** A projector as it is shipped, in a process of its own, to which messages can be sent. */
  start: (settings: Readonly<Record<string, string>>, nodeArgs?: readonly string[]) => ChildProcess;
}>;

type Opened = Readonly<{ databases: TestDatabases; store: EventStore }>;

/** Migrated databases for the tests of a file, with a tape; projectors that a test has left are killed. */
export const useProjectorProcesses = (): ProjectorProcesses => {
  const projectors: ChildProcess[] = [];
  let opened: Opened | undefined;
  const current = (): Opened => {
    if (opened) return opened;
    throw new Error('There are databases only while tests run.');
  };
  beforeAll(async () => {
    const databases = await testDatabases();
    await migrate(databases.pools, migrations);
    const keys = createPersonalDataKeys({ pool: databases.tapedeck, masterKey });
    const store = createPostgresEventStore({ url: databases.urls.tapedeck, types: eventTypes, keys });
    opened = { databases, store };
  });
  afterAll(async () => {
    for (const projector of projectors) projector.kill('SIGKILL');
    await current().store.close();
    await current().databases.drop();
  });
  return {
    databases: () => current().databases,
    store: () => current().store,
    start: (settings, nodeArgs = []) => {
      const { urls } = current().databases;
      const args = ['--enable-source-maps', ...nodeArgs, 'apps/projector/dist/main.js'];
      const projector = spawn(process.execPath, args, {
        env: {
          ...process.env,
          ...outsideServices,
          DATABASE_URL: urls.tapedeck,
          CATALOGUE_DATABASE_URL: urls.catalogue,
          PERSONAL_DATA_KEY: masterKey.toString('base64'),
          PROJECTION_LEASE_MS: '300',
          LOG_LEVEL: 'error',
          ...settings,
        },
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      projectors.push(projector);
      return projector;
    },
  };
};
