import { afterEach, describe, expect, it } from '@jest/globals';
import type { EventStore } from '../event-store.ts';
import type { Projection } from '../projection.ts';
import { eventually } from '../testing/eventually.ts';
import { sampleEvent } from '../testing/sample-events.ts';
import { sampleProjection } from '../testing/sample-projection.ts';
import { useTestStores } from '../testing/test-stores.ts';
import {
  changeBuild,
  dumpReadModel,
  ignoreParkedEvent,
  includeIgnored,
  listCheckpoints,
  rebuildInto,
  startProjector,
  waitForPosition,
  type ChangeKind,
  type ChangeOutcome,
  type ListedCheckpoint,
  type Projector,
} from '../projections.ts';

const stores = useTestStores();
const started: Projector[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((projector) => projector.stop()));
});

const projection = sampleProjection();
const databases = (): { tapedeck: ReturnType<typeof stores.pool> } => ({ tapedeck: stores.pool() });
const start = (store: EventStore): void => {
  started.push(
    startProjector({
      store,
      projections: [projection],
      databases: databases(),
      leaseMs: 1_000,
      batchSize: 20,
    }),
  );
};

const append = async (store: EventStore, stream: string, ...amounts: readonly unknown[]): Promise<bigint> => {
  const events = amounts.map((amount) =>
    amount === 'poison'
      ? sampleEvent('Added', { poison: true })
      : sampleEvent('Added', { amount: Number(amount) }),
  );
  const result = await store.append(stream, 'ANY', [sampleEvent('Opened', { title: 'a' }), ...events]);
  if (result.outcome !== 'appended') throw new Error(result.outcome);
  return result.position;
};

let changes = 0n;
const change = (store: EventStore, kind: ChangeKind, signal = new AbortController().signal) => {
  changes += 1n;
  const options = {
    store,
    databases: databases(),
    signal,
    leaseMs: 1_000,
    batchSize: 20,
    pollIntervalMs: 10,
  };
  const begin = (): Promise<ChangeOutcome | undefined> =>
    changeBuild(options, { projection, kind, change: changes });
  return { begin, outcome: begin() };
};

const projected = async (store: EventStore): Promise<void> => {
  const head = await store.head();
  expect(await waitForPosition(stores.pool(), projection.name, head, 10_000)).toBe(true);
};
const dump = (): Promise<string> => dumpReadModel(stores.pool(), projection);
const fromZero = async (store: EventStore, of: Projection = projection): Promise<string> => {
  await rebuildInto({ store, projection: of, pool: stores.pool() });
  return dumpReadModel(stores.pool(), of, '_check');
};
const builds = async (): Promise<readonly ListedCheckpoint[]> => listCheckpoints(stores.pool());
const titles = async (): Promise<readonly string[]> => {
  const { rows } = await stores
    .pool()
    .query<{ title: string }>('select distinct title from totals order by 1');
  return rows.map(({ title }) => title);
};
const damage = async (): Promise<void> => {
  await stores.pool().query(`update totals_v1 set title = 'wrong'`);
};

describe('a second build of a read model', () => {
  it('replaces the first one at the end of the tape, and is replaced by it, while events are appended', async () => {
    const store = stores.newStore();
    start(store);
    for (let stream = 0; stream < 50; stream++) await append(store, `a-${stream}`, 1, 2, 3);
    await projected(store);
    await damage();
    let isOver = false;
    const seen: boolean[] = [];
    const writing = (async () => {
      for (let n = 0; !isOver; n++) {
        const position = await append(store, `b-${n}`, n);
        await waitForPosition(stores.pool(), projection.name, position, 10_000);
        const { rows } = await stores.pool().query('select from amounts where stream = $1', [`b-${n}`]);
        seen.push(rows.length === 1);
      }
    })();
    // Without a pause between two queries.
    const reading = [1, 2, 3].map(async () => {
      while (!isOver) await stores.pool().query('select from totals');
    });
    expect(await change(store, 'rebuild').outcome).toMatchObject({ outcome: 'exchanged' });
    expect(await titles()).toEqual(['a']);
    expect(await change(store, 'roll-back').outcome).toMatchObject({ outcome: 'exchanged' });
    expect(await titles()).toEqual(['a', 'wrong']);
    expect(await change(store, 'roll-back').outcome).toMatchObject({ outcome: 'exchanged' });
    isOver = true;
    await Promise.all([writing, ...reading]);
    await projected(store);
    expect(await dump()).toBe(await fromZero(store));
    expect(seen.length).toBeGreaterThan(3);
    expect(seen).not.toContain(false);
    expect(await builds()).toMatchObject([
      { name: 'totals', build: 'main', status: 'live' },
      { name: 'totals', build: 'spare', status: 'retired' },
    ]);
  });

  it('is made once for one request, also by two processes, and continues after one of them has ended', async () => {
    const store = stores.newStore();
    start(store);
    await append(store, 'a-1', 1, 2, 3);
    await projected(store);
    const first = new AbortController();
    const changing = change(store, 'rebuild', first.signal);
    const second = changing.begin();
    await eventually(async () => expect((await builds()).map(({ build }) => build)).toContain('spare'));
    first.abort();
    await changing.outcome;
    const again = change(stores.newStore(), 'rebuild').begin();
    changes -= 1n;
    expect([await second, await again].filter(Boolean).length).toBeGreaterThan(0);
    expect(await dump()).toBe(await fromZero(store));
  });

  it('is not begun by a program whose version is not the one in use', async () => {
    const store = stores.newStore();
    start(store);
    await append(store, 'a-1', 1);
    await projected(store);
    const stopped = new AbortController();
    const next = { ...projection, version: 2 };
    const options = { store, databases: databases(), signal: stopped.signal, pollIntervalMs: 5 };
    const waiting = changeBuild(options, { projection: next, kind: 'rebuild', change: 1_000n });
    expect(await change(store, 'rebuild').outcome).toMatchObject({ outcome: 'exchanged' });
    stopped.abort();
    expect(await waiting).toBeUndefined();
    expect((await builds()).map(({ version }) => version)).toEqual([1, 1]);
  });

  it('leaves out what was ignored, and is not used when it has more parked events', async () => {
    const store = stores.newStore();
    start(store);
    const last = await append(store, 'a-1', 1, 'poison', 3, 4);
    await append(store, 'a-2', 5);
    await projected(store);
    const pool = stores.pool();
    const poisoned = last - 2n;
    const ignore = (position: bigint): Promise<boolean> =>
      ignoreParkedEvent({ store, pool, projection }, position);
    expect(await ignore(last)).toBe(false);
    expect(await Promise.all([ignore(poisoned), ignore(poisoned)])).toEqual([true, true]);
    const amounts = async (): Promise<readonly unknown[]> =>
      (await pool.query(`select amount::int as amount from amounts where stream = 'a-1' order by version`))
        .rows;
    const without = [{ amount: 1 }, { amount: 3 }, { amount: 4 }];
    expect(await amounts()).toEqual(without);
    await append(store, 'a-1', 6);
    await projected(store);
    expect(await amounts()).toEqual([...without, { amount: 6 }]);
    expect(await change(store, 'rebuild').outcome).toMatchObject({ outcome: 'exchanged' });
    expect(await amounts()).toEqual([...without, { amount: 6 }]);
    await includeIgnored(pool, projection, poisoned);
    const refused = await change(store, 'rebuild').outcome;
    expect(refused).toMatchObject({ outcome: 'refused' });
    expect(await amounts()).toEqual([...without, { amount: 6 }]);
    const back = await change(store, 'roll-back').outcome;
    expect(back).toMatchObject({ outcome: 'refused', reason: expect.stringContaining('no longer there') });
  });
});
