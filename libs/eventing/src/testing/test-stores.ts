import { afterEach, beforeEach } from '@jest/globals';
import type { Pool } from 'pg';
import { createPostgresEventStore } from '../adapters/postgres.ts';
import type { EventStore } from '../event-store.ts';
import type { EventTypes } from '../event-types.ts';
import { sampleTypes } from './sample-projection.ts';
import { testDatabase, type TestDatabase } from './test-database.ts';

export type TestStores = Readonly<{
  pool: () => Pool;
  url: () => string;
  /** A store on the database of the test, as another process would open it. */
  newStore: (types?: EventTypes) => EventStore;
}>;

/** A database for each test of the file, and stores that are closed after it. */
export const useTestStores = (): TestStores => {
  let database: TestDatabase | undefined;
  const stores: EventStore[] = [];
  const current = (): TestDatabase => {
    if (database) return database;
    throw new Error('There is a database only while a test runs.');
  };
  beforeEach(async () => {
    database = await testDatabase();
  });
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    await current().drop();
  });
  return {
    pool: () => current().pool,
    url: () => current().url,
    newStore: (types = sampleTypes) => {
      const store = createPostgresEventStore({ pool: current().pool, types });
      stores.push(store);
      return store;
    },
  };
};
