import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, systemClock } from '@tapedeck/kernel';
import { createPostgresEventStore } from '../adapters/postgres.ts';
import type { Decider } from '../decider.ts';
import type { DomainEvent } from '../event.ts';
import type { EventStore } from '../event-store.ts';
import { commandContext, handle, type HandleResult } from './handle.ts';
import { testDatabase, type TestDatabase } from '../testing/test-database.ts';

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

describe('a repeated command', () => {
  const fill: Decider<number, number, Added> = {
    initialState: 0,
    decide: (count, state) =>
      upTo(Math.max(0, count - state)).map((name) => ({ type: 'Added', data: { name } })),
    evolve: (state) => state + 1,
  };
  const newContext = () => commandContext({ actor: { id: 'test', kind: 'system' }, clock: systemClock });

  it('is recognised when it decided otherwise on an older state', async () => {
    const store = openStore();
    const stream = `names-${newId()}`;
    const fillUp = handle(store, fill, types);
    const context = newContext();
    await fillUp(stream, 1, newContext());
    await fillUp(stream, 3, context);
    const repeated = await fillUp(stream, 3, context, { history: [] });
    expect(repeated).toMatchObject({ version: 3, changed: false, state: 3 });
    expect(await store.readStream(stream)).toHaveLength(3);
  });

  it('returns the present state of the stream, also when only the store notices the repetition', async () => {
    const store = openStore();
    const stream = `names-${newId()}`;
    const fillUp = handle(store, fill, types);
    const context = newContext();
    await fillUp(stream, 2, context);
    await fillUp(stream, 5, newContext());
    expect(await fillUp(stream, 2, context, { history: [] })).toMatchObject({
      version: 5,
      changed: false,
      state: 5,
    });
  });

  it('is refused with other content, also when only the store notices the repetition', async () => {
    const store = openStore();
    const stream = `names-${newId()}`;
    const fillUp = handle(store, fill, types);
    const context = newContext();
    await fillUp(stream, 2, { ...context, contentHash: 'one' });
    for (const history of [undefined, []]) {
      await expect(
        fillUp(stream, 2, { ...context, contentHash: 'two' }, history ? { history } : {}),
      ).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    }
    expect((await fillUp(stream, 2, { ...context, contentHash: 'one' })).changed).toBe(false);
  });
});
