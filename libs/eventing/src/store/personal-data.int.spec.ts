import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fixedClock, newId } from '@tapedeck/kernel';
import { randomBytes } from 'node:crypto';
import { createMemoryEventStore, createMemoryPersonalDataKeys } from '../adapters/memory.ts';
import { createPersonalDataKeys, createPostgresEventStore } from '../adapters/postgres.ts';
import type { EventStore } from '../event-store.ts';
import { isForgotten, type EventTypes } from '../event-types.ts';
import { sampleEvent } from '../testing/sample-events.ts';
import { testDatabase, type TestDatabase } from '../testing/test-database.ts';
import type { PersonalDataKeys } from './personal-data-keys.ts';

const types: EventTypes = {
  Registered: { version: 1, personal: ['email', 'name', 'notes'], subject: 'accountId' },
  Noted: { version: 1 },
};
const masterKey = randomBytes(32);
const person = {
  email: 'ada.lovelace@example.com',
  name: 'Ada „🎛️“ Lovelace',
  notes: { list: ['Analytical', 1] },
};

describe('personal fields of events', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.drop());

  const subjects: readonly (readonly [
    string,
    () => Readonly<{ keys: PersonalDataKeys; store: EventStore }>,
  ])[] = [
    [
      'in memory',
      () => {
        const keys = createMemoryPersonalDataKeys();
        return { keys, store: createMemoryEventStore({ types, keys }) };
      },
    ],
    [
      'in PostgreSQL',
      () => {
        const keys = createPersonalDataKeys({ pool: database.pool, masterKey });
        return { keys, store: createPostgresEventStore({ pool: database.pool, types, keys }) };
      },
    ],
  ];

  describe.each(subjects)('%s', (_, open) => {
    it('are returned as they were written by every way of reading', async () => {
      const { store } = open();
      const accountId = newId();
      const stream = `account-${accountId}`;
      const event = sampleEvent('Registered', { accountId, plan: 'pro', ...person });
      const after = await store.head();
      await store.append(stream, 'NO_STREAM', [event]);
      const [read] = await store.readStream(stream);
      expect(read).toMatchObject(event);
      expect(Object.keys(read?.metadata ?? {}).sort()).toEqual(Object.keys(event.metadata).sort());
      expect((await store.readStreams([stream])).get(stream)).toEqual([read]);
      const page = await store.readTape({ after, limit: 1 });
      expect(page.events).toEqual([read]);
      expect(await store.append(stream, 'ANY', [event])).toMatchObject({ outcome: 'duplicate' });
    });

    it('are forgotten once the key is deleted, and none can be written any more', async () => {
      const { store, keys } = open();
      const [deleted, other] = [newId(), newId()];
      const register = (accountId: string) =>
        store.append(`account-${accountId}`, 'ANY', [sampleEvent('Registered', { accountId, ...person })]);
      await register(deleted);
      await register(other);
      await keys.forget(deleted);
      const [event] = await store.readStream(`account-${deleted}`);
      expect(event?.data['accountId']).toBe(deleted);
      for (const field of ['email', 'name', 'notes']) expect(isForgotten(event?.data[field])).toBe(true);
      const [otherEvent] = await store.readStream(`account-${other}`);
      expect(otherEvent?.data['email']).toBe(person.email);
      await expect(register(deleted)).rejects.toMatchObject({ code: 'ACCOUNT_FORGOTTEN' });
      await keys.forget(newId());
    });

    it('require an account, are optional, and do not affect other event types', async () => {
      const { store } = open();
      const stream = `account-${newId()}`;
      await expect(
        store.append(stream, 'ANY', [sampleEvent('Registered', { email: 'a@b.c' })]),
      ).rejects.toMatchObject({
        code: 'PERSONAL_SUBJECT_MISSING',
      });
      const bad = sampleEvent('Registered', { accountId: newId(), email: 'a\u0000' });
      await expect(store.append(stream, 'ANY', [bad])).rejects.toMatchObject({ code: 'EVENT_NOT_STORABLE' });
      const plain = sampleEvent('Noted', { email: 'public@example.com' });
      const partly = sampleEvent('Registered', { accountId: newId(), name: null });
      await store.append(stream, 'NO_STREAM', [plain, partly]);
      expect((await store.readStream(stream)).map(({ data }) => data)).toEqual([plain.data, partly.data]);
      const forged = { ...plain, metadata: { ...plain.metadata, personalFields: 'email' } };
      await expect(store.append(stream, 'ANY', [forged])).rejects.toThrow('reserved');
    });
  });

  it('are stored encrypted only, with one key for each account', async () => {
    const keys = createPersonalDataKeys({ pool: database.pool, masterKey });
    const store = createPostgresEventStore({ pool: database.pool, types, keys });
    const accountId = newId();
    await store.append(`account-${accountId}`, 'ANY', [sampleEvent('Registered', { accountId, ...person })]);
    const { rows } = await database.pool.query<{ text: string }>(`
      select e::text || e.data::text || e.metadata::text as text from tape_events e
      union all select k::text from personal_data_keys k`);
    const everything = rows.map(({ text }) => text).join('\n');
    for (const secret of [
      'ada.lovelace',
      'Lovelace',
      'Analytical',
      Buffer.from(person.email).toString('base64'),
    ]) {
      expect(everything).not.toContain(secret);
    }
    const secrets = await database.pool.query(
      'select count(distinct wrapped)::int = count(wrapped) as own from personal_data_keys',
    );
    expect(secrets.rows).toEqual([{ own: true }]);
  });

  it('get one key when several processes create it at the same time', async () => {
    const accountId = newId();
    const all = await Promise.all(
      Array.from({ length: 20 }, () =>
        createPersonalDataKeys({ pool: database.pool, masterKey }).keyFor(accountId),
      ),
    );
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    expect(new Set(all.map(({ secret }) => Buffer.from(secret).toString('hex'))).size).toBe(1);
  });

  it('stay readable through a cached key for at most a minute', async () => {
    const clock = fixedClock(0);
    const here = createPersonalDataKeys({ pool: database.pool, masterKey, clock });
    const there = createPersonalDataKeys({ pool: database.pool, masterKey });
    const accountId = newId();
    await here.keyFor(accountId);
    await there.forget(accountId);
    expect((await here.keysOf([accountId])).get(accountId)).toHaveProperty('secret');
    clock.advance(60_001);
    expect((await here.keysOf([accountId])).get(accountId)).toBe('forgotten');
    await expect(here.keyFor(accountId)).rejects.toMatchObject({ code: 'ACCOUNT_FORGOTTEN' });
  });

  it('cannot be read with another master key, or after a move to another event', async () => {
    expect(() => createPersonalDataKeys({ pool: database.pool, masterKey: randomBytes(16) })).toThrow(
      '32 bytes',
    );
    const accountId = newId();
    const keys = createPersonalDataKeys({ pool: database.pool, masterKey });
    const store = createPostgresEventStore({ pool: database.pool, types, keys });
    const stream = `account-${accountId}`;
    const other = sampleEvent('Registered', { accountId, email: 'b@example.com' });
    await store.append(stream, 'ANY', [
      sampleEvent('Registered', { accountId, email: 'a@example.com' }),
      other,
    ]);

    const wrong = createPersonalDataKeys({ pool: database.pool, masterKey: randomBytes(32) });
    await expect(wrong.keysOf([accountId])).rejects.toThrow('it was created with another master key');

    await database.pool.query('alter table tape_events disable trigger tape_is_immutable');
    await database.pool.query(
      `update tape_events e set data = (select o.data from tape_events o where o.id <> e.id and o.stream = $1)
       where e.id = $2`,
      [stream, other.id],
    );
    await database.pool.query('alter table tape_events enable always trigger tape_is_immutable');
    await expect(store.readStream(stream)).rejects.toThrow('cannot be decrypted, because it was changed');
  });
});
