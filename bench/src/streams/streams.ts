import { commandContext, handle, type EventStore, type NewEvent } from '@tapedeck/eventing';
import { eventingMigrations } from '@tapedeck/eventing/migrations';
import { createPersonalDataKeys, createPostgresEventStore } from '@tapedeck/eventing/postgres';
import { favouritesDecider, maxFavourites, maxTags } from '@tapedeck/favourites/decider';
import { favouriteEvents, favouritesStream } from '@tapedeck/favourites/events';
import { accountId, eventId, newId, systemClock, type AccountId } from '@tapedeck/kernel';
import { strategyId, type StrategyId } from '@tapedeck/strategies/events';
import { randomBytes } from 'node:crypto';
import { freshDatabase, steadyPool } from '../databases.ts';
import { watchLoop } from '../event-loop.ts';
import { count, ms, say, table, times, type Claim } from '../print.ts';
import { percentile } from '../statistics.ts';

const aims = { p99Ms: 20, blockedMs: 5 };
const fullSizes = { events: 100_000, writes: 2_000 };
const quickSizes = { events: 3_000, writes: 300 };
const shortStreamEvents = 10;
const eventsPerAppend = 1_000;

const urlIds = Array.from({ length: maxFavourites }, (_, at) =>
  strategyId(`S${String(at).padStart(7, '0')}`),
);
const urlIdAt = (at: number): StrategyId => urlIds[at % urlIds.length] ?? strategyId('S0000000');
const tagsAt = (at: number): readonly string[] =>
  Array.from({ length: maxTags }, (_, tag) => `tag ${tag} of change ${at}`);

const eventAt = (me: AccountId, at: number): NewEvent => ({
  id: eventId(newId()),
  type: at < maxFavourites ? 'FavouriteAdded' : 'FavouriteTagsChanged',
  schemaVersion: 1,
  data: {
    accountId: me,
    urlId: urlIdAt(at),
    revision: 1 + Math.floor(at / maxFavourites),
    tags: tagsAt(at),
  },
  metadata: {
    actorId: me,
    actorKind: 'member',
    occurredAt: '2026-11-21T12:00:00.000Z',
    correlationId: me,
    causationId: me,
  },
});

const fill = async (store: EventStore, me: AccountId, events: number): Promise<void> => {
  for (let from = 0; from < events; from += eventsPerAppend) {
    const size = Math.min(eventsPerAppend, events - from);
    const part = Array.from({ length: size }, (_, at) => eventAt(me, from + at));
    await store.append(favouritesStream(me), 'ANY', part);
  }
};

type Writes = Readonly<{ firstMs: number; latenciesMs: readonly number[]; blockedMs: number }>;

/** Changes tags one after the other, each by a command of its own. */
const write = async (store: EventStore, me: AccountId, writes: number): Promise<Writes> => {
  const change = handle(store, favouritesDecider, favouriteEvents);
  const actor = { id: me, kind: 'member' };
  const one = async (at: number): Promise<number> => {
    const startedAt = performance.now();
    const tags = [newId()];
    const command = {
      type: 'ChangeFavouriteTags',
      accountId: me,
      urlId: urlIdAt(at % shortStreamEvents),
      tags,
    } as const;
    const { changed } = await change(
      favouritesStream(me),
      command,
      commandContext({ actor, clock: systemClock }),
    );
    if (!changed) throw new Error('A change of tags changed nothing.');
    return performance.now() - startedAt;
  };
  const { result, maxBlockMs } = await watchLoop(async () => {
    const firstMs = await one(0);
    const latenciesMs: number[] = [];
    for (let at = 1; at <= writes; at++) latenciesMs.push(await one(at));
    return { firstMs, latenciesMs };
  });
  return { ...result, blockedMs: maxBlockMs };
};

const rowOf = (name: string, { firstMs, latenciesMs, blockedMs }: Writes): readonly string[] => [
  name,
  ms(firstMs),
  ...[0.5, 0.99, 1].map((p) => ms(percentile(latenciesMs, p))),
  ms(blockedMs),
];

export const benchStreams = async (quick: boolean): Promise<readonly Claim[]> => {
  const { events, writes } = quick ? quickSizes : fullSizes;
  const pool = steadyPool(await freshDatabase('bench_streams'), 8);
  for (const { sql } of eventingMigrations) await pool.query(sql);
  const masterKey = randomBytes(32);
  const open = (): EventStore =>
    createPostgresEventStore({
      pool,
      types: favouriteEvents,
      keys: createPersonalDataKeys({ pool, masterKey }),
    });
  const [long, short] = [accountId(newId()), accountId(newId())];
  const first = open();
  await fill(first, long, events);
  await fill(first, short, shortStreamEvents);
  const onShort = await write(first, short, writes);
  const onLong = await write(first, long, writes);
  // As another process, which has only the snapshot.
  const second = open();
  const afterStart = await write(second, long, writes);
  await first.close();
  await second.close();
  await pool.end();
  say(
    `Long streams: ${count(writes)} changes of tags of one member, one after the other; ${count(maxFavourites)} favourites with ${maxTags} tags.`,
  );
  say();
  table(
    ['writes on a stream of', 'first ms', 'p50 ms', 'p99 ms', 'max ms', 'longest block ms'],
    [
      rowOf(`${shortStreamEvents} events`, onShort),
      rowOf(`${count(events)} events`, onLong),
      rowOf('the same after a start', afterStart),
    ],
  );
  const p99 = percentile(onLong.latenciesMs, 0.99);
  const blockedMs = Math.max(onLong.blockedMs, afterStart.blockedMs);
  return [
    {
      claim: `a write on a stream of ${count(events)} events, p99 after the first`,
      aim: `≤ ${aims.p99Ms} ms`,
      measured: `${ms(p99)} ms, ${times(p99 / percentile(onShort.latenciesMs, 0.99))} of a short one`,
      reached: p99 <= aims.p99Ms,
    },
    {
      claim: '… longest block of the event loop',
      aim: `≤ ${aims.blockedMs} ms`,
      measured: `${ms(blockedMs)} ms`,
      reached: blockedMs <= aims.blockedMs,
    },
  ];
};
