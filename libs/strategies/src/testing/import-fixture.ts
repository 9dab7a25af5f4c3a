import type { Actor, EventStore } from '@tapedeck/eventing';
import { eventingMigrations } from '@tapedeck/eventing/migrations';
import { createPostgresEventStore } from '@tapedeck/eventing/postgres';
import { projectToEnd } from '@tapedeck/eventing/projections';
import { fixedClock, newId } from '@tapedeck/kernel';
import { migrate } from '@tapedeck/platform/migrations';
import { testDatabases, type TestDatabases } from '@tapedeck/platform/testing';
import { importId } from '../domain/ids.ts';
import { emptyRecord, type StrategyRecord } from '../domain/strategy-record.ts';
import { strategyEvents } from '../events.ts';
import { importRecords } from '../import/import-records.ts';
import type { ImportReport } from '../import/import-report.ts';
import { strategyMigrations, strategyProjections } from '../projections.ts';

export type ImportFixture = Readonly<{
  databases: TestDatabases;
  store: EventStore;
  clock: ReturnType<typeof fixedClock>;
  /** Imports these records and brings the read models up to date. */
  importStrategies: (...records: readonly Partial<StrategyRecord>[]) => Promise<ImportReport>;
  project: () => Promise<void>;
  close: () => Promise<void>;
}>;

export const tester: Actor = { id: 'tester', kind: 'system' };

/** The module with two real databases of its own. */
export const importFixture = async (): Promise<ImportFixture> => {
  const databases = await testDatabases();
  await migrate(databases.pools, [...eventingMigrations, ...strategyMigrations]);
  const store = createPostgresEventStore({ pool: databases.tapedeck, types: strategyEvents });
  const clock = fixedClock(Date.UTC(2026, 10, 21, 12));
  const project = (): Promise<void> =>
    projectToEnd({ store, projections: strategyProjections, databases: databases.pools });
  return {
    databases,
    store,
    clock,
    project,
    importStrategies: async (...records) => {
      const complete = records.map((record) => ({
        ...emptyRecord,
        url_id: 'S3LKflwr',
        title: 'Alligator',
        ...record,
      }));
      const report = await importRecords({
        name: 'test',
        records: complete,
        importId: importId(newId()),
        store,
        actor: tester,
        clock,
      });
      await project();
      return report;
    },
    close: async () => {
      await store.close();
      await databases.drop();
    },
  };
};
