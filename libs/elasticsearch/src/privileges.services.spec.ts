import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { defaultScale } from '@tapedeck/search-engine/contract';
import { toSearchFilter, type SearchBackend } from '@tapedeck/search-engine/port';
import { createTestCatalogue, importStrategies, type TestCatalogue } from '@tapedeck/search-engine/testing';
import { elasticsearchBackend } from './backend.ts';
import { rebuildIndex, startConfiguredIndexWriter } from './index-writer.ts';
import { testServerUrl } from './testing/elasticsearch-server.ts';
import { startHttpProxy, type HttpProxy } from './testing/http-proxy.ts';

const prefix = `rights-${randomBytes(4).toString('hex')}`;
const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const own = `${prefix}[^/?,]*`;
const ownIndexes = `${own}(,${own})*`;

/** What the privileges `read`, `view_index_metadata` and `monitor` on the product's indexes permit; `_search` names its snapshot. */
const reading = new RegExp(
  `^((GET|POST) /(_msearch|_search|${ownIndexes}/(_search|_msearch|_pit|_count|_stats/store|_doc/[^/]+))|DELETE /_pit|GET /(_alias/)?${ownIndexes})([?].*)?$`,
);
/** And `manage` and `write` in addition; requests without an index in their address name it in their content. */
const managing = new RegExp(
  `^((PUT|DELETE) /${ownIndexes}|(GET|POST) /${ownIndexes}/(_bulk|_refresh)|(POST|PUT) /_bulk|POST /_aliases)([?].*)?$`,
);

// The server for tests has no security, so the requests are compared with what the privileges permit.
describe('the requests to the search server', () => {
  let catalogue: TestCatalogue;
  let ofApi: HttpProxy;
  let ofProjector: HttpProxy;
  let backend: SearchBackend;
  const closing: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    catalogue = await createTestCatalogue();
    ofApi = await startHttpProxy(testServerUrl());
    ofProjector = await startHttpProxy(testServerUrl());
    const { store, databases } = catalogue;
    const dependencies = { store, catalogue: databases.catalogue, logger };
    const configFor = ({ url }: HttpProxy) => ({ ELASTICSEARCH_INDEX: prefix, ELASTICSEARCH_URL: url });
    const writer = startConfiguredIndexWriter(configFor(ofProjector), dependencies);
    backend = elasticsearchBackend(configFor(ofApi), dependencies);
    const feed = backend.follow();
    closing.push(
      () => feed.stop(),
      async () => writer?.stop(),
    );
    const search = async (): Promise<number> =>
      (await backend.engine.search({ filter: toSearchFilter({}), histograms: defaultScale, ranges: true }))
        .total;
    await importStrategies(store, [{ url_id: 'Strat001', title: 'one' }]);
    await eventually(async () => expect([feed.isReady(), await search()]).toEqual([true, 1]), 30_000);
    await importStrategies(store, [{ url_id: 'Strat002', title: 'two' }]);
    await eventually(async () => expect(await search()).toBe(2), 30_000);
    await rebuildIndex(configFor(ofProjector), dependencies, AbortSignal.timeout(60_000));
    // Without a search for a while the server is asked for a sign of life.
    await eventually(
      () => expect(ofApi.requests.some((request) => request.includes('/_doc/'))).toBe(true),
      30_000,
    );
  }, 120_000);
  afterAll(async () => {
    for (const close of closing) await close();
    await ofApi.close();
    await ofProjector.close();
    await catalogue.close();
    const found = Object.keys((await (await fetch(`${testServerUrl()}/${prefix}-*`)).json()) as object);
    for (const index of found) await fetch(`${testServerUrl()}/${index}`, { method: 'DELETE' });
  }, 60_000);

  it('tell the name, the size, the documents and the position of the index', async () => {
    const figures = await backend.indexFigures?.();
    expect(figures).toMatchObject({ documents: 2, isAvailable: true, bytes: expect.any(Number) });
    expect(figures?.name).toMatch(new RegExp(`^${prefix}`));
    expect(BigInt(figures?.position ?? 0)).toBeGreaterThan(0n);
  });

  it('of the API only read indexes of the product', () => {
    expect(ofApi.requests.length).toBeGreaterThan(3);
    expect(ofApi.requests.filter((request) => !reading.test(request))).toEqual([]);
  });

  it('of the projector concern indexes of the product only', () => {
    const others = ofProjector.requests.filter((request) => !reading.test(request));
    expect(others.length).toBeGreaterThan(3);
    expect(others.filter((request) => !managing.test(request))).toEqual([]);
  });
});
