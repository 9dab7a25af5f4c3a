import { projections, eventTypes, type DatabaseName } from '@tapedeck/composition/modules';
import { createPersonalDataKeys, createPostgresEventStore } from '@tapedeck/eventing/postgres';
import { dumpReadModel, poolOf, projectionStatus, rebuildInto } from '@tapedeck/eventing/projections';
import { eventually } from '@tapedeck/eventing/testing';
import { newId, systemClock } from '@tapedeck/kernel';
import { demoRecords } from '@tapedeck/strategies/demo';
import { importId, importRecords } from '@tapedeck/strategies/import';
import { expect } from '@jest/globals';
import { Pool } from 'pg';

/** The rows of every read model by its name, as text. */
type ReadModels = Readonly<Record<string, string>>;

export type Contents = Readonly<{
  readModels: ReadModels;
  /** What a projection of the tape from its beginning gives, personal data included. */
  rebuilt: ReadModels;
}>;

type Where = Readonly<{
  url: (database: DatabaseName) => string;
  /** In base64. */
  personalDataKey: string | undefined;
}>;

const withTape = async <T>(
  { url, personalDataKey = '' }: Where,
  work: (open: OpenTape) => Promise<T>,
): Promise<T> => {
  const databases = {
    tapedeck: new Pool({ connectionString: url('tapedeck') }),
    catalogue: new Pool({ connectionString: url('catalogue') }),
  };
  const keys = createPersonalDataKeys({
    pool: databases.tapedeck,
    masterKey: Buffer.from(personalDataKey, 'base64'),
  });
  const store = createPostgresEventStore({ url: url('tapedeck'), types: eventTypes, keys });
  try {
    return await work({ store, databases });
  } finally {
    await store.close();
    await Promise.all(Object.values(databases).map((pool) => pool.end()));
  }
};

type OpenTape = Readonly<{
  store: ReturnType<typeof createPostgresEventStore>;
  databases: Readonly<Record<DatabaseName, Pool>>;
}>;

/** Reads what is in the databases as soon as every read model is at the end of the tape. */
export const readContents = (where: Where): Promise<Contents> =>
  withTape(where, async ({ store, databases }) => {
    await eventually(async () => {
      const all = await projectionStatus({ store, projections, databases });
      expect(all.filter(({ lagEvents }) => lagEvents === 0)).toHaveLength(projections.length);
    });
    const readModels: Record<string, string> = {};
    const rebuilt: Record<string, string> = {};
    for (const projection of projections) {
      const pool = poolOf(databases, projection);
      readModels[projection.name] = await dumpReadModel(pool, projection);
      await rebuildInto({ store, projection, pool });
      rebuilt[projection.name] = await dumpReadModel(pool, projection, '_check');
    }
    return { readModels, rebuilt };
  });

/** Brings the demo catalogue to this many strategies. */
export const importDemo = (where: Where, count: number): Promise<void> =>
  withTape(where, async ({ store }) => {
    const options = {
      name: 'more',
      records: [...demoRecords({ count })],
      total: count,
      importId: importId(newId()),
    };
    await importRecords({ ...options, store, clock: systemClock, actor: { id: 'test', kind: 'system' } });
  });
