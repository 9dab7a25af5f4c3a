import 'reflect-metadata';
import { derivedId } from '@tapedeck/kernel';
import { asAccount, createTestApp, type TestAppOptions } from '@tapedeck/platform/testing';
import type * as z from 'zod';
import { SearchEngineModule } from '@tapedeck/search-engine/api';
import { CatalogueFeed } from '@tapedeck/search-engine/engine';
import { DEMO_CATALOGUE, SEARCH_ENGINE, type SearchEngine } from '@tapedeck/search-engine/port';
import type { TestCatalogue } from '@tapedeck/search-engine/testing';
import { columnarBackend } from '../backend.ts';

export type TestSearchApp = Readonly<{
  url: string;
  /** The engine in use, so that tests can record its requests and make it fail. */
  engine: SearchEngine;
  feed: CatalogueFeed;
  hasDemo: () => boolean;
  /** As a signed-in member, unless the headers say otherwise. */
  get: (path: string, headers?: Record<string, string>) => Promise<Response>;
  /** The body, parsed by the schema; throws unless the status is 200. */
  getJson: <Schema extends z.ZodType>(schema: Schema, path: string) => Promise<z.infer<Schema>>;
  close: () => Promise<void>;
}>;

const asMember = { [asAccount]: derivedId('member') };

/** Starts an HTTP server like that of `apps/api`, with these modules and the columnar engine. */
export const startTestSearchApp = async (
  { databases, store }: TestCatalogue,
  {
    modules,
    ...options
  }: Pick<TestAppOptions, 'modules'> & Partial<Pick<TestAppOptions, 'config' | 'features'>>,
): Promise<TestSearchApp> => {
  const app = await createTestApp({
    modules: [SearchEngineModule.with((_config, dependencies) => columnarBackend(dependencies)), ...modules],
    databases,
    store,
    ...options,
  });
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const get: TestSearchApp['get'] = (path, headers = {}) =>
    fetch(`${url}${path}`, { headers: { ...asMember, ...headers } });
  return {
    url,
    engine: app.get<SearchEngine>(SEARCH_ENGINE),
    feed: app.get(CatalogueFeed),
    hasDemo: app.get<() => boolean>(DEMO_CATALOGUE),
    get,
    getJson: async (schema, path) => {
      const response = await get(path);
      if (response.status !== 200) throw new Error(`GET ${path} returned status ${response.status}.`);
      return schema.parse(await response.json());
    },
    close: () => app.close(),
  };
};
