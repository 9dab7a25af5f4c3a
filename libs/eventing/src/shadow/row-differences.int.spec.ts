import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonValue } from '@tapedeck/kernel';
import fc from 'fast-check';
import { createPostgresEventStore } from '../adapters/postgres.ts';
import type { EventStore } from '../event-store.ts';
import type { Projection } from '../projection.ts';
import { projectToEnd } from '../projections.ts';
import { checkAsyncProperty } from '../testing/property.ts';
import { sampleEvent } from '../testing/sample-events.ts';
import { sampleProjection, sampleTypes } from '../testing/sample-projection.ts';
import { testDatabase, type TestDatabase } from '../testing/test-database.ts';
import { createShadow, rowDifferences, type FieldDifference } from '../reactions.ts';
import { fixedClock } from '@tapedeck/kernel';

const base = sampleProjection();
/** A read model with every operation, and with values that PostgreSQL writes in another form than a fold. */
const projection: Projection = {
  ...base,
  tables: [
    ...base.tables,
    {
      name: 'forms',
      key: ['stream'],
      columns: { stream: 'text', at: 'timestamptz', big: 'bigint', tags: 'text[]', details: 'jsonb' },
    },
    { name: 'newest', key: ['id'], columns: { id: 'integer', n: 'bigint not null' }, growing: ['n'] },
  ],
  fold: (events) =>
    events.flatMap((event) => {
      const n = Number(event.data['amount'] ?? 0);
      return [
        ...base.fold([event]),
        { op: 'put', table: 'newest', key: { id: 1 }, row: { n } },
        {
          op: 'put',
          table: 'forms',
          key: { stream: event.stream },
          row: {
            at: `2026-01-0${(n % 9) + 1}T00:00:00.000Z`,
            big: BigInt(n) * 1_000_000n,
            tags: [`tag ${n}`, 'a "quoted" one'],
            details: { n, list: [n] },
          },
        },
      ];
    }),
};

const streams = ['sample-a', 'sample-b'];
const steps = fc.array(
  fc.record({
    stream: fc.constantFrom(...streams),
    type: fc.constantFrom('Opened', 'Added', 'Added', 'Closed'),
    amount: fc.nat(30),
  }),
  { minLength: 1, maxLength: 8 },
);

type Values = Readonly<Record<string, JsonValue>>;

describe('what events would change in read models', () => {
  let database: TestDatabase;
  let store: EventStore;
  beforeAll(async () => {
    database = await testDatabase();
    store = createPostgresEventStore({ pool: database.pool, types: sampleTypes });
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  const rows = async (): Promise<ReadonlyMap<string, Values>> => {
    const found = new Map<string, Values>();
    for (const { name, key } of projection.tables) {
      const { rows: all } = await database.pool.query<{ row: Values }>(
        `select to_jsonb(t) as row from ${name} t`,
      );
      for (const { row } of all) {
        found.set(JSON.stringify([name, ...key.map((column) => String(row[column]))]), row);
      }
    }
    return found;
  };
  const idOf = ({ table, key }: FieldDifference): string =>
    JSON.stringify([
      table,
      ...(projection.tables.find(({ name }) => name === table)?.key ?? []).map((column) =>
        String(key[column]),
      ),
    ]);

  it('is what projecting them then changes, field by field', async () => {
    await projectToEnd({ store, databases: { tapedeck: database.pool }, projections: [projection] });
    await checkAsyncProperty(
      fc.asyncProperty(steps, async (made) => {
        const events = made.map(({ stream, type, amount }) => ({
          stream,
          event: sampleEvent(type, { amount, title: `title ${amount}` }),
        }));
        const keys = {
          keyFor: () => Promise.reject(),
          keysOf: async () => new Map(),
          forget: async () => {},
        };
        const clock = fixedClock(Date.parse('2027-01-01T00:00:00.000Z'));
        const shadow = await createShadow({ store, keys, types: sampleTypes, clock });
        for (const { stream, event } of events) await shadow.store.append(stream, 'ANY', [event]);
        const foreseen = await rowDifferences(
          { tapedeck: database.pool },
          [projection],
          await shadow.added('sealed'),
        );
        const before = await rows();
        for (const { stream, event } of events) await store.append(stream, 'ANY', [event]);
        await projectToEnd({ store, databases: { tapedeck: database.pool }, projections: [projection] });
        const after = await rows();
        const ids = new Set([...before.keys(), ...after.keys()]);
        const changed = [...ids].flatMap((id) =>
          Object.keys(after.get(id) ?? before.get(id) ?? {})
            .map(
              (field) =>
                [id, field, before.get(id)?.[field] ?? null, after.get(id)?.[field] ?? null] as const,
            )
            .filter(
              ([, field, one, other]) => JSON.stringify(one) !== JSON.stringify(other) && !isKey(id, field),
            ),
        );
        const shown = foreseen.map((one) => [idOf(one), one.field, one.before, one.after]);
        expect(new Set(shown.map((one) => JSON.stringify(one)))).toEqual(
          new Set(changed.map((one) => JSON.stringify(one))),
        );
        const appended = new Set<string>(events.map(({ event }) => event.id));
        for (const { eventId } of foreseen) expect(appended).toContain(eventId);
      }),
      { numRuns: 40 },
    );
  });

  const isKey = (id: string, field: string): boolean => {
    const [table] = JSON.parse(id) as [string];
    return projection.tables.find(({ name }) => name === table)?.key.includes(field) ?? false;
  };
});
