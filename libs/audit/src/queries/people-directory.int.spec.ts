import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { startAuditApi, type AuditApi } from '../testing/audit-api.ts';
import { createPeopleDirectory, type PeopleDirectory } from './people-directory.ts';

let api: AuditApi;
beforeAll(async () => {
  api = await startAuditApi();
});
afterAll(() => api.close());

const directory = (idleMs?: number): PeopleDirectory =>
  createPeopleDirectory({
    pool: api.databases.tapedeck,
    store: api.store,
    ...(idleMs === undefined ? {} : { idleMs }),
  });
const idsIn = async (people: PeopleDirectory, text: string): Promise<readonly string[]> =>
  (await people.search(text)).members.map(({ id }) => id);

describe('the directory of people', () => {
  it('begins again when rows have changed that are not the last ones', async () => {
    const people = directory();
    const first = await api.register('first@directory.example');
    await api.project();
    expect(await idsIn(people, '@directory.example')).toEqual([first]);
    const replayed = await api.register('replayed@directory.example');
    await api.project();
    // As if its event had been parked: the row came later than its position says.
    await api.databases.tapedeck.query('update audit_people set changed_position = 1 where account_id = $1', [
      replayed,
    ]);
    await api.databases.tapedeck.query(
      `update projection_checkpoints set parking_changes = parking_changes + 1 where projection = 'audit_timeline'`,
    );
    expect(await idsIn(people, '@directory.example')).toEqual([first, replayed]);
  });

  it('has everybody, also those who come while it is filled, and no one twice', async () => {
    const accounts = await Promise.all(
      Array.from({ length: 600 }, (_, at) => api.register(`p${at}@many.example`, ['Many', `Name${at}`])),
    );
    await api.project();
    const people = directory();
    const searches = Promise.all([people.search('@many.example'), people.search('many name599')]);
    const late = await api.register('late@many.example');
    await api.project();
    const [all, one] = await searches;
    expect(all.members.length).toBeGreaterThanOrEqual(accounts.length);
    expect(one.members).toEqual([{ id: accounts[599], matched: 'name' }]);
    const found = await idsIn(people, '@many.example');
    expect(new Set(found)).toEqual(new Set([...accounts, late]));
    expect(found).toHaveLength(accounts.length + 1);
  });

  it('keeps nothing in memory without a search for a while', async () => {
    const people = directory(1);
    await people.search('anybody');
    await eventually(() => expect(people.size()).toBe(0));
    expect((await idsIn(people, 'p7@many')).length).toBe(1);
  });
});
