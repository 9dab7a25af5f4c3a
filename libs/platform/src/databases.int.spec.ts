import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDatabases } from './databases.ts';
import { migrate, type Migration } from './migrations.ts';
import { testDatabases, type TestDatabases } from './testing.ts';

let databases: TestDatabases;
beforeAll(async () => {
  databases = await testDatabases();
});
afterAll(() => databases.drop());

const open = (url: string): Promise<unknown> =>
  openDatabases({
    urls: { tapedeck: url, catalogue: databases.urls.catalogue },
    application: 'test',
    onError: () => {},
  });

describe('databases', () => {
  it('says in one sentence, without the password, that one cannot be reached', async () => {
    const failure = open('postgres://someone:hidden@127.0.0.1:1/tapedeck');
    await expect(failure).rejects.toThrow(
      /^The database postgres:\/\/someone@127\.0\.0\.1:1\/tapedeck cannot be used: /,
    );
    await expect(failure).rejects.not.toThrow(/hidden/);
  });
});

describe('migrations', () => {
  const steps: readonly Migration[] = [
    {
      id: 'test/001-things',
      database: 'tapedeck',
      sql: 'create table things (id int); insert into things values (1)',
    },
    { id: 'test/001-other', database: 'catalogue', sql: 'create table other_things (id int)' },
    { id: 'test/002-more', database: 'tapedeck', sql: 'insert into things values (2)' },
  ];

  it('run once each, whoever calls and however often at the same time', async () => {
    await Promise.all(Array.from({ length: 4 }, () => migrate(databases.pools, steps)));
    await migrate(databases.pools, steps);
    const { rows } = await databases.tapedeck.query('select id from things order by id');
    expect(rows).toEqual([{ id: 1 }, { id: 2 }]);
    await databases.catalogue.query('select * from other_things');
  });

  it('leave nothing of a step that fails, and go on from there', async () => {
    const broken: Migration = {
      id: 'test/003-broken',
      database: 'tapedeck',
      sql: 'create table half (id int); select 1 / 0',
    };
    await expect(migrate(databases.pools, [...steps, broken])).rejects.toThrow(/division by zero/);
    const { rows } = await databases.tapedeck.query("select to_regclass('half') as half");
    expect(rows).toEqual([{ half: null }]);
    await migrate(databases.pools, [...steps, { ...broken, sql: 'create table half (id int)' }]);
  });
});
