import { randomUUID } from 'node:crypto';
import { defineProjection, type EventStore } from '@tapedeck/eventing';
import { createPostgresEventStore } from '@tapedeck/eventing/postgres';
import { projectToEnd } from '@tapedeck/eventing/projections';
import { commandId, eventIdFor, newId } from '@tapedeck/kernel';
import type { Pool } from 'pg';
import { createTapedeckTables, metadata } from '../appends/append-stores.ts';
import { freshDatabase, runCheckpoint, steadyPool } from '../databases.ts';
import { count, say, table, type Claim } from '../print.ts';
import { median, timed } from '../statistics.ts';
import { fillLargeTape, otherType, ownEventsShare, ownType, tapeSizes } from './large-tape.ts';

type Sizes = Readonly<{ small: number; large: number; rounds: number; roundMs: number }>;
const fullSizes: Sizes = { small: 100_000, large: 20_000_000, rounds: 6, roundMs: 5_000 };
const quickSizes: Sizes = { small: 2_000, large: 20_000, rounds: 2, roundMs: 300 };

const callers = 32;
const aims = { appendShare: 0.8, rebuildShare: 1.5 };
const eventsPerStream = 10;
const connections = 8;

type SizedTape = Readonly<{ events: number; pool: Pool; store: EventStore }>;

const data = { urlId: 'S3LKflwr', title: 'Supertrend with a trailing stop', likes: 1, symbol: 'BTCUSDT' };

const openTape = async (name: string, events: number): Promise<SizedTape> => {
  const url = await freshDatabase(name);
  await createTapedeckTables(url);
  const pool = steadyPool(url, connections);
  const fillMs = await timed(() => fillLargeTape(pool, events));
  say(`${count(events)} events written in ${count(fillMs / 1_000)} s.`);
  const types = { [ownType]: { version: 1 }, [otherType]: { version: 1 } };
  return { events, pool, store: createPostgresEventStore({ pool, types }) };
};

let streams = 0;

/** Appends to new streams, with ids as commands give them, until the deadline; returns the number of appends. */
const appendUntil = async (store: EventStore, deadline: number): Promise<number> => {
  for (let appended = 0; ;) {
    const stream = `new-${randomUUID()}-${++streams}`;
    for (let version = 0; version < eventsPerStream; version++) {
      if (performance.now() >= deadline) return appended;
      const event = {
        id: eventIdFor(commandId(newId()), stream, 0),
        type: otherType,
        schemaVersion: 1,
        data,
        metadata,
      };
      const { outcome } = await store.append(stream, version === 0 ? 'NO_STREAM' : version, [event]);
      if (outcome !== 'appended') throw new Error(`An append of a new event ended with ${outcome}.`);
      appended++;
    }
  }
};

const appendsPerSecond = async ({ store }: SizedTape, durationMs: number): Promise<number> => {
  const started = performance.now();
  const appended = await Promise.all(
    Array.from({ length: callers }, () => appendUntil(store, started + durationMs)),
  );
  return appended.reduce((sum, one) => sum + one, 0) / ((performance.now() - started) / 1_000);
};

const projectionOf = (version: number) =>
  defineProjection<Readonly<{ type: typeof ownType; data: { likes: number } }>>({
    name: 'bench_own_events',
    version,
    database: 'tapedeck',
    types: { [ownType]: true },
    tables: [
      { name: 'bench_own_events', key: ['stream'], columns: { stream: 'text', likes: 'bigint not null' } },
    ],
    fold: (events) =>
      events.map(({ stream, data: { likes } }) => ({
        op: 'put',
        table: 'bench_own_events',
        key: { stream },
        row: { likes },
      })),
  });

/** The time to project all events of one type from the beginning of the tape. */
const rebuildMs = async ({ store, pool, events }: SizedTape, version: number): Promise<number> => {
  await runCheckpoint();
  const projection = projectionOf(version);
  const duration = await timed(() =>
    projectToEnd({ store, projections: [projection], databases: { tapedeck: pool }, timeoutMs: 900_000 }),
  );
  const { rows } = await pool.query<{ rows: string }>(`select count(*) as rows from bench_own_events`);
  const expected = Math.floor(events * ownEventsShare);
  if (Number(rows[0]?.rows) !== expected)
    throw new Error(`The read model has ${rows[0]?.rows ?? 0} rows instead of ${expected}.`);
  return duration;
};

const perOwnEvent = ({ events }: SizedTape, durationMs: number): number =>
  (durationMs * 1_000) / (events * ownEventsShare);

export const benchSize = async (quick: boolean): Promise<readonly Claim[]> => {
  const sizes = quick ? quickSizes : fullSizes;
  say(`Size of the tape: ${callers} callers append events; rebuilds of a read model of 1 % of the events.`);
  // The events of the smaller rebuild are a hundredth of a tape that is large enough to measure.
  const [small, large, middle] = [
    await openTape('bench_small', sizes.small),
    await openTape('bench_large', sizes.large),
    await openTape('bench_middle', sizes.small * 10),
  ];
  for (const { name, mb } of await tapeSizes(large.pool)) say(`  ${name}: ${count(mb)} MB`);
  say();
  const rebuilds = {
    middle: await rebuildMs(middle, 1),
    large: await rebuildMs(large, 1),
  };
  const samples: { small: number; large: number }[] = [];
  for (const tape of [small, large]) await appendsPerSecond(tape, sizes.roundMs);
  for (let round = 0; round < sizes.rounds; round++) {
    await runCheckpoint();
    const first = await appendsPerSecond(round % 2 === 0 ? small : large, sizes.roundMs);
    const second = await appendsPerSecond(round % 2 === 0 ? large : small, sizes.roundMs);
    samples.push(round % 2 === 0 ? { small: first, large: second } : { small: second, large: first });
  }
  for (const { store, pool } of [small, middle, large]) {
    await store.close();
    await pool.end();
  }
  const share = median(samples.map((sample) => sample.large / sample.small));
  const rebuildShare = perOwnEvent(large, rebuilds.large) / perOwnEvent(middle, rebuilds.middle);
  table(
    ['events on the tape', 'appends/s', 'rebuild of 1 %, s', 'µs per own event'],
    [
      [count(small.events), count(median(samples.map((sample) => sample.small))), '', ''],
      [
        count(middle.events),
        '',
        (rebuilds.middle / 1_000).toFixed(1),
        perOwnEvent(middle, rebuilds.middle).toFixed(1),
      ],
      [
        count(large.events),
        count(median(samples.map((sample) => sample.large))),
        (rebuilds.large / 1_000).toFixed(1),
        perOwnEvent(large, rebuilds.large).toFixed(1),
      ],
    ],
  );
  return [
    {
      claim: `appends/s with ${count(sizes.large)} events, of those with ${count(sizes.small)}`,
      aim: `≥ ${aims.appendShare * 100} %`,
      measured: `${(share * 100).toFixed(0)} %`,
      reached: share >= aims.appendShare,
    },
    {
      claim: `time per own event of a rebuild, against ${count(middle.events)} events`,
      aim: `≤ ${aims.rebuildShare}×`,
      measured: `${rebuildShare.toFixed(2)}×`,
      reached: rebuildShare <= aims.rebuildShare,
    },
  ];
};
