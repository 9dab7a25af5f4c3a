import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { commandId, fixedClock, newId } from '@tapedeck/kernel';
import { randomBytes } from 'node:crypto';
import { createPersonalDataKeys, createPostgresEventStore } from '../adapters/postgres.ts';
import { commandContext } from '../commands/handle.ts';
import type { EventStore } from '../event-store.ts';
import type { RecordedEvent } from '../event.ts';
import type { EventTypes } from '../event-types.ts';
import { dispatch, type Dispatch } from '../reaction.ts';
import { leasedCommands } from '../reactions/commands.ts';
import { counters, countingEffect, countingReaction } from '../testing/sample-counters.ts';
import { eventually } from '../testing/eventually.ts';
import { reactionTests } from '../testing/sample-reactions.ts';
import { sampleEvent } from '../testing/sample-events.ts';
import { testDatabase, type TestDatabase } from '../testing/test-database.ts';
import type { PersonalDataKeys } from '../store/personal-data-keys.ts';
import { createShadow, runShadow, type Shadow, type ShadowCommand } from '../reactions.ts';

const clock = fixedClock(Date.parse('2027-01-01T00:00:00.000Z'));
const { signal } = new AbortController();
const noKeys: PersonalDataKeys = {
  keyFor: async () => ({ id: newId(), secret: randomBytes(32) }),
  keysOf: async () => new Map(),
  forget: async () => {},
};

const count = (stream: string, n: number, id = newId()): ShadowCommand => ({
  dispatch: dispatch(counters, stream, { n, ifOther: true }),
  context: commandContext({ actor: { id: 'support', kind: 'user' }, clock, commandId: commandId(id) }),
});
/** Counted numbers are counted again in another category, up to three. */
const chained = countingReaction({
  name: 'chained',
  types: ['Counted'],
  react: ({ stream, data }) =>
    Number(data['n']) > 3 || !stream.startsWith('count-')
      ? []
      : [dispatch(counters, stream, { n: Number(data['n']) + 1, ifOther: true })],
});

const called = ({ stream, data }: RecordedEvent): Dispatch =>
  dispatch(counters, stream.replace('count-', 'called-'), { n: Number(data['n']) });

describe('a shadow of the tape', () => {
  const { database, store, append, counted, history, start, started } = reactionTests();
  const shadowOf = (
    types: EventTypes = { Noted: { version: 1 }, Counted: { version: 1 } },
  ): Promise<Shadow> => createShadow({ store: store(), keys: noKeys, types, clock });
  const eventsOnTape = async (): Promise<number> => {
    const { rows } = await database().pool.query<{ count: string }>('select count(*) from tape_events');
    return Number(rows[0]?.count);
  };

  it('shows what commands and reactions would append, and appends nothing', async () => {
    await append('count-shown', sampleEvent('Counted', { n: 1 }));
    const before = await eventsOnTape();
    const shadow = await shadowOf();
    const parts = { reactions: [chained], effects: [], clock, signal };
    const { events, failures } = await runShadow(shadow, { commands: [count('count-shown', 2)] }, parts);
    expect(events.map(({ data, version }) => [data['n'], version])).toEqual([
      [2, 2],
      [3, 3],
      [4, 4],
    ]);
    expect(failures).toEqual([]);
    expect(shadow.readVersions()).toEqual(new Map([['count-shown', 1]]));
    expect(await eventsOnTape()).toBe(before);
    expect(await counted('count-shown')).toEqual([1]);
  });

  it('foresees the very events that its commands lead to, whichever process executes the reactions', async () => {
    const reactions = [chained];
    const effects = [
      countingEffect({
        types: ['Counted'],
        run: async (event) => (event.stream.startsWith('called-') ? [] : [called(event)]),
      }),
    ];
    start({ reactions, effects });
    await started('chained');
    await started('calling');
    const given = count('count-same', 2);
    const foreseen = await runShadow(
      await shadowOf(),
      { commands: [given] },
      { reactions, effects, clock, signal },
    );
    const { send } = leasedCommands(store(), () => {});
    for (const { dispatch: one, context } of foreseen.commands.slice(0, 2)) await send(one, context);
    const shown = (stream: string): readonly unknown[] =>
      foreseen.events
        .filter((event) => event.stream === stream)
        .map(({ id, version, data, metadata: { causationId } }) => ({ id, version, data, causationId }));
    await eventually(async () => {
      for (const stream of ['count-same', 'called-same']) {
        const actual = await history(stream);
        expect(
          actual.map(({ id, version, data, metadata }) => ({
            id,
            version,
            data,
            causationId: metadata.causationId,
          })),
        ).toEqual(shown(stream));
      }
    });
    const again = await runShadow(
      await shadowOf(),
      { commands: [given] },
      { reactions, effects, clock, signal },
    );
    expect([again.events, again.commands]).toEqual([[], []]);
  });

  it('does not see what was recorded after it was made', async () => {
    await append('count-later', sampleEvent('Counted', { n: 1 }));
    const shadow = await shadowOf();
    await append('count-later', sampleEvent('Counted', { n: 7 }));
    const { events } = await runShadow(
      shadow,
      { commands: [count('count-later', 7)] },
      {
        reactions: [],
        effects: [],
        clock,
        signal,
      },
    );
    expect(events.map(({ version }) => version)).toEqual([2]);
    expect(shadow.readVersions().get('count-later')).toBe(1);
  });

  it('reports what a reaction cannot handle, and goes on with the rest', async () => {
    const failing = countingReaction({
      name: 'failing',
      types: ['Counted'],
      react: () => Promise.reject(new Error('no')),
    });
    const { events, failures } = await runShadow(
      await shadowOf(),
      { commands: [count('count-failing', 3)] },
      {
        reactions: [failing, chained],
        effects: [],
        clock,
        signal,
      },
    );
    expect(events).toHaveLength(2);
    expect(failures.map(({ reaction, error }) => [reaction, error])).toEqual([
      ['failing', 'no'],
      ['failing', 'no'],
    ]);
  });

  it('ends where reactions follow each other without end', async () => {
    const endless = countingReaction({
      name: 'endless',
      types: ['Counted'],
      react: ({ stream, data }) => [dispatch(counters, stream, { n: Number(data['n']) + 1 })],
    });
    const run = runShadow(
      await shadowOf(),
      { commands: [count('count-endless', 1)] },
      {
        reactions: [endless],
        effects: [],
        clock,
        signal: AbortSignal.timeout(200),
      },
    );
    await expect(run).rejects.toThrow('aborted due to timeout');
  });
});

describe('personal fields in a shadow', () => {
  const types: EventTypes = {
    Registered: { version: 1, personal: ['email'], subject: 'accountId' },
    Counted: { version: 1 },
  };
  let database: TestDatabase;
  let keys: PersonalDataKeys;
  let store: EventStore;
  beforeAll(async () => {
    database = await testDatabase();
    keys = createPersonalDataKeys({ pool: database.pool, masterKey: randomBytes(32) });
    store = createPostgresEventStore({ pool: database.pool, types, keys });
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });
  const keysStored = async (): Promise<number> => {
    const { rows } = await database.pool.query<{ count: string }>('select count(*) from personal_data_keys');
    return Number(rows[0]?.count);
  };
  const registered = (accountId: string, email: string) => sampleEvent('Registered', { accountId, email });

  it('are sealed for read models and readable for deciders, and no key is stored', async () => {
    const [known, unknown] = [newId(), newId()];
    await store.append(`account-${known}`, 'NO_STREAM', [registered(known, 'ada@example.com')]);
    const before = await keysStored();
    const shadow = await createShadow({ store, keys, types, clock });
    await shadow.store.append(`account-${known}`, 1, [registered(known, 'new@example.com')]);
    await shadow.store.append(`account-${unknown}`, 'NO_STREAM', [registered(unknown, 'bob@example.com')]);
    const read = await shadow.store.readStream(`account-${known}`);
    expect(read.map(({ data }) => data['email'])).toEqual(['ada@example.com', 'new@example.com']);
    const sealed = (await shadow.added('sealed')).map(({ data }) => String(data['email']));
    expect(sealed.join(' ')).not.toContain('example.com');
    expect(await shadow.store.unseal(sealed as never)).toEqual(['new@example.com', 'bob@example.com']);
    expect(await keysStored()).toBe(before);
  });

  it('are refused for an account that was forgotten', async () => {
    const account = newId();
    await store.append(`account-${account}`, 'NO_STREAM', [registered(account, 'ada@example.com')]);
    await store.forget(account);
    const shadow = await createShadow({ store, keys, types, clock });
    await expect(shadow.store.append(`account-${account}`, 1, [registered(account, 'x')])).rejects.toThrow(
      'This account was deleted',
    );
    await expect(shadow.store.forget(account)).rejects.toThrow('cannot forget');
  });
});
