import { readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isEventOf } from '@tapedeck/eventing';
import { createMemoryEventStore } from '@tapedeck/eventing/memory';
import { dumpReadModel, poolOf, rebuildInto } from '@tapedeck/eventing/projections';
import { eventually } from '@tapedeck/eventing/testing';
import { systemClock } from '@tapedeck/kernel';
import { temporaryFolder } from '@tapedeck/platform/testing';
import { strategyEvents, strategyStream } from '@tapedeck/strategies/events';
import { runImport } from '@tapedeck/strategies/import';
import { strategyProjections } from '@tapedeck/strategies/projections';
import { writeZip } from '@tapedeck/strategies/testing';
import { assertSettled } from './payments/payments-product.ts';
import type { ProcessName } from './payments/real-processes.ts';
import { startUploadProduct, type UploadProduct } from './upload-product.ts';

const seed = 20_261_123;
const kills = 20;
/** Two chunks. */
const entries = 160;
const maxMs = 60_000;

type Point = Readonly<{ process: ProcessName; when: 'before' | 'after'; nth: number }>;

/** About as many queries on strategies as a process makes during one upload. */
const queriesOf: Readonly<Record<ProcessName, number>> = { api: 8, projector: 40 };

const points = ((): readonly Point[] => {
  let state = seed;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return Array.from({ length: kills }, () => {
    const process = random(5) < 2 ? 'api' : 'projector';
    return { process, when: random(2) === 0 ? 'before' : 'after', nth: 1 + random(queriesOf[process]) };
  });
})();

const idAt = (n: number): string => `Kill${String(n % 60 === 59 ? n - 1 : n).padStart(4, '0')}`;

/** Half of the strategies are the same each time; every 50th entry is broken, every 60th occurs twice. */
const archiveOf = (round: number): Buffer =>
  writeZip(
    Array.from({ length: entries }, (_, n) => {
      const title = n % 2 === 0 ? `Strategy ${n}` : `Strategy ${n}, round ${round}`;
      return { name: `${n}.json`, data: n % 50 === 49 ? '{' : JSON.stringify({ url_id: idAt(n), title }) };
    }),
  );

let product: UploadProduct;
beforeAll(async () => {
  product = await startUploadProduct();
}, 120_000);
afterAll(() => product.close());

const query = async <Row extends object>(sql: string, values: readonly unknown[] = []): Promise<Row[]> =>
  (await product.product.databases.tapedeck.query<Row>(sql, [...values])).rows;

const waitingFiles = async (): Promise<number> =>
  (await query('select from strategy_uploads where sha256 is not null')).length;

type Counts = Readonly<{ changed: number; rejected: readonly number[] }>;
type Completed = Readonly<{ added: number; revised: number; rejected: number }>;

const countsOf = (completed: readonly Completed[]): Counts => ({
  changed: completed.reduce((sum, { added, revised }) => sum + added + revised, 0),
  rejected: [...new Set(completed.map(({ rejected }) => rejected))],
});

/** Of all imports since a position: a file whose answer was lost is sent twice, and may be imported twice. */
const importedSince = async (position: string): Promise<Counts> =>
  countsOf(
    (
      await query<{ data: Completed }>(
        `select data from tape_events where position > $1 and type = 'ImportCompleted'`,
        [position],
      )
    ).map(({ data }) => data),
  );

const position = async (): Promise<string> =>
  (await query<{ position: string }>('select coalesce(max(position), 0) as position from tape_events'))[0]
    ?.position ?? '0';

/** The same files, imported without an interruption by `npm run import`, on a tape of its own. */
const undisturbed = createMemoryEventStore({ types: strategyEvents });
const importUndisturbed = async (zip: Buffer): Promise<Counts> => {
  const before = await undisturbed.head();
  const folder = temporaryFolder();
  const path = join(folder.path, 'kill.zip');
  writeFileSync(path, zip);
  const output = { write: () => true };
  await runImport({ path, store: undisturbed, clock: systemClock, output, errors: output });
  folder.remove();
  const { events } = await undisturbed.readTape({ after: before, limit: 10_000 });
  return countsOf(events.filter(isEventOf(strategyEvents, 'ImportCompleted')).map(({ data }) => data));
};

const strategiesIn = async (store: typeof undisturbed): Promise<readonly unknown[]> => {
  const streams = [...new Set(Array.from({ length: entries }, (_, n) => strategyStream(idAt(n))))];
  const histories = await store.readStreams(streams);
  return streams.map((stream) =>
    (histories.get(stream) ?? []).map(({ type, version, data }) => ({ stream, type, version, data })),
  );
};

describe(`an upload during which a process is killed (seed ${seed})`, () => {
  const phases: string[] = [];

  it.each(points.map((point, round) => ({ ...point, round })))(
    'changes the same strategies when $process dies $when its query $nth on strategies',
    async ({ process: name, when, nth, round }) => {
      const zip = archiveOf(round);
      const start = await position();
      const { died } = await product.dieAt(name, { when, contains: ['trateg'], nth });
      let isDead = false;
      const replace = async (): Promise<void> => {
        await died;
        phases.push((await importedSince(start)).rejected.length === 0 ? 'during' : 'after');
        isDead = true;
        await product.start(name);
      };
      const importFile = async (): Promise<void> => {
        const jobId = await product.upload(zip);
        await eventually(
          async () => expect([(await product.statusOf(jobId)).phase, isDead]).toEqual(['complete', true]),
          maxMs,
        );
        await eventually(async () => expect(await waitingFiles()).toBe(0), maxMs);
      };
      await Promise.all([importFile(), replace()]);
      expect(await importedSince(start)).toEqual(await importUndisturbed(zip));
    },
    maxMs,
  );

  it('is killed before its end at most points', () => {
    expect(phases).toHaveLength(kills);
    expect(phases.filter((phase) => phase === 'during').length).toBeGreaterThan(kills / 2);
  });

  it('leaves the strategies and the read models of imports that were not interrupted', async () => {
    expect(await strategiesIn(product.product.store)).toEqual(await strategiesIn(undisturbed));
    await eventually(() => assertSettled(product.product), maxMs);
    const { databases, store } = product.product;
    for (const projection of strategyProjections) {
      const pool = poolOf(databases, projection);
      await rebuildInto({ store, projection, pool });
      const rebuilt = await dumpReadModel(pool, projection, '_check');
      expect(await dumpReadModel(pool, projection)).toBe(rebuilt);
    }
  }, 120_000);

  it('leaves no file, in the database or on the disk', async () => {
    await query(`update strategy_uploads set started_at = now() - interval '1 hour'`);
    await eventually(async () => expect(await query('select from strategy_uploads')).toEqual([]));
    const imports = await query<{ id: string }>(
      `select data ->> 'importId' as id from tape_events where type = 'ImportRequested'`,
    );
    const left = readdirSync(tmpdir()).filter((name) => imports.some(({ id }) => name.includes(id)));
    expect(left).toEqual([]);
  });
});
