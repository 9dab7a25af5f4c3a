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

describe('openDatabases', () => {
  it('names an unreachable database in one sentence, without its password', async () => {
    const failure = open('postgres://someone:hidden@127.0.0.1:1/tapedeck');
    await expect(failure).rejects.toThrow(
      /^The database postgres:\/\/someone@127\.0\.0\.1:1\/tapedeck cannot be used: /,
    );
    await expect(failure).rejects.not.toThrow(/hidden/);
  });

  it('opens connections on which a transaction that was left open ends', async () => {
    const { pools, close } = await openDatabases({
      urls: { tapedeck: databases.urls.tapedeck },
      application: 'test',
      onError: () => {},
    });
    const { rows } = await pools.tapedeck.query('show idle_in_transaction_session_timeout');
    expect(rows).toEqual([{ idle_in_transaction_session_timeout: '1min' }]);
    await close();
  });
});

describe('migrate', () => {
  const steps: readonly Migration[] = [
    {
      id: 'test/001-things',
      database: 'tapedeck',
      sql: 'create table things (id int); insert into things values (1)',
    },
    { id: 'test/001-other', database: 'catalogue', sql: 'create table other_things (id int)' },
    { id: 'test/002-more', database: 'tapedeck', sql: 'insert into things values (2)' },
  ];

  it('runs each migration once when several processes call it at the same time and again', async () => {
    await Promise.all(Array.from({ length: 4 }, () => migrate(databases.pools, steps)));
    await migrate(databases.pools, steps);
    const { rows } = await databases.tapedeck.query('select id from things order by id');
    expect(rows).toEqual([{ id: 1 }, { id: 2 }]);
    const other = await databases.catalogue.query('select * from other_things');
    expect(other.rows).toEqual([]);
  });

  it('rolls back a migration that fails, and runs it at the next call', async () => {
    const broken: Migration = {
      id: 'test/003-broken',
      database: 'tapedeck',
      sql: 'create table broken_things (id int); select 1 / 0',
    };
    await expect(migrate(databases.pools, [...steps, broken])).rejects.toThrow(/division by zero/);
    const { rows } = await databases.tapedeck.query("select to_regclass('broken_things') as found");
    expect(rows).toEqual([{ found: null }]);
    await migrate(databases.pools, [...steps, { ...broken, sql: 'create table broken_things (id int)' }]);
    const repeated = await databases.tapedeck.query("select to_regclass('broken_things')::text as found");
    expect(repeated.rows).toEqual([{ found: 'broken_things' }]);
  });
});
