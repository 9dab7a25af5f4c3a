// Prints how many events per second a reaction and an effect handle, with one command each:
// npm run build && node libs/eventing/dist/testing/reactions-per-second.js
import { createPostgresEventStore } from '../adapters/postgres.ts';
import type { EventStore } from '../event-store.ts';
import { pendingEvents, startReactions, type StartReactionsOptions } from '../reactions.ts';
import { waitForPosition } from '../projections.ts';
import { eventually } from './eventually.ts';
import { countingEffect, countingReaction, countOf, noted, sampleReactionTypes } from './sample-counters.ts';
import { testDatabase } from './test-database.ts';
import { startTestServer } from './test-server.ts';

const events = 20_000;
const streams = 2_000;
const timeoutMs = 120_000;

const append = async (store: EventStore, from: number): Promise<void> => {
  const numbers = Array.from({ length: events }, (_, index) => from + index).values();
  const appendEach = async (): Promise<void> => {
    for (const n of numbers) await store.append(`note-${n % streams}`, 'ANY', [noted(n)]);
  };
  await Promise.all(Array.from({ length: 32 }, appendEach));
};

const begins = 'first';
const consumers: Readonly<Record<string, Pick<StartReactionsOptions, 'reactions' | 'effects'>>> = {
  counting: { reactions: [countingReaction({ begins })] },
  reading: {
    reactions: [
      countingReaction({
        name: 'reading',
        begins,
        react: async (event, read) => {
          const dispatch = countOf(event, { category: 'read' });
          await read(dispatch.target, dispatch.stream);
          return [dispatch];
        },
      }),
    ],
  },
  calling: {
    effects: [countingEffect({ begins, run: async (event) => [countOf(event, { category: 'called' })] })],
  },
};

const server = await startTestServer({});
process.env['TEST_POSTGRES_URL'] = server.url('postgres');
const { pool, drop } = await testDatabase();
const store = createPostgresEventStore({ pool, types: sampleReactionTypes });

/** Until the events of the tape are handled. */
const handled = async (name: string): Promise<void> => {
  const reached = await waitForPosition(pool, name, await store.head(), timeoutMs);
  if (!reached) throw new Error(`${name} took longer than ${timeoutMs} ms`);
  await eventually(async () => {
    if ((await pendingEvents(pool, { limit: 1 })).length > 0) throw new Error(`${name} has pending events`);
  }, timeoutMs);
};
const measure = async (name: string, work: () => Promise<void>): Promise<void> => {
  const started = performance.now();
  await work();
  const perSecond = events / ((performance.now() - started) / 1_000);
  process.stdout.write(`${name}: ${Math.round(perSecond)} events per second\n`);
};

try {
  await append(store, 0);
  for (const [name, one] of Object.entries(consumers)) {
    const running = startReactions({ store, pool, ...one });
    await measure(`${name}, behind the tape`, () => handled(name));
    await running.stop();
  }
  const running = startReactions({ store, pool, ...consumers['counting'] });
  await measure('counting, while the events are appended', async () => {
    await append(store, events);
    await handled('counting');
  });
  await running.stop();
} finally {
  await store.close();
  await drop();
  await server.dispose();
}
