import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openDatabases, type OpenDatabases } from './databases.ts';
import { migrate, type Migration } from './migrations.ts';
import { testDatabases, type TestDatabases } from './testing/databases.ts';

const migration = (id: string, sql: string): Migration => ({ id, database: 'tapedeck', sql });
const createTable = migration('sample/001', 'create table sample (n integer)');

describe('migrate', () => {
  let test: TestDatabases;
  let opened: OpenDatabases<'tapedeck'>;
  beforeEach(async () => {
    test = await testDatabases();
    opened = await openDatabases({
      urls: { tapedeck: test.urls.tapedeck },
      application: 'migrations',
      onError: () => {},
    });
  });
  afterEach(async () => {
    await opened.close();
    await test.drop();
  });

  const tables = async (): Promise<readonly string[]> => {
    const { rows } = await test.tapedeck.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
    );
    return rows.map(({ name }) => name);
  };

  it('runs each migration once, also when several processes call it at once', async () => {
    await Promise.all(Array.from({ length: 4 }, () => migrate(opened.pools, [createTable])));
    expect(await tables()).toEqual(['migrations', 'sample']);
  });

  it('fails when the server ends its connection, and does the rest at the next call', async () => {
    const ended = migration('sample/002', 'select pg_terminate_backend(pg_backend_pid())');
    await expect(migrate(opened.pools, [createTable, ended])).rejects.toThrow('sample/002');
    const further = migration('sample/003', 'create table further (n integer)');
    await migrate(opened.pools, [createTable, further]);
    expect(await tables()).toEqual(['further', 'migrations', 'sample']);
  });

  it('undoes a migration that fails', async () => {
    const failing = migration('sample/004', 'create table half (n integer); select 1 / 0');
    await expect(migrate(opened.pools, [failing])).rejects.toThrow('division by zero');
    expect(await tables()).toEqual(['migrations']);
  });

  it('refuses a migration of a database that is not open', async () => {
    const other = { ...createTable, database: 'other' };
    await expect(migrate(opened.pools, [other])).rejects.toThrow('which is not open');
  });
});
