import { afterEach, describe, expect, it } from '@jest/globals';
import type { EventStore } from '../event-store.ts';
import { ignore, restore } from '../operations/retry-ignore-restore.ts';
import type { Projection } from '../projection.ts';
import { eventually } from '../testing/eventually.ts';
import { sampleEvent } from '../testing/sample-events.ts';
import { sampleProjection } from '../testing/sample-projection.ts';
import { useTestStores } from '../testing/test-stores.ts';
import {
  cancelBuild,
  changeBuild,
  dumpReadModel,
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

/** As by an event that follows this change. */
const cancel = (of: bigint, kind: ChangeKind = 'rebuild') => {
  changes += 1n;
  const { signal } = new AbortController();
  const options = { store: stores.newStore(), databases: databases(), signal };
  return cancelBuild(options, { projection, kind, change: of }, changes);
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
    expect(await change(store, 'rebuild').outcome).toMatchObject({ outcome: 'swapped' });
    expect(await titles()).toEqual(['a']);
    expect(await change(store, 'roll-back').outcome).toMatchObject({ outcome: 'swapped' });
    expect(await titles()).toEqual(['a', 'wrong']);
    expect(await change(store, 'roll-back').outcome).toMatchObject({ outcome: 'swapped' });
    isOver = true;
    await Promise.all([writing, ...reading]);
    await projected(store);
    expect(await dump()).toBe(await fromZero(store));
    expect(seen.length).toBeGreaterThan(3);
    expect(seen).not.toContain(false);
    expect(await builds()).toMatchObject([
      { name: 'totals', build: 'main', status: 'live' },
      { name: 'totals', build: 'standby', status: 'retired' },
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
    await eventually(async () => expect((await builds()).map(({ build }) => build)).toContain('standby'));
    first.abort();
    await changing.outcome;
    const again = change(stores.newStore(), 'rebuild').begin();
    changes -= 1n;
    expect([await second, await again].filter(Boolean).length).toBeGreaterThan(0);
    expect(await dump()).toBe(await fromZero(store));
  });

  it('is not used after it was cancelled, also not by a process that does not know it', async () => {
    const store = stores.newStore();
    start(store);
    await append(store, 'a-1', 1, 2, 3);
    await projected(store);
    await damage();
    // The builds cannot be swapped while somebody reads.
    const reader = await stores.pool().connect();
    await reader.query('begin; select from totals');
    const stopped = new AbortController();
    const changing = change(store, 'rebuild', stopped.signal);
    const cancelled = changes;
    await eventually(async () => {
      const standby = (await builds()).find(({ build }) => build === 'standby');
      expect(BigInt(standby?.position ?? 0)).toBe(await store.head());
    });
    expect(await cancel(cancelled)).toEqual({ outcome: 'cancelled' });
    await reader.query('commit');
    reader.release();
    const late = { store, databases: databases(), signal: stopped.signal };
    expect(await changeBuild(late, { projection, kind: 'rebuild', change: cancelled })).toBeUndefined();
    stopped.abort();
    expect(await changing.outcome).toBeUndefined();
    expect(await titles()).toEqual(['wrong']);
    expect(await change(store, 'rebuild').outcome).toMatchObject({ outcome: 'swapped' });
    expect(await dump()).toBe(await fromZero(store));
    expect(await cancel(changes)).toMatchObject({ outcome: 'swapped' });
  });

  it('is either used or cancelled when both happen at once, and says which', async () => {
    const store = stores.newStore();
    start(store);
    await append(store, 'a-1', 1, 2, 3);
    await projected(store);
    const outcomes: unknown[] = [];
    for (let round = 0; round < 12; round++) {
      const stopped = new AbortController();
      const kind = round % 2 === 0 ? 'rebuild' : 'roll-back';
      // There has to be a build before.
      if (kind === 'roll-back') await change(store, 'rebuild').outcome;
      const { outcome } = change(store, kind, stopped.signal);
      const wanted = changes;
      await eventually(async () => {
        const { rows } = await stores
          .pool()
          .query('select from projection_checkpoints where change >= $1', [String(wanted)]);
        expect(rows).not.toEqual([]);
      });
      // At different moments of the change.
      for (let query = 0; query < round * 5; query++) await stores.pool().query('select');
      const said = await cancel(wanted, kind);
      if (said?.outcome === 'cancelled') stopped.abort();
      outcomes.push(said?.outcome);
      expect((await outcome)?.outcome).toBe(said?.outcome === 'swapped' ? 'swapped' : undefined);
      expect(await titles()).toEqual(['a']);
    }
    expect(outcomes).not.toContain(undefined);
    await projected(store);
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
    expect(await change(store, 'rebuild').outcome).toMatchObject({ outcome: 'swapped' });
    stopped.abort();
    expect(await waiting).toBeUndefined();
    expect((await builds()).map(({ version }) => version)).toEqual([1, 1]);
  });

  it('has no event that was ignored, and is not used when it has more parked events', async () => {
    const store = stores.newStore();
    start(store);
    const last = await append(store, 'a-1', 1, 'poison', 3, 4);
    await append(store, 'a-2', 5);
    await projected(store);
    const parts = { store, databases: databases(), projections: [projection] };
    const poisoned = last - 2n;
    const ignored = (position: bigint): Promise<boolean> => ignore(parts, projection.name, position);
    expect(await ignored(last)).toBe(false);
    expect(await Promise.all([ignored(poisoned), ignored(poisoned)])).toEqual([true, true]);
    const amounts = async (): Promise<readonly unknown[]> =>
      (
        await stores
          .pool()
          .query(`select amount::int as amount from amounts where stream = 'a-1' order by version`)
      ).rows;
    const without = [{ amount: 1 }, { amount: 3 }, { amount: 4 }];
    expect(await amounts()).toEqual(without);
    await append(store, 'a-1', 6);
    await projected(store);
    expect(await amounts()).toEqual([...without, { amount: 6 }]);
    expect(await change(store, 'rebuild').outcome).toMatchObject({ outcome: 'swapped' });
    expect(await amounts()).toEqual([...without, { amount: 6 }]);
    await restore(parts, projection.name, poisoned, new Date().toISOString());
    const refused = await change(store, 'rebuild').outcome;
    expect(refused).toMatchObject({ outcome: 'refused' });
    expect(await amounts()).toEqual([...without, { amount: 6 }]);
    const back = await change(store, 'roll-back').outcome;
    expect(back).toMatchObject({ outcome: 'refused', reason: expect.stringContaining('no longer there') });
  });
});
