import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { projections } from '@tapedeck/composition/modules';
import { dumpReadModel, rebuildInto, waitForPosition } from '@tapedeck/eventing/projections';
import { eventually, sampleEvent, type DeathPoint } from '@tapedeck/eventing/testing';
import { newId, systemClock } from '@tapedeck/kernel';
import { operationsStream, reasonSubject } from '@tapedeck/operations/events';
import { demoRecords } from '@tapedeck/strategies/demo';
import { importId, importRecords } from '@tapedeck/strategies/import';
import { useProjectorProcesses } from './projector-processes.ts';

const strategies = 300;
const seed = 20_261_123;
const preload = pathToFileURL(resolve('libs/eventing/dist/testing/die-at-query.js')).href;

/** In the order in which a rebuild reaches them. */
const deaths: readonly DeathPoint[] = [
  { when: 'after', contains: ['create table if not exists', '_spare"'] },
  { when: 'commit', contains: ['insert into', '_spare"'] },
  { when: 'after', contains: ['rename to "swapped_'] },
  { when: 'commit', contains: ['rename to "swapped_'] },
  { when: 'before', contains: ['tape_append', 'RebuildCompleted'] },
];

const processes = useProjectorProcesses();
const startProjector = (): ChildProcess => processes.start({}, ['--import', preload]);

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
    name: 'rebuild-kill.faults.spec',
    records: demoRecords({ count: strategies, seed }),
    total: strategies,
    importId: importId(newId()),
    store: processes.store(),
    clock: systemClock,
    actor: { id: 'rebuild-kill.faults.spec', kind: 'system' },
  });
};

const typesOf = async (projection: string): Promise<readonly string[]> =>
  (await processes.store().readStream(operationsStream(projection), { form: 'sealed' })).map(
    ({ type }) => type,
  );

describe('a projector that is killed during a rebuild', () => {
  it('is followed by one that continues: the rebuild ends once, and equals a build from the first event', async () => {
    const projection = projections.find(({ name }) => name === 'strategies');
    if (!projection) throw new Error('There is no projection strategies.');
    const { catalogue } = processes.databases();
    const store = processes.store();
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

  it('is followed by one that cancels it, when that was asked for, and the build in use stays', async () => {
    const requestId = newId();
    const change = { projection: 'favourites', requestId };
    const reasoned = { reason: 'The wrong one', personalSubject: reasonSubject(requestId) };
    await processes
      .store()
      .append(operationsStream(change.projection), 'NO_STREAM', [
        sampleEvent('RebuildRequested', { ...change, ...reasoned }),
        sampleEvent('ChangeCancelRequested', change),
      ]);
    await runUntil({ when: 'before', contains: ['tape_append', 'ChangeCancelled'] });
    const last = startProjector();
    await eventually(
      async () => expect(await typesOf(change.projection)).toContain('ChangeCancelled'),
      20_000,
    );
    await stop(last);
    expect(await typesOf(change.projection)).toEqual([
      'RebuildRequested',
      'ChangeCancelRequested',
      'ChangeCancelled',
    ]);
  }, 60_000);
});
