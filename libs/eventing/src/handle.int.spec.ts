import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, systemClock } from '@tapedeck/kernel';
import { createPostgresEventStore } from './adapters/postgres.ts';
import type { Decider } from './decider.ts';
import type { DomainEvent } from './event.ts';
import type { EventStore } from './event-store.ts';
import { commandContext, handle, type HandleResult } from './handle.ts';
import { testDatabase, type TestDatabase } from './testing/test-database.ts';

type Added = DomainEvent<'Added', { name: number }>;

const names: Decider<readonly number[], number, Added> = {
  initialState: [],
  decide: (name) => [{ type: 'Added', data: { name } }],
  evolve: (state, { data }) => [...state, data.name],
};
const types = { Added: { version: 1 } };
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

let database: TestDatabase;
const stores: EventStore[] = [];

/** A store of its own, as every process has one. */
const openStore = (): EventStore => {
  const store = createPostgresEventStore({ pool: database.pool, types });
  stores.push(store);
  return store;
};

const adderOf = (store: EventStore): ((stream: string, name: number) => Promise<HandleResult>) => {
  const add = handle(store, names, types);
  return (stream, name) =>
    add(stream, name, commandContext({ actor: { id: 'test', kind: 'system' }, clock: systemClock }));
};

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => {
  await Promise.all(stores.map((store) => store.close()));
  await database.drop();
});

describe('commands on one stream', () => {
  it('all succeed in the order in which they were sent when one process sends a hundred at once', async () => {
    const store = openStore();
    const add = adderOf(store);
    const stream = `names-${newId()}`;
    await Promise.all(upTo(100).map((name) => add(stream, name)));
    const events = await store.readStream(stream);
    expect(events.map(({ data }) => data['name'])).toEqual(upTo(100));
  });

  it('all succeed when several processes send them at once', async () => {
    const stream = `names-${newId()}`;
    const processes = upTo(4).map(() => adderOf(openStore()));
    await Promise.all(processes.flatMap((add) => upTo(25).map((name) => add(stream, name))));
    const [store] = stores;
    expect(await store?.readStream(stream)).toHaveLength(100);
  });
});
