import type { EventStore, Projection } from '@tapedeck/eventing';
import { eventingMigrations } from '@tapedeck/eventing/migrations';
import { createPostgresEventStore } from '@tapedeck/eventing/postgres';
import { startProjector } from '@tapedeck/eventing/projections';
import { favouriteEvents } from '@tapedeck/favourites/events';
import { favouriteProjections } from '@tapedeck/favourites/projections';
import type { Pool } from 'pg';
import { freshDatabase, settle, steadyPool } from './databases.ts';
import { benchLive } from './live-projection.ts';
import { consumeNaively, readPages } from './naive-consumer.ts';
import { count, say, table, times, type Claim } from './print.ts';
import { compareWithTape, fillTape } from './stars-tape.ts';
import { median, timed } from './statistics.ts';
import { untilLive } from './until-live.ts';

const speedAim = 100_000;
const rebuildAim = 20;
const rounds = 3;

type Sizes = Readonly<{ tape: number; perEvent: number; perBatch: number; liveMillis: number }>;
const fullSizes: Sizes = { tape: 1_000_000, perEvent: 5_000, perBatch: 50_000, liveMillis: 5_000 };
const quickSizes: Sizes = { tape: 20_000, perEvent: 300, perBatch: 2_000, liveMillis: 500 };

type Bench = Readonly<{ pool: Pool; store: EventStore }>;

const databasesOf = ({ pool }: Bench) => ({ tapedeck: pool, catalogue: pool });

const projectionOf = (version: number): Projection => {
  const found = favouriteProjections.find(({ name }) => name === 'favourites');
  if (!found) throw new Error('There is no projection "favourites" to measure.');
  return { ...found, version };
};

/** From nothing to the end of the tape, indexed and in the place of the version before. */
const rebuild = async (bench: Bench, version: number): Promise<void> => {
  const projection = projectionOf(version);
  const { store } = bench;
  const projector = startProjector({ store, projections: [projection], databases: databasesOf(bench) });
  await untilLive(store, databasesOf(bench), projection);
  await projector.stop();
};

type Contender = Readonly<{ name: string; events: number; run: (round: number) => Promise<unknown> }>;

const contendersOf = (bench: Bench, { tape, perEvent, perBatch }: Sizes): readonly Contender[] => {
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
      name: 'a statement per event, 1,000 to a transaction',
      events: perBatch,
      run: () => consumeNaively(pool, store, perBatch, 1_000),
    },
    {
      name: 'only reading the tape, 2,000 to a page',
      events: tape,
      run: () => readPages(store, tape, 2_000, async () => {}),
    },
  ];
};

const race = async (contenders: readonly Contender[]): Promise<readonly number[]> => {
  const millis = contenders.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, { run }] of contenders.entries()) {
      await settle();
      millis[index]?.push(await timed(() => run(round)));
    }
  }
  return millis.map(median);
};

/** Rows and columns of both read models are what the tape's last event of each favourite says. */
const checkRows = async (pool: Pool): Promise<void> => {
  const { rows, wrong } = await compareWithTape(pool, 'favourites');
  say(`Read back: ${count(rows)} rows in the read model, ${count(wrong)} unlike what the tape says.`);
  say();
  if (wrong > 0 || rows === 0)
    throw new Error('The read model is wrong: the figures above are worth nothing.');
};

const liveRun = async (bench: Bench, millis: number): Promise<void> => {
  const projection = projectionOf(rounds);
  const { store, pool } = bench;
  const projector = startProjector({ store, projections: [projection], databases: databasesOf(bench) });
  await benchLive(store, pool, projection.name, millis);
  await projector.stop();
  await checkRows(pool);
};

const openBench = async (): Promise<Bench> => {
  const pool = steadyPool(await freshDatabase('bench_projections'), 8);
  for (const { database, sql } of eventingMigrations) if (database === 'tapedeck') await pool.query(sql);
  return { pool, store: createPostgresEventStore({ pool, types: favouriteEvents }) };
};

const report = (contenders: readonly Contender[], millis: readonly number[]): readonly Claim[] => {
  const seconds = millis.map((value) => value / 1000);
  const speeds = contenders.map(({ events }, index) => events / (seconds[index] ?? NaN));
  const [ourSeconds = NaN] = seconds;
  const [ourSpeed = NaN] = speeds;
  table(
    ['consumer', 'events', 'seconds', 'events/s', 'ours is'],
    contenders.map(({ name, events }, index) => [
      name,
      count(events),
      (seconds[index] ?? NaN).toFixed(2),
      count(speeds[index] ?? NaN),
      times(ourSpeed / (speeds[index] ?? NaN)),
    ]),
  );
  return [
    {
      claim: 'projected events/s',
      aim: `≥ ${count(speedAim)}`,
      measured: count(ourSpeed),
      reached: ourSpeed >= speedAim,
    },
    {
      claim: `rebuild of ${count(contenders[0]?.events ?? 0)} events`,
      aim: `< ${rebuildAim} s`,
      measured: `${ourSeconds.toFixed(1)} s`,
      reached: ourSeconds < rebuildAim,
    },
  ];
};

export const benchProjections = async (quick: boolean): Promise<readonly Claim[]> => {
  const sizes = quick ? quickSizes : fullSizes;
  say(
    `Projections: the favourites, ${count(sizes.tape)} events on the tape, medians of ${rounds} rounds in turn.`,
  );
  say('A read model can always be rebuilt, so none of these waits for the disk at its commits.');
  say();
  const bench = await openBench();
  await fillTape(bench.pool, sizes.tape);
  const contenders = contendersOf(bench, sizes);
  const claims = report(contenders, await race(contenders));
  await checkRows(bench.pool);
  await liveRun(bench, sizes.liveMillis);
  await bench.store.close();
  await bench.pool.end();
  return claims;
};
