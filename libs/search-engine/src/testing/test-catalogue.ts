import type { EventStore, EventTypes, Projection } from '@tapedeck/eventing';
import { eventingMigrations, projectionTables } from '@tapedeck/eventing/migrations';
import { createPersonalDataKeys, createPostgresEventStore } from '@tapedeck/eventing/postgres';
import { projectToEnd } from '@tapedeck/eventing/projections';
import { migrate } from '@tapedeck/platform/migrations';
import { testDatabases, type TestDatabases } from '@tapedeck/platform/testing';
import { strategyEvents } from '@tapedeck/strategies/events';
import { randomBytes } from 'node:crypto';
import { searchEngineMigrations, searchEngineProjections } from '../projections.ts';

export type TestCatalogue = Readonly<{
  databases: TestDatabases;
  store: EventStore;
  /** Projects the read models to the end of the tape. */
  project: () => Promise<void>;
  close: () => Promise<void>;
}>;

/** Event types and read models of the module under test, in addition to those of the catalogue. */
export type TestCatalogueOptions = Readonly<{
  types?: EventTypes;
  projections?: readonly Projection[];
}>;

/** Two migrated databases and an event store. */
export const createTestCatalogue = async ({
  types = {},
  projections = [],
}: TestCatalogueOptions = {}): Promise<TestCatalogue> => {
  const databases = await testDatabases();
  await migrate(databases.pools, [
    ...eventingMigrations,
    ...projectionTables('test/projections-of-the-catalogue', 'catalogue'),
    ...searchEngineMigrations,
  ]);
  const store = createPostgresEventStore({
    pool: databases.tapedeck,
    types: { ...strategyEvents, ...types },
    keys: createPersonalDataKeys({ pool: databases.tapedeck, masterKey: randomBytes(32) }),
  });
  const all = [...searchEngineProjections, ...projections];
  return {
    databases,
    store,
    project: () => projectToEnd({ store, projections: all, databases: databases.pools }),
    close: async () => {
      await store.close();
      await databases.drop();
    },
  };
};
