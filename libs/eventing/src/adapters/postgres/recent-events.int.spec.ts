import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { setMaxListeners } from 'node:events';
import { Client } from 'pg';
import type { EventStore, TapePage } from '../../event-store.ts';
import { eventually } from '../../testing/eventually.ts';
import { sampleEvent } from '../../testing/sample-events.ts';
import { testDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { createPostgresEventStore } from '../postgres.ts';

const types = ['Counted', 'Noted', 'Opened'] as const;

describe('followers of one process', () => {
  let database: TestDatabase;
  let store: EventStore;
  beforeAll(async () => {
    database = await testDatabase();
    const version = { version: 1 };
    const definitions = { Counted: version, Noted: version, Opened: version };
    store = createPostgresEventStore({ pool: database.pool, types: definitions });
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** Starts a follower; returns the versions of the events that it has got. */
  const follow = async (signal: AbortSignal, followed?: readonly string[]) => {
    const got: number[] = [];
    const progress = { position: await store.head(), got };
    const options = { after: progress.position, batchSize: 100, signal };
    const run = async (): Promise<void> => {
      for await (const page of store.follow({ ...options, ...(followed ? { types: followed } : {}) })) {
        got.push(...page.events.map(({ version }) => version));
        progress.position = page.position;
      }
    };
    return { progress, ended: run() };
  };
  const append = async (stream: string, version: number): Promise<bigint> => {
    const event = sampleEvent(types[version % types.length] ?? 'Counted');
    const result = await store.append(stream, version === 1 ? 'NO_STREAM' : version - 1, [event]);
    return result.outcome === 'appended' ? result.position : 0n;
  };

  it('read a new event once together, and each gets those of its types', async () => {
    const stop = new AbortController();
    setMaxListeners(0, stop.signal);
    const all = await Promise.all([
      ...types.map((type) => follow(stop.signal, [type])),
      ...types.map(() => follow(stop.signal)),
    ]);
    const untilAllHave = (position: bigint): Promise<void> =>
      eventually(() => {
        for (const { progress } of all) expect(progress.position).toBe(position);
      });
    await untilAllHave(await append('shared', 1));

    const query = jest.spyOn(Client.prototype, 'query');
    const count = 30;
    for (let version = 2; version <= count; version++) await untilAllHave(await append('shared', version));
    // The types of the mock know only the last of the overloads, which has no configuration.
    const queries = query.mock.calls.map(([config]) => (config as unknown as { name?: string }).name ?? '');
    stop.abort();
    await Promise.all(all.map(({ ended }) => ended));

    const versions = Array.from({ length: count }, (_, index) => index + 1);
    const ofType = (type: number): readonly number[] => versions.filter((version) => version % 3 === type);
    expect(all.map(({ progress }) => progress.got)).toEqual([
      ...types.map((_, type) => ofType(type)),
      ...types.map(() => versions),
    ]);
    expect(queries.filter((name) => name.startsWith('tape_read'))).toHaveLength(count - 1);
  });

  it('do not wait for one that takes no page', async () => {
    const stop = new AbortController();
    const pages = store.follow({ after: await store.head(), batchSize: 10, signal: stop.signal });
    const idle = pages[Symbol.asyncIterator]();
    const busy = await follow(stop.signal, ['Counted']);
    let last = 0n;
    for (let version = 1; version <= 50; version++) last = await append('waiting', version);
    await eventually(() => expect(busy.progress.position).toBe(last));
    const first = await idle.next();
    const page: TapePage | undefined = first.done === true ? undefined : first.value;
    expect(page?.events.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    stop.abort();
    await idle.return?.();
    await busy.ended;
  });
});
