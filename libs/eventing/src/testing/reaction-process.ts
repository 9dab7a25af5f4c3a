// A process with a reaction, an effect and due dates. It stops for good at the point that STOP_AT names, and prints it.
import pg from 'pg';
import { createPostgresEventStore } from '../adapters/postgres.ts';
import { startProjector } from '../projections.ts';
import { startReactions } from '../reactions.ts';
import {
  countingEffect,
  countingReaction,
  countOf,
  numberOf,
  sampleReactionTypes,
} from './sample-counters.ts';
import { countingDueDates, dayAt, sampleDueDates } from './sample-due-dates.ts';

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 12 });
pool.on('error', () => {});
const store = createPostgresEventStore({ pool, types: sampleReactionTypes });
const databases = { tapedeck: pool };
const leaseMs = 300;

const reaction = countingReaction({
  begins: 'first',
  react: (event) => [countOf(event, { category: 'reacted' })],
});

/** The service outside does its work once per key. */
const effect = countingEffect({
  begins: 'first',
  run: async (event, { key }) => {
    await pool.query(
      `insert into outside_work (key, stream, n) values ($1, $2, $3)
       on conflict (key) do update set calls = outside_work.calls + 1`,
      [key, event.stream, numberOf(event)],
    );
    return [countOf(event, { category: 'called' })];
  },
});

startProjector({ store, projections: [sampleDueDates], databases, leaseMs });
startReactions({
  store,
  pool,
  reactions: [reaction],
  effects: [effect],
  dueDates: [countingDueDates()],
  clock: { now: () => dayAt(40) },
  leaseMs,
  dueIntervalMs: 10,
  onPoint: async (point) => {
    if (point !== process.env['STOP_AT']) return;
    process.stdout.write(`${point}\n`);
    await new Promise(() => {});
  },
});
