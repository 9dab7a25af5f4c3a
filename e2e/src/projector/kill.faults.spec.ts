import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { dumpReadModel, poolOf, rebuildInto, waitForPosition } from '@tapedeck/eventing/projections';
import { newId, systemClock } from '@tapedeck/kernel';
import { demoRecords } from '@tapedeck/strategies/demo';
import { importId, importRecords } from '@tapedeck/strategies/import';
import { projections } from '@tapedeck/composition/modules';
import { useProjectorProcesses } from './projector-processes.ts';

const kills = 22;
const strategies = 2_400;
const seed = 20_261_121;
/** By how many records the import may be ahead of the next kill. */
const maxRecordsAhead = 600;
const processes = useProjectorProcesses();
const startProjector = (): ChildProcess => processes.start({ PROJECTION_BATCH_SIZE: '5' });

/** The checkpoint of the read model `strategies`, which is in another database than the tape. */
const checkpoint = async (): Promise<bigint> => {
  const { rows } = await processes
    .databases()
    .catalogue.query<{ position: string }>(
      `select position from projection_checkpoints where projection = 'strategies' and status = 'live'`,
    );
  return BigInt(rows[0]?.position ?? 0);
};

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
const seeded = (start: number): (() => number) => {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** Lets only so many records through, so that the import lasts as long as the kills. */
const createGate = (): Readonly<{
  open: (count: number) => void;
  letThrough: <T>(items: Iterable<T>) => AsyncIterable<T>;
}> => {
  let allowed = 0;
  let wake: () => void = () => {};
  return {
    open: (count) => {
      allowed = count;
      wake();
    },
    letThrough: async function* (items) {
      let passed = 0;
      for (const item of items) {
        while (passed >= allowed) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        passed += 1;
        yield item;
      }
    },
  };
};

/** Lets every read model reach the end of the tape: until then it is written in one transaction, which no kill divides. */
const completeBuilds = async (): Promise<void> => {
  const projector = startProjector();
  const exited = once(projector, 'exit');
  for (const pool of Object.values(processes.databases().pools)) {
    await eventually(async () => {
      const own = projections.filter(
        (projection) => poolOf(processes.databases().pools, projection) === pool,
      );
      const { rows } = await pool.query<{ indexed: boolean }>(
        'select indexed from projection_checkpoints where projection = any($1)',
        [own.map(({ name }) => name)],
      );
      expect(rows.map(({ indexed }) => indexed)).toEqual(own.map(() => true));
    });
  }
  projector.kill('SIGKILL');
  await exited;
};

/** Starts the projector and kills it when its checkpoint has reached `target`. */
const killAfter = async (target: bigint): Promise<Readonly<{ checkpoint: bigint; head: bigint }>> => {
  const projector = startProjector();
  const exited = once(projector, 'exit');
  // Not without a pause: the projector needs the processor more.
  await eventually(async () => {
    expect(projector.exitCode).toBeNull();
    expect((await checkpoint()) >= target).toBe(true);
  });
  projector.kill('SIGKILL');
  await exited;
  return { checkpoint: await checkpoint(), head: await processes.store().head() };
};

describe(`a projector that is killed ${kills} times during an import (seed ${seed})`, () => {
  it('leaves read models that equal a rebuild', async () => {
    await completeBuilds();
    const store = processes.store();
    const random = seeded(seed);
    const gate = createGate();
    const importing = importRecords({
      name: 'kill.faults.spec',
      records: gate.letThrough(demoRecords({ count: strategies, seed })),
      total: strategies,
      importId: importId(newId()),
      store,
      clock: systemClock,
      actor: { id: 'kill.faults.spec', kind: 'system' },
    });
    const step = strategies / (kills + 4);
    for (let kill = 0; kill < kills; kill++) {
      const target = BigInt(Math.floor(kill * step + random() * step) + 1);
      gate.open(Number(target) + maxRecordsAhead);
      const at = await killAfter(target);
      expect(at.checkpoint).toBeLessThan(at.head);
    }
    gate.open(strategies);
    const report = await importing;
    expect(report.added).toBe(strategies);

    const projector = startProjector();
    const head = await processes.store().head();
    for (const projection of projections) {
      const pool = poolOf(processes.databases().pools, projection);
      expect([projection.name, await waitForPosition(pool, projection.name, head, 60_000)]).toEqual([
        projection.name,
        true,
      ]);
    }
    projector.kill('SIGTERM');
    await once(projector, 'exit');
    for (const projection of projections) {
      const pool = poolOf(processes.databases().pools, projection);
      await rebuildInto({ store, projection, pool });
      const rebuilt = await dumpReadModel(pool, projection, '_check');
      expect(await dumpReadModel(pool, projection)).toBe(rebuilt);
    }
    const { rows } = await processes
      .databases()
      .catalogue.query('select count(*)::int as rows from strategies');
    expect(rows).toEqual([{ rows: strategies }]);
  }, 400_000);
});
