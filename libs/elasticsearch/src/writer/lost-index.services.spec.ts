import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { toSearchFilter, type EngineFeed, type SearchBackend } from '@tapedeck/search-engine/port';
import { createTestCatalogue, importStrategies, type TestCatalogue } from '@tapedeck/search-engine/testing';
import { elasticsearchBackend } from '../backend.ts';
import { startConfiguredIndexWriter } from '../index-writer.ts';
import {
  deleteTestServerData,
  startTestServer,
  stopTestServer,
  testServerUrl,
} from '../testing/elasticsearch-server.ts';
import { createClient } from '../client.ts';
import { aliasOf, indexesBehind, numberedIndexes, writeAlias } from '../index/index-admin.ts';

const prefix = `lost-${randomBytes(4).toString('hex')}`;
const other = `other-${prefix}`;
const alias = aliasOf(prefix);
const config = { ELASTICSEARCH_URL: testServerUrl(), ELASTICSEARCH_INDEX: prefix };
const client = createClient({ url: testServerUrl() });
const log: string[] = [];
const write = (_details: object, message: string): void => void log.push(message);
const logger = { debug: write, info: write, warn: write, error: write };

let catalogue: TestCatalogue;
let writer: ReturnType<typeof startConfiguredIndexWriter>;
let backend: SearchBackend;
let feed: EngineFeed;

const total = async (): Promise<number> =>
  (await backend.engine.search({ filter: toSearchFilter({}) })).total;
const expectRecovered = async (): Promise<void> => {
  await eventually(async () => {
    expect(await indexesBehind(client, alias)).toEqual([
      expect.stringMatching(new RegExp(`^${alias}-[0-9]+$`)),
    ]);
    expect([feed.isReady(), backend.isUnavailable(), await total()]).toEqual([true, false, 2]);
  }, 20_000);
};
const liveIndex = async (): Promise<string> => (await indexesBehind(client, alias))[0] ?? '';
const exists = (index: string): Promise<boolean> => client.indices.exists({ index });

beforeAll(async () => {
  catalogue = await createTestCatalogue();
  const { store, databases } = catalogue;
  const dependencies = { store, catalogue: databases.catalogue, logger };
  await importStrategies(store, [
    { url_id: 'Strat001', title: 'one' },
    { url_id: 'Strat002', title: 'two' },
  ]);
  writer = startConfiguredIndexWriter(config, dependencies);
  backend = elasticsearchBackend(config, dependencies);
  feed = backend.follow();
}, 60_000);
beforeEach(async () => {
  await expectRecovered();
  log.length = 0;
}, 60_000);
afterAll(async () => {
  await feed.stop();
  await writer?.stop();
  const indexes = [...(await numberedIndexes(client, alias)), other];
  await client.indices.delete({ index: indexes, ignore_unavailable: true });
  await client.close();
  await catalogue.close();
}, 60_000);

describe('an index that somebody changes on the server', () => {
  it('is built again when it was deleted, and searches are unavailable until then', async () => {
    await client.indices.delete({ index: await liveIndex() });
    await expect(total()).rejects.toMatchObject({ code: 'SEARCH_UNAVAILABLE' });
    await eventually(() => expect(log).toContain('search index is built again: it was deleted'), 10_000);
    await expectRecovered();
  }, 60_000);

  it('is built again when everything on the server was deleted while it was stopped', async () => {
    await stopTestServer();
    await eventually(() => expect(backend.isUnavailable()).toBe(true), 20_000);
    await deleteTestServerData();
    await startTestServer();
    await expectRecovered();
  }, 300_000);

  it('is built again when another index has its name', async () => {
    // Again when the writer has seen the deletion first.
    await eventually(async () => {
      const index = await liveIndex();
      await client.indices.delete({ index });
      await client.indices.create({ index, aliases: { [alias]: {}, [writeAlias(index)]: {} } });
      await eventually(
        () => expect(log).toContain('search index is built again: another index has its name'),
        3_000,
      );
    }, 40_000);
    await expectRecovered();
  }, 60_000);

  it('is built again when it can no longer be written', async () => {
    const index = await liveIndex();
    await client.indices.deleteAlias({ index, name: writeAlias(index) });
    await eventually(
      () => expect(log).toContain('search index is built again: its alias for writes was removed'),
      10_000,
    );
    await eventually(async () => expect(await liveIndex()).not.toBe(index), 10_000);
    await expectRecovered();
  }, 60_000);

  it('gets its alias back when that was removed', async () => {
    const index = await liveIndex();
    await client.indices.deleteAlias({ index, name: alias });
    await eventually(async () => expect(await liveIndex()).toBe(index), 10_000);
    await expectRecovered();
    expect(log).not.toContain('building a search index');
  }, 60_000);

  it('gets its alias back from an index of another program, which stays as it is', async () => {
    const index = await liveIndex();
    await client.index({ index: other, id: '1', document: { of: 'another program' }, refresh: true });
    const actions = [{ remove: { index, alias } }, { add: { index: other, alias } }];
    await client.indices.updateAliases({ actions });
    await eventually(async () => expect(await indexesBehind(client, alias)).toEqual([index]), 10_000);
    await client.indices.putAlias({ index: other, name: alias });
    await eventually(async () => expect(await indexesBehind(client, alias)).toEqual([index]), 10_000);
    await expectRecovered();
    expect((await client.count({ index: other })).count).toBe(1);
    expect(log).not.toContain('building a search index');
  }, 60_000);

  it('is not built while an index of another program has the name of its alias, which is reported', async () => {
    await client.indices.delete({ index: await liveIndex() });
    await client.index({ index: alias, id: '1', document: { of: 'another program' }, refresh: true });
    await eventually(() => expect(log.join()).toContain('choose another ELASTICSEARCH_INDEX'), 10_000);
    await eventually(() => expect(backend.isUnavailable()).toBe(true), 10_000);
    await expect(total()).rejects.toMatchObject({ code: 'SEARCH_UNAVAILABLE' });
    expect([await exists(alias), (await client.count({ index: alias })).count]).toEqual([true, 1]);
    await client.indices.delete({ index: alias });
    await expectRecovered();
  }, 60_000);
});
