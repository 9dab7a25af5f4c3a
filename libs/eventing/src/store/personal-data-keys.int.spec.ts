import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, systemClock } from '@tapedeck/kernel';
import { randomBytes } from 'node:crypto';
import { createMemoryPersonalDataKeys, createMemoryTape } from '../adapters/memory.ts';
import { createPersonalDataKeys, createPostgresEventStore } from '../adapters/postgres.ts';
import type { EventStore } from '../event-store.ts';
import { isForgotten, type EventTypes } from '../event-types.ts';
import { personalSubjectsSql } from '../migrations/tape.ts';
import { errorCodeOf } from '../testing/contract-context.ts';
import { sampleEvent } from '../testing/sample-events.ts';
import { testDatabase, type TestDatabase } from '../testing/test-database.ts';
import type { PersonalDataKeys } from './personal-data-keys.ts';
import { withEventTypes } from './with-event-types.ts';
import { withPersonalData } from './with-personal-data.ts';

const types: EventTypes = { Registered: { version: 1, personal: ['email'], subject: 'accountId' } };
const masterKey = randomBytes(32);

type Parts = Readonly<{ store: EventStore; keys: PersonalDataKeys }>;

/** A tape and its keys. `open` is a new process; `restoreKeys` gives the table of keys the rows of an earlier `saveKeys`. */
type Subject = Readonly<{
  open: () => Parts;
  saveKeys: () => Promise<void>;
  restoreKeys: () => Promise<void>;
}>;

const inMemory = (): Subject => {
  const tape = createMemoryTape(systemClock);
  let saved = createMemoryPersonalDataKeys(tape);
  let current = saved;
  const open = (): Parts => {
    const keys = current;
    return { keys, store: withEventTypes(withPersonalData(tape, types, keys), types) };
  };
  return {
    open,
    // The older keys are those of a process that has seen nothing since.
    saveKeys: async () => {
      saved = createMemoryPersonalDataKeys(tape);
    },
    restoreKeys: async () => {
      current = saved;
    },
  };
};

let database: TestDatabase;
const inPostgres = (): Subject => {
  const { pool } = database;
  return {
    open: () => {
      const keys = createPersonalDataKeys({ pool, masterKey });
      return { keys, store: createPostgresEventStore({ pool, types, keys }) };
    },
    saveKeys: async () => {
      await pool.query('drop table if exists saved_keys');
      await pool.query('create table saved_keys as table personal_data_keys');
    },
    restoreKeys: async () => {
      await pool.query('truncate personal_data_keys');
      await pool.query('insert into personal_data_keys select * from saved_keys');
    },
  };
};

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const streamOf = (account: string): string => `account-${account}`;
const register = ({ store }: Parts, accountId: string, email: string): Promise<unknown> =>
  store.append(streamOf(accountId), 'ANY', [sampleEvent('Registered', { accountId, email })]);

const subjects: readonly (readonly [string, () => Subject])[] = [
  ['in memory', inMemory],
  ['in PostgreSQL', inPostgres],
];

describe.each(subjects)('the keys of personal data %s', (_, subjectUnderTest) => {
  /** An account whose events are newer than the restored keys, and the process after the restore. */
  const restored = async (): Promise<Parts & Readonly<{ account: string; after: bigint }>> => {
    const subject = subjectUnderTest();
    await subject.saveKeys();
    const before = subject.open();
    const after = await before.store.head();
    const account = newId();
    await register(before, account, 'ada@example.com');
    await subject.restoreKeys();
    return { ...subject.open(), account, after };
  };
  const mismatch = /the table of keys and the tape do not belong together/;

  it('are missing for events that are newer than a restored table of keys, which is not taken for forgetting', async () => {
    const parts = await restored();
    const { store, account, after } = parts;
    const other = newId();
    await register(parts, other, 'bob@example.com');
    const { events } = await store.readTape({ after, limit: 10 });
    const [missing, readable] = [account, other].map((id) =>
      events.find(({ data }) => data['accountId'] === id),
    );
    expect(missing?.unreadable).toMatch(mismatch);
    expect(isForgotten(missing?.data['email'])).toBe(false);
    expect([readable?.data['email'], readable?.unreadable]).toEqual(['bob@example.com', undefined]);
    expect(await errorCodeOf(store.readStream(streamOf(account)))).toBe('EVENT_UNREADABLE');
    await expect(store.readStreams([streamOf(account)])).rejects.toThrow(mismatch);
  });

  it('are not created a second time for an account that has events', async () => {
    const parts = await restored();
    await expect(parts.keys.keyFor(parts.account)).rejects.toMatchObject({
      code: 'PERSONAL_KEY_MISSING',
      message: expect.stringMatching(mismatch),
    });
    expect(await errorCodeOf(register(parts, parts.account, 'other@example.com'))).toBe(
      'PERSONAL_KEY_MISSING',
    );
    expect(await parts.store.readStream(streamOf(parts.account), { form: 'stored' })).toHaveLength(1);
  });

  it('are created for an account without events, also when it has a key already', async () => {
    const { keys } = subjectUnderTest().open();
    const account = newId();
    const [first, second] = [await keys.keyFor(account), await keys.keyFor(account)];
    expect(second).toEqual(first);
    expect((await keys.keysOf([account, newId()])).size).toBe(1);
  });

  it('are known to be forgotten, also for an account that never had one', async () => {
    const { keys } = subjectUnderTest().open();
    const account = newId();
    await keys.forget(account);
    expect([...(await keys.keysOf([account]))]).toEqual([[account, 'forgotten']]);
    expect(await errorCodeOf(keys.keyFor(account))).toBe('ACCOUNT_FORGOTTEN');
  });
});

describe('the table of keys in PostgreSQL', () => {
  it('gives an account one key when several processes append its first event at the same time', async () => {
    const account = newId();
    const processes = Array.from({ length: 12 }, () => inPostgres().open());
    await Promise.all(processes.map((parts, at) => register(parts, account, `${at}@example.com`)));
    const stored = await processes[0]?.store.readStream(streamOf(account), { form: 'stored' });
    expect(new Set(stored?.map(({ metadata }) => metadata['personalKey'])).size).toBe(1);
    const read = await inPostgres().open().store.readStream(streamOf(account));
    expect(new Set(read.map(({ data }) => data['email'])).size).toBe(12);
  });

  it('does not belong to the tape when it is that of another product', async () => {
    const account = newId();
    await register(inPostgres().open(), account, 'ada@example.com');
    const other = await testDatabase();
    await createPersonalDataKeys({ pool: other.pool, masterKey }).keyFor(account);
    const { rows } = await other.pool.query<{ key_id: string; wrapped: Buffer }>(
      'select key_id, wrapped from personal_data_keys',
    );
    await other.drop();
    await database.pool.query('update personal_data_keys set key_id = $2, wrapped = $3 where subject = $1', [
      account,
      rows[0]?.key_id,
      rows[0]?.wrapped,
    ]);
    const { store } = inPostgres().open();
    await expect(store.readStream(streamOf(account))).rejects.toThrow('do not belong together');
  });

  it('creates no second key for an account whose events are older than the list of accounts', async () => {
    const older = await testDatabase();
    const open = (): Parts => {
      const keys = createPersonalDataKeys({ pool: older.pool, masterKey });
      return { keys, store: createPostgresEventStore({ pool: older.pool, types, keys }) };
    };
    const account = newId();
    await register(open(), account, 'ada@example.com');
    await older.pool.query('drop table tape_personal_subjects');
    await older.pool.query('drop function tape_personal_subjects_are_immutable');
    await older.pool.query('truncate personal_data_keys');
    await older.pool.query(personalSubjectsSql);
    expect(await errorCodeOf(open().keys.keyFor(account))).toBe('PERSONAL_KEY_MISSING');
    await older.drop();
  });

  it('has a list of accounts beside it from which none can be removed', async () => {
    await inPostgres().open().keys.keyFor(newId());
    for (const change of ['delete from', 'truncate']) {
      await expect(database.pool.query(`${change} tape_personal_subjects`)).rejects.toThrow(
        'it belongs to the tape',
      );
    }
  });
});
