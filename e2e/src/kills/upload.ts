import { readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { isEventOf } from '@tapedeck/eventing';
import { createMemoryEventStore } from '@tapedeck/eventing/memory';
import { eventually } from '@tapedeck/eventing/testing';
import { systemClock } from '@tapedeck/kernel';
import { temporaryFolder } from '@tapedeck/platform/testing';
import { strategyEvents, strategyStream } from '@tapedeck/strategies/events';
import { runImport } from '@tapedeck/strategies/import';
import { writeZip } from '@tapedeck/strategies/testing';
import type { ProcessName } from '../api/payments/real-processes.ts';
import { uploaderAt } from '../api/upload-product.ts';
import { headOf, rowsOf, type KillProduct } from './kill-product.ts';
import { killDuring, type Kill, type Run, type Scenario } from './scenario.ts';

const seed = 20_261_123;
const killCount = 20;
/** Two chunks. */
const entries = 160;
const maxMs = 60_000;

/** About as many queries on strategies as a process makes during one upload. */
const queriesOf: Readonly<Record<ProcessName, number>> = { api: 8, projector: 40 };

const kills = ((): readonly Kill[] => {
  let state = seed;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return Array.from({ length: killCount }, () => {
    const process = random(5) < 2 ? 'api' : 'projector';
    const when = random(2) === 0 ? 'before' : 'after';
    const nth = 1 + random(queriesOf[process]);
    const name = `${when} query ${nth} of the ${process} on strategies`;
    return { name, process, at: { when, contains: ['trateg'], nth } };
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

type Completed = Readonly<{ added: number; revised: number; rejected: number }>;
type Changes = Readonly<{ changed: number; rejected: readonly number[] }>;

/** Of all imports of one file: one whose answer was lost is sent twice, and may be imported twice. */
const changesOf = (completed: readonly Completed[]): Changes => ({
  changed: completed.reduce((sum, { added, revised }) => sum + added + revised, 0),
  rejected: [...new Set(completed.map(({ rejected }) => rejected))],
});

const importedSince = async (product: KillProduct, position: string): Promise<Changes> =>
  changesOf(
    (
      await rowsOf<{ data: Completed }>(
        product,
        `select data from tape_events where position > $1 and type = 'ImportCompleted'`,
        [position],
      )
    ).map(({ data }) => data),
  );

/** The same files, imported without an interruption by `npm run import`, on a tape of its own. */
const undisturbed = createMemoryEventStore({ types: strategyEvents });
const importUndisturbed = async (zip: Buffer): Promise<Changes> => {
  const before = await undisturbed.head();
  const folder = temporaryFolder();
  const path = join(folder.path, 'kill.zip');
  writeFileSync(path, zip);
  const output = { write: () => true };
  await runImport({ path, store: undisturbed, clock: systemClock, output, errors: output });
  folder.remove();
  const { events } = await undisturbed.readTape({ after: before, limit: 10_000 });
  return changesOf(events.filter(isEventOf(strategyEvents, 'ImportCompleted')).map(({ data }) => data));
};

const strategiesIn = async (store: typeof undisturbed): Promise<readonly unknown[]> => {
  const streams = [...new Set(Array.from({ length: entries }, (_, n) => strategyStream(idAt(n))))];
  const histories = await store.readStreams(streams);
  return streams.map((stream) =>
    (histories.get(stream) ?? []).map(({ type, version, data }) => ({ stream, type, version, data })),
  );
};

/** By kill: whether the import was complete before it. */
const wasComplete: boolean[] = [];

const open = async (product: KillProduct): Promise<Run> => {
  const { upload: send, statusOf } = await uploaderAt(product);
  const assertNoFileWaits = async (): Promise<void> =>
    expect(await rowsOf(product, 'select from strategy_uploads where sha256 is not null')).toEqual([]);
  let round = 0;
  return async (kill) => {
    const zip = archiveOf(round++);
    const position = await headOf(product);
    const countImports = async (): Promise<Readonly<{ imports: number }>> => {
      const { rejected } = await importedSince(product, position);
      return { imports: rejected.length };
    };
    const importFile = async (isDead: () => boolean): Promise<void> => {
      const jobId = await send(zip);
      await eventually(
        async () => expect([(await statusOf(jobId)).phase, isDead()]).toEqual(['complete', true]),
        maxMs,
      );
      await eventually(assertNoFileWaits, maxMs);
    };
    await killDuring(product, kill, importFile, async () => {
      const counted = await countImports();
      wasComplete.push(counted.imports > 0);
      return counted;
    });
    expect(await importedSince(product, position)).toEqual(await importUndisturbed(zip));
    return { isAsUninterrupted: true };
  };
};

/** The strategies of imports that were not interrupted, and no file, in the database or on the disk. */
const checkEnd = async (product: KillProduct): Promise<void> => {
  // Counted before and after each kill.
  expect(wasComplete.filter((complete) => complete).length).toBeLessThan(killCount / 2);
  expect(await strategiesIn(product.product.store)).toEqual(await strategiesIn(undisturbed));
  await rowsOf(product, `update strategy_uploads set started_at = now() - interval '1 hour'`);
  await eventually(async () => expect(await rowsOf(product, 'select from strategy_uploads')).toEqual([]));
  const imports = await rowsOf<{ id: string }>(
    product,
    `select data ->> 'importId' as id from tape_events where type = 'ImportRequested'`,
  );
  const left = readdirSync(tmpdir()).filter((name) => imports.some(({ id }) => name.includes(id)));
  expect(left).toEqual([]);
};

export const upload: Scenario = {
  title: `an upload, at random (seed ${seed})`,
  kills,
  outcome: { isAsUninterrupted: true },
  open,
  checkEnd,
};
