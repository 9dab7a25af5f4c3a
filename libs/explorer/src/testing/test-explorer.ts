import 'reflect-metadata';
import type { EventStore } from '@tapedeck/eventing';
import { eventingMigrations } from '@tapedeck/eventing/migrations';
import { createPostgresEventStore } from '@tapedeck/eventing/postgres';
import { projectToEnd } from '@tapedeck/eventing/projections';
import { derivedId } from '@tapedeck/kernel';
import { migrate } from '@tapedeck/platform/migrations';
import {
  asAccount,
  createTestApp,
  testDatabases,
  type TestAppOptions,
  type TestDatabases,
} from '@tapedeck/platform/testing';
import { strategyEvents } from '@tapedeck/strategies/events';
import { ExplorerModule } from '../api.ts';
import { savedSearchEvents } from '../events.ts';
import type { SearchEngine } from '../search-port.ts';
import { SEARCH_ENGINE } from '../tokens.ts';
import { explorerMigrations, explorerProjections } from '../projections.ts';
import type * as z from 'zod';

export type TestGround = Readonly<{
  databases: TestDatabases;
  store: EventStore;
  /** Winds the read model on to the end of the tape. */
  project: () => Promise<void>;
  close: () => Promise<void>;
}>;

/** Two databases and a tape. */
export const testGround = async (): Promise<TestGround> => {
  const databases = await testDatabases();
  await migrate(databases, [...eventingMigrations, ...explorerMigrations]);
  const store = createPostgresEventStore({
    pool: databases.tapedeck,
    types: { ...strategyEvents, ...savedSearchEvents },
  });
  return {
    databases,
    store,
    project: () => projectToEnd({ store, projections: explorerProjections, databases }),
    close: async () => {
      await store.close();
      await databases.drop();
    },
  };
};

export type TestExplorer = Readonly<{
  url: string;
  /** The engine in use, to look at how it is asked and to let it fail. */
  engine: SearchEngine;
  /** As a signed-in member, unless told otherwise. */
  get: (path: string, headers?: Record<string, string>) => Promise<Response>;
  /** The answer, read by its schema; anything but a 200 throws. */
  ask: <Schema extends z.ZodType>(schema: Schema, path: string) => Promise<z.infer<Schema>>;
  close: () => Promise<void>;
}>;

const asMember = { [asAccount]: derivedId('member') };

/** The room in an HTTP server as `apps/api` makes it, listening. */
export const startTestExplorer = async (
  { databases, store }: TestGround,
  options: Pick<TestAppOptions, 'config' | 'emails'> = {},
): Promise<TestExplorer> => {
  const rooms = [ExplorerModule];
  const app = await createTestApp({ rooms, databases, store, provideDemo: false, ...options });
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const get: TestExplorer['get'] = (path, headers = {}) =>
    fetch(`${url}${path}`, { headers: { ...asMember, ...headers } });
  return {
    url,
    engine: app.get<SearchEngine>(SEARCH_ENGINE),
    get,
    ask: async (schema, path) => {
      const response = await get(path);
      if (response.status !== 200) throw new Error(`${path} is answered by ${response.status}.`);
      return schema.parse(await response.json());
    },
    close: () => app.close(),
  };
};
