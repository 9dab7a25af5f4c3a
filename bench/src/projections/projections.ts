import type { EventStore, Projection } from '@tapedeck/eventing';
import { eventingMigrations } from '@tapedeck/eventing/migrations';
import { createPersonalDataKeys, createPostgresEventStore } from '@tapedeck/eventing/postgres';
import { startProjector } from '@tapedeck/eventing/projections';
import { favouriteEvents } from '@tapedeck/favourites/events';
import { favouriteProjections } from '@tapedeck/favourites/projections';
import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { freshDatabase, runCheckpoint, steadyPool } from '../databases.ts';
import { count, say, table, times, type Claim } from '../print.ts';
import { median, timed } from '../statistics.ts';
import { waitUntilLive } from '../wait-until-live.ts';
import { compareWithTape, fillTape } from './favourites-tape.ts';
import { benchLive } from './live-projection.ts';
import { consumeNaively, readPages } from './naive-consumer.ts';

const aims = { eventsPerSecond: 100_000, rebuildSeconds: 20 };
const rounds = 3;

/** Numbers of events for each consumer, and the duration of the live run. */
type Sizes = Readonly<{ tape: number; perEvent: number; perBatch: number; liveMs: number }>;
const fullSizes: Sizes = { tape: 1_000_000, perEvent: 5_000, perBatch: 50_000, liveMs: 5_000 };
const quickSizes: Sizes = { tape: 20_000, perEvent: 300, perBatch: 2_000, liveMs: 500 };

type Bench = Readonly<{ pool: Pool; store: EventStore }>;

const databasesOf = ({ pool }: Bench) => ({ tapedeck: pool, catalogue: pool });

const projectionOf = (version: number): Projection => {
  const found = favouriteProjections.find(({ name }) => name === 'favourites');
  if (!found) throw new Error('There is no projection "favourites" to measure.');
  return { ...found, version };
};

/** Projects the tape from its beginning, creates the indexes and replaces the previous version. */
const rebuild = async (bench: Bench, version: number): Promise<void> => {
  const projection = projectionOf(version);
  const { store } = bench;
  const projector = startProjector({ store, projections: [projection], databases: databasesOf(bench) });
  await waitUntilLive(store, databasesOf(bench), projection);
  await projector.stop();
};

type Consumer = Readonly<{ name: string; events: number; run: (round: number) => Promise<unknown> }>;

const consumersOf = (bench: Bench, { tape, perEvent, perBatch }: Sizes): readonly Consumer[] => {
  const { pool, store } = bench;
  return [
    {
      name: 'Tapedeck projector, from zero to live',
      events: tape,
      run: (round) => rebuild(bench, round + 1),
    },
    {
      name: 'a transaction per event',
      events: perEvent,
      run: () => consumeNaively(pool, store, perEvent, 1),
    },
    {
      name: 'a statement per event, 1,000 per transaction',
      events: perBatch,
      run: () => consumeNaively(pool, store, perBatch, 1_000),
    },
    {
      name: 'only reading the tape, 2,000 per page',
      events: tape,
      run: () => readPages(store, tape, 2_000, async () => {}),
    },
  ];
};

const measureInRounds = async (consumers: readonly Consumer[]): Promise<readonly number[]> => {
  const durationsMs = consumers.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, { run }] of consumers.entries()) {
      await runCheckpoint();
      durationsMs[index]?.push(await timed(() => run(round)));
    }
  }
  return durationsMs.map(median);
};

/** Throws when a row of the read model differs from the last event of its favourite. */
const checkRows = async (pool: Pool): Promise<void> => {
  const { rows, wrong } = await compareWithTape(pool, 'favourites');
  say(`Compared with the tape: ${count(rows)} rows in the read model, ${count(wrong)} wrong.`);
  say();
  if (wrong > 0 || rows === 0) throw new Error('The read model is wrong: the results above are invalid.');
};

const runLive = async (bench: Bench, durationMs: number): Promise<void> => {
  const projection = projectionOf(rounds);
  const { store, pool } = bench;
  const projector = startProjector({ store, projections: [projection], databases: databasesOf(bench) });
  await benchLive(store, pool, projection.name, durationMs);
  await projector.stop();
  await checkRows(pool);
};

const openBench = async (): Promise<Bench> => {
  const pool = steadyPool(await freshDatabase('bench_projections'), 8);
  for (const { sql } of eventingMigrations) await pool.query(sql);
  const keys = createPersonalDataKeys({ pool, masterKey: randomBytes(32) });
  return { pool, store: createPostgresEventStore({ pool, types: favouriteEvents, keys }) };
};

const report = (consumers: readonly Consumer[], durationsMs: readonly number[]): readonly Claim[] => {
  const seconds = durationsMs.map((value) => value / 1000);
  const speeds = consumers.map(({ events }, index) => events / (seconds[index] ?? NaN));
  const [rebuildSeconds = NaN] = seconds;
  const [projectorSpeed = NaN] = speeds;
  table(
    ['consumer', 'events', 'seconds', 'events/s', 'projector is'],
    consumers.map(({ name, events }, index) => [
      name,
      count(events),
      (seconds[index] ?? NaN).toFixed(2),
      count(speeds[index] ?? NaN),
      times(projectorSpeed / (speeds[index] ?? NaN)),
    ]),
  );
  return [
    {
      claim: 'projected events/s',
      aim: `≥ ${count(aims.eventsPerSecond)}`,
      measured: count(projectorSpeed),
      reached: projectorSpeed >= aims.eventsPerSecond,
    },
    {
      claim: `rebuild of ${count(consumers[0]?.events ?? 0)} events`,
      aim: `< ${aims.rebuildSeconds} s`,
      measured: `${rebuildSeconds.toFixed(1)} s`,
      reached: rebuildSeconds < aims.rebuildSeconds,
    },
  ];
};

export const benchProjections = async (quick: boolean): Promise<readonly Claim[]> => {
  const sizes = quick ? quickSizes : fullSizes;
  say(
    `Projections: the favourites, ${count(sizes.tape)} events on the tape, medians of ${rounds} alternating rounds.`,
  );
  say('A favourite has 22 events on average; a build writes its row once for those of one transaction.');
  say('A read model can always be rebuilt, so no consumer waits for the disk when it commits.');
  say();
  const bench = await openBench();
  await fillTape(bench.pool, sizes.tape);
  const consumers = consumersOf(bench, sizes);
  const claims = report(consumers, await measureInRounds(consumers));
  await checkRows(bench.pool);
  await runLive(bench, sizes.liveMs);
  await bench.store.close();
  await bench.pool.end();
  return claims;
};
