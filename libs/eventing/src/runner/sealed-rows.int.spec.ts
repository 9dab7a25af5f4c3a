import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, type JsonObject } from '@tapedeck/kernel';
import { createPersonalDataKeys, createPostgresEventStore } from '../adapters/postgres.ts';
import type { EventStore } from '../event-store.ts';
import { isForgotten, type EventTypes, type Sealed } from '../event-types.ts';
import type { RecordedEvent } from '../event.ts';
import type { Projection } from '../projection.ts';
import { dumpReadModel, projectToEnd, rebuildInto } from '../projections.ts';
import type { PersonalDataKeys } from '../store/personal-data-keys.ts';
import { sampleEvent } from '../testing/sample-events.ts';
import { testDatabase, type TestDatabase } from '../testing/test-database.ts';
import { unsealRows } from '../store/unseal-rows.ts';
import { retryParked } from './retry-parked.ts';

const types: EventTypes = { Noted: { version: 1, personal: ['note'], subject: 'accountId' } };

const fold = (events: readonly RecordedEvent[]) =>
  events.map(({ data, version }) => ({
    op: 'put' as const,
    table: 'notes',
    key: { account_id: String(data['accountId']), version },
    row: { note: data['note'] as string },
  }));

const projection: Projection = {
  name: 'notes',
  version: 1,
  database: 'tapedeck',
  types: ['Noted'],
  tables: [
    {
      name: 'notes',
      key: ['account_id', 'version'],
      columns: { account_id: 'uuid not null', version: 'integer not null', note: 'text not null' },
    },
  ],
  fold,
};

/** Parks the second event of each stream. */
const broken: Projection = {
  ...projection,
  fold: (events) => {
    if (events.some(({ version }) => version === 2)) throw new Error('the second event');
    return fold(events);
  },
};

type Row = Readonly<{ account_id: string; note: Sealed<string> | null }>;

describe('a read model with personal columns', () => {
  let database: TestDatabase;
  let keys: PersonalDataKeys;
  let store: EventStore;
  beforeAll(async () => {
    database = await testDatabase();
    keys = createPersonalDataKeys({ pool: database.pool, masterKey: Buffer.alloc(32, 3) });
    store = createPostgresEventStore({ pool: database.pool, types, keys });
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  const note = async (accountId: string, ...notes: readonly string[]): Promise<void> => {
    const events = notes.map((text) => sampleEvent('Noted', { accountId, note: text } satisfies JsonObject));
    await store.append(`notes-${accountId}`, 'NO_STREAM', events);
  };
  const rows = async (): Promise<readonly Row[]> =>
    (await database.pool.query<Row>('select account_id, note from notes order by version, account_id')).rows;
  const dump = (suffix = ''): Promise<string> => dumpReadModel(database.pool, projection, suffix);

  it('has the same sealed rows however it is built, before and after an account is forgotten', async () => {
    const [ann, bob] = [newId(), newId()];
    await note(ann, 'one unmistakable note', 'another "unmistakable" note');
    await note(bob, 'unmistakable: äöü 🎛️');
    const options = { store, pool: database.pool };
    await projectToEnd({ store, projections: [broken], databases: { tapedeck: database.pool } });
    expect(await retryParked({ ...options, projection })).toMatchObject({ retried: 1, parked: 0 });
    const built = await dump();
    expect(built).not.toContain('unmistakable');
    await rebuildInto({ ...options, projection });
    expect(await dump('_check')).toBe(built);

    const opened = await unsealRows(store, [...(await rows()), { account_id: '', note: null }], ['note']);
    expect(new Map(opened.map(({ account_id: id, note: text }) => [text, id]))).toEqual(
      new Map([
        ['one unmistakable note', ann],
        ['another "unmistakable" note', ann],
        ['unmistakable: äöü 🎛️', bob],
        [null, ''],
      ]),
    );

    await keys.forget(ann);
    await rebuildInto({ ...options, projection });
    expect(await dump('_check')).toBe(built);
    const left = await unsealRows(store, await rows(), ['note']);
    expect(left.map(({ account_id: id, note: text }) => [id, isForgotten(text)])).toEqual(
      expect.arrayContaining([
        [ann, true],
        [bob, false],
      ]),
    );
  });

  it('refuses a value that was moved from another field, and one whose key was lost', async () => {
    const [carl, dora] = [newId(), newId()];
    await note(carl, 'of Carl');
    await note(dora, 'of Dora');
    const sealedOf = async (id: string): Promise<string> => {
      const [event] = await store.readStream(`notes-${id}`, { form: 'sealed' });
      return String(event?.data['note']);
    };
    const parts = [(await sealedOf(carl)).split('.'), (await sealedOf(dora)).split('.')] as const;
    const unseal = (text: readonly string[]) => store.unseal([text.join('.') as Sealed]);
    expect(await unseal(parts[0])).toEqual(['of Carl']);
    await expect(unseal([...parts[0].slice(0, 4), parts[1][4] ?? ''])).rejects.toThrow(/authenticate/);
    await expect(unseal([...parts[0].slice(0, 3), 'other', parts[0][4] ?? ''])).rejects.toThrow(
      /authenticate/,
    );
    await database.pool.query('delete from personal_data_keys where subject = $1', [dora]);
    const reread = createPersonalDataKeys({ pool: database.pool, masterKey: Buffer.alloc(32, 3) });
    const restarted = createPostgresEventStore({ pool: database.pool, types, keys: reread });
    await expect(restarted.unseal([parts[1].join('.') as Sealed])).rejects.toMatchObject({
      code: 'PERSONAL_KEY_MISSING',
    });
    await restarted.close();
  });

  it('shows a field that was listed as personal after its event was written', async () => {
    const before = createPostgresEventStore({ pool: database.pool, types: { Noted: { version: 1 } }, keys });
    const emil = newId();
    await before.append(`notes-${emil}`, 'NO_STREAM', [
      sampleEvent('Noted', { accountId: emil, note: ['a', 'list'] }),
    ]);
    await before.close();
    const [event] = await store.readStream(`notes-${emil}`, { form: 'sealed' });
    expect(await store.unseal([String(event?.data['note']) as Sealed])).toEqual([['a', 'list']]);
  });
});
