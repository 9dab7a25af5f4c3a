import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventTypes, migrations, projections } from '@tapedeck/composition/modules';
import type { EventStore } from '@tapedeck/eventing';
import { createPersonalDataKeys, createPostgresEventStore } from '@tapedeck/eventing/postgres';
import { dumpReadModel, rebuildInto, waitForPosition } from '@tapedeck/eventing/projections';
import { eventually, sampleEvent, type DeathPoint } from '@tapedeck/eventing/testing';
import { newId, systemClock } from '@tapedeck/kernel';
import { operationsStream, reasonSubject } from '@tapedeck/operations/events';
import { migrate } from '@tapedeck/platform/migrations';
import { outsideServices, testDatabases, type TestDatabases } from '@tapedeck/platform/testing';
import { demoRecords } from '@tapedeck/strategies/demo';
import { importId, importRecords } from '@tapedeck/strategies/import';

const strategies = 300;
const seed = 20_261_123;
const masterKey = Buffer.alloc(32, 7);
const preload = pathToFileURL(resolve('libs/eventing/dist/testing/die-at-query.js')).href;

/** In the order in which a rebuild reaches them. */
const deaths: readonly DeathPoint[] = [
  { when: 'after', contains: ['create table if not exists', '_spare"'] },
  { when: 'commit', contains: ['insert into', '_spare"'] },
  { when: 'after', contains: ['rename to "exchanged_'] },
  { when: 'commit', contains: ['rename to "exchanged_'] },
  { when: 'before', contains: ['tape_append', 'RebuildCompleted'] },
];

let databases: TestDatabases;
let store: EventStore;
const projectors: ChildProcess[] = [];

beforeAll(async () => {
  databases = await testDatabases();
  await migrate(databases.pools, migrations);
  store = createPostgresEventStore({
    url: databases.urls.tapedeck,
    types: eventTypes,
    keys: createPersonalDataKeys({ pool: databases.tapedeck, masterKey }),
  });
});
afterAll(async () => {
  for (const projector of projectors) projector.kill('SIGKILL');
  await store.close();
  await databases.drop();
});

const startProjector = (): ChildProcess => {
  const projector = spawn(process.execPath, ['--import', preload, 'apps/projector/dist/main.js'], {
    env: {
      ...process.env,
      ...outsideServices,
      DATABASE_URL: databases.urls.tapedeck,
      CATALOGUE_DATABASE_URL: databases.urls.catalogue,
      PERSONAL_DATA_KEY: masterKey.toString('base64'),
      PROJECTION_LEASE_MS: '300',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  projectors.push(projector);
  return projector;
};

/** Runs a projector that is killed at the point. */
const runUntil = async (death: DeathPoint): Promise<void> => {
  const projector = startProjector();
  const exited = once(projector, 'exit');
  projector.send({ dieAt: death });
  expect([death, (await exited)[1]]).toEqual([death, 'SIGKILL']);
};

const stop = async (projector: ChildProcess): Promise<void> => {
  const exited = once(projector, 'exit');
  projector.kill('SIGTERM');
  await exited;
};

const fill = async (): Promise<void> => {
  await importRecords({
    name: 'rebuild-kill.e2e.spec',
    records: demoRecords({ count: strategies, seed }),
    total: strategies,
    importId: importId(newId()),
    store,
    clock: systemClock,
    actor: { id: 'rebuild-kill.e2e.spec', kind: 'system' },
  });
};

const typesOf = async (projection: string): Promise<readonly string[]> =>
  (await store.readStream(operationsStream(projection), { form: 'sealed' })).map(({ type }) => type);

describe('a projector that is killed during a rebuild', () => {
  it('is followed by one that continues: the rebuild ends once, and equals a build from the first event', async () => {
    const projection = projections.find(({ name }) => name === 'strategies');
    if (!projection) throw new Error('There is no projection strategies.');
    const { catalogue } = databases;
    await fill();
    const first = startProjector();
    const head = await store.head();
    expect(await waitForPosition(catalogue, projection.name, head, 30_000)).toBe(true);
    await eventually(async () => {
      const { rows } = await catalogue.query('select from projection_checkpoints where not indexed');
      expect(rows).toEqual([]);
    });
    await stop(first);
    await catalogue.query('delete from strategies_v' + projection.version + ' where random() < 0.5');

    const requestId = newId();
    const reasoned = { reason: 'Rows are missing', personalSubject: reasonSubject(requestId) };
    await store.append(operationsStream(projection.name), 'NO_STREAM', [
      sampleEvent('RebuildRequested', { projection: projection.name, requestId, ...reasoned }),
    ]);
    for (const death of deaths) await runUntil(death);
    const last = startProjector();
    await eventually(
      async () => expect(await typesOf(projection.name)).toContain('RebuildCompleted'),
      20_000,
    );
    await stop(last);
    expect(await typesOf(projection.name)).toEqual([
      'RebuildRequested',
      'RebuildStarted',
      'RebuildCompleted',
    ]);
    await rebuildInto({ store, projection, pool: catalogue });
    expect(await dumpReadModel(catalogue, projection)).toBe(
      await dumpReadModel(catalogue, projection, '_check'),
    );
  }, 120_000);
});
