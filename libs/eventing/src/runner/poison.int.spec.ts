import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@tapedeck/kernel';
import { Pool } from 'pg';
import type { EventStore } from '../event-store.ts';
import type { RecordedEvent } from '../event.ts';
import type { Projection, RowChange } from '../projection.ts';
import {
  dumpReadModel,
  projectionStatus,
  projectToEnd,
  rebuildInto,
  startProjector,
  waitForPosition,
} from '../projections.ts';
import { eventually } from '../testing/eventually.ts';
import { sampleEvent } from '../testing/sample-events.ts';
import { sampleProjection, sampleTypes } from '../testing/sample-projection.ts';
import { useTestStores } from '../testing/test-stores.ts';

const [totals, amounts] = sampleProjection().tables;
const tables = (columns: Readonly<Record<string, string>>): Projection['tables'] =>
  totals && amounts ? [{ ...totals, columns: { ...totals.columns, ...columns } }, amounts] : [];
const put = ({ stream, data }: RecordedEvent, row: JsonObject): readonly RowChange[] =>
  data['poison'] === true
    ? [{ op: 'put', table: 'totals', key: { stream }, row: { title: 'x', ...row } }]
    : [];
const foldOf =
  (poison: (event: RecordedEvent) => readonly RowChange[]): Projection['fold'] =>
  (events) =>
    events.flatMap((event) => {
      const changes = poison(event);
      return changes.length > 0 ? changes : sampleProjection().fold([event]);
    });
// No compression makes it fit into an index.
const longText = Array.from({ length: 9_000 }, (_, at) =>
  String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000)),
).join('');

describe('an event', () => {
  const { pool, newStore, url } = useTestStores();

  const databases = () => ({ tapedeck: pool() });
  const fill = async (store: EventStore): Promise<bigint> => {
    for (const stream of ['sample-a', 'sample-b']) {
      await store.append(stream, 'NO_STREAM', [
        sampleEvent('Opened', { title: stream }),
        sampleEvent('Added', { amount: 1 }),
        sampleEvent('Added', { amount: 2, ...(stream === 'sample-a' ? { poison: true } : {}) }),
        sampleEvent('Added', { amount: 3 }),
      ]);
    }
    return store.head();
  };
  const parked = async (): Promise<readonly unknown[]> =>
    (
      await pool().query(
        'select key, stream, stream_version as version from projection_parked_events order by position',
      )
    ).rows;

  it.each<[string, Partial<Projection>]>([
    [
      'an index refuses',
      {
        tables: tables({ name: 'text unique' }),
        fold: foldOf((event) => put(event, { name: longText })),
      },
    ],
    [
      'a constraint refuses when the transaction ends',
      {
        tables: tables({ name: 'text unique deferrable initially deferred' }),
        fold: foldOf((event) =>
          put(event, { name: 'same' }).flatMap((change) => [
            change,
            { ...change, key: { stream: 'another' } },
          ]),
        ),
      },
    ],
    ['has a column that the table does not have', { fold: foldOf((event) => put(event, { colour: 'red' })) }],
    [
      'is for a table that the projection does not have',
      { fold: foldOf((event) => put(event, {}).map((change) => ({ ...change, table: 'others' }))) },
    ],
  ])('whose row %s is parked with its key, and others are projected', async (_, changes) => {
    const store = newStore();
    await fill(store);
    const projection = sampleProjection(changes);
    await projectToEnd({ store, projections: [projection], databases: databases() });
    expect(await parked()).toEqual([
      { key: 'sample-a', stream: 'sample-a', version: 3 },
      { key: 'sample-a', stream: 'sample-a', version: 4 },
    ]);
    const { rows } = await pool().query('select stream, last from totals order by stream');
    expect(rows).toEqual([
      { stream: 'sample-a', last: 1 },
      { stream: 'sample-b', last: 3 },
    ]);
    await rebuildInto({ store, projection, pool: pool() });
    expect(await dumpReadModel(pool(), projection, '_check')).toBe(await dumpReadModel(pool(), projection));
  });

  it('whose upcaster fails is parked with its key', async () => {
    await fill(newStore());
    const upcaster = (data: JsonObject): JsonObject => {
      if (data['poison'] === true) throw new Error('no such amount');
      return data;
    };
    const store = newStore({ ...sampleTypes, Added: { version: 2, upcasters: [upcaster] } });
    await projectToEnd({ store, projections: [sampleProjection()], databases: databases() });
    expect(await parked()).toHaveLength(2);
    const { rows } = await pool().query('select error from projection_parked_events order by position');
    expect(rows).toEqual([{ error: 'its upcaster failed: no such amount' }, { error: null }]);
  });

  it.each<[string, string, (event: RecordedEvent) => string]>([
    [
      'no key can be found for',
      'sample-a',
      ({ data, stream }) => {
        if (data['poison'] === true) throw new Error('no key');
        return stream;
      },
    ],
    [
      'has a key that is too long for an index',
      longText,
      ({ stream }) => (stream === 'sample-a' ? longText : stream),
    ],
  ])('that %s is parked, and others are projected', async (_, key, keyOf) => {
    const store = newStore();
    const position = await fill(store);
    await projectToEnd({
      store,
      projections: [sampleProjection({ keyOf })],
      databases: databases(),
    });
    expect(await waitForPosition(pool(), 'totals', position, 100)).toBe(true);
    expect(await parked()).toHaveLength(2);
    expect((await parked()).every((row) => (row as { key: string }).key.startsWith(key.slice(0, 8)))).toBe(
      true,
    );
  });

  it('is not parked while the database refuses everything, and is projected afterwards', async () => {
    const store = newStore();
    const projection = sampleProjection();
    await projectToEnd({ store, projections: [projection], databases: databases() });
    const projector = startProjector({ store, projections: [projection], databases: databases() });
    const status = async () =>
      (await projectionStatus({ store, projections: [projection], databases: databases() }))[0];
    await eventually(async () => expect((await status())?.leaseOwner).toEqual(expect.any(String)));
    await pool().query('alter table amounts_v1 rename to amounts_hidden');
    const position = await store
      .append('sample-a', 'NO_STREAM', [
        sampleEvent('Opened', { title: 'a' }),
        sampleEvent('Added', { amount: 1 }),
      ])
      .then(() => store.head());
    await eventually(async () => expect((await status())?.lastError).toContain('amounts_v1'));
    expect(await status()).toMatchObject({ parked: 0, position: 0n });
    await pool().query('alter table amounts_hidden rename to amounts_v1');
    expect(await waitForPosition(pool(), 'totals', position, 10_000)).toBe(true);
    await projector.stop();
    expect(await status()).toMatchObject({ parked: 0, lastError: null });
  });

  it('is not parked by a connection that may only read', async () => {
    const store = newStore();
    const projection = sampleProjection();
    await projectToEnd({ store, projections: [projection], databases: databases() });
    const reader = new Pool({
      connectionString: url(),
      options: '-c default_transaction_read_only=on',
    });
    await fill(store);
    const failures: object[] = [];
    const log = (details: object): void => void failures.push(details);
    const logger = { debug: () => {}, info: () => {}, warn: log, error: log };
    const projector = startProjector({
      store,
      projections: [projection],
      databases: { tapedeck: reader },
      logger,
    });
    await eventually(() => expect(failures.length).toBeGreaterThan(1));
    await projector.stop();
    await reader.end();
    expect(await parked()).toEqual([]);
  });
});
