import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { accountId, derivedId, DomainError, newId } from '@tapedeck/kernel';
import { startTestSearchApp, type TestSearchApp } from '@tapedeck/columnar/testing';
import { testClient, type TestClient } from '@tapedeck/platform/testing';
import {
  createTestCatalogue,
  importStrategies,
  withdrawStrategy,
  type TestCatalogue,
} from '@tapedeck/search-engine/testing';
import { SavedSearchesModule } from './api.ts';
import { maxSavedSearches, SavedSearchList, savedSearchRoutes, SearchChanged } from './contract.ts';
import { savedSearchesStream, savedSearchEvents } from './domain/saved-searches.ts';
import { savedSearchProjections } from './projections.ts';

const alice = accountId(derivedId('alice'));
const bob = accountId(derivedId('bob'));

let catalogue: TestCatalogue;
let explorer: TestSearchApp;

beforeAll(async () => {
  catalogue = await createTestCatalogue({ types: savedSearchEvents, projections: savedSearchProjections });
  await importStrategies(catalogue.store, [{ url_id: 'AAAAAAA1', title: 'MACD first', likes: 5 }]);
  await catalogue.project();
  explorer = await startTestSearchApp(catalogue, { modules: [SavedSearchesModule] });
});
afterAll(async () => {
  await explorer.close();
  await catalogue.close();
});
afterEach(() => {
  jest.restoreAllMocks();
});

const call: TestClient = (...request) => testClient(explorer.url, alice)(...request);

const listOf = async (account: string): Promise<SavedSearchList> => {
  await catalogue.project();
  const response = await call('GET', savedSearchRoutes.searches, { account });
  expect(response.status).toBe(200);
  return SavedSearchList.parse(await response.json());
};

const save = async (name: string, query: string, account: string): Promise<SearchChanged> => {
  const response = await call('POST', savedSearchRoutes.searches, { account, body: { name, query } });
  expect(response.status).toBe(201);
  return SearchChanged.parse(await response.json());
};

/** Imports strategies and waits until the read models and the engine have them. */
const imported = async (...records: Parameters<typeof importStrategies>[1]): Promise<void> => {
  const position = await importStrategies(catalogue.store, records);
  await catalogue.project();
  expect(await explorer.feed.waitFor(position, 10_000)).toBe(true);
};

const newMatches = async (account: string): Promise<Readonly<Record<string, number | null>>> =>
  Object.fromEntries((await listOf(account)).map((search) => [search.name, search.newMatches]));

describe('saved searches over HTTP', () => {
  it('are saved in canonical form, renamed and deleted', async () => {
    const me = newId();
    const saved = await save(' Calm  trends ', '?page=4&max_max_drawdown_percent=20.0&search=macd', me);
    expect(saved).toMatchObject({ name: 'Calm trends', query: 'search=macd&max_max_drawdown_percent=20' });
    expect(await listOf(me)).toEqual([
      { ...saved, savedAt: expect.stringMatching(/^\d{4}-.*Z$/), newMatches: 0 },
    ]);

    const renamed = await call('PUT', savedSearchRoutes.search(saved.id), {
      account: me,
      body: { name: 'Calm' },
    });
    expect([renamed.status, await renamed.json()]).toEqual([200, { ...saved, name: 'Calm' }]);
    expect(await listOf(me)).toMatchObject([{ name: 'Calm' }]);

    const deleted = await call('DELETE', savedSearchRoutes.search(saved.id), { account: me });
    expect([deleted.status, await listOf(me)]).toEqual([204, []]);
    expect((await call('DELETE', savedSearchRoutes.search(saved.id), { account: me })).status).toBe(204);
  });

  it('belong to one account', async () => {
    const { id } = await save('Mine', 'search=macd', alice);
    expect((await listOf(bob)).map((search) => search.id)).not.toContain(id);
    for (const [method, path, body] of [
      ['PUT', savedSearchRoutes.search(id), { name: 'Yours' }],
      ['POST', savedSearchRoutes.seen(id), undefined],
    ] as const) {
      expect((await call(method, path, { account: bob, body })).status).toBe(404);
    }
    await call('DELETE', savedSearchRoutes.search(id), { account: bob });
    expect((await listOf(alice)).map((search) => search.id)).toContain(id);
    await save('Mine', '', bob);
  });

  it('are saved once when a request is repeated, also at the same time', async () => {
    const me = accountId(newId());
    const headers = { 'idempotency-key': 'once' };
    const request = { account: me, body: { name: 'Once', query: '' }, headers };
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => call('POST', savedSearchRoutes.searches, request)),
    );
    const ids = await Promise.all(answers.map(async (answer) => SearchChanged.parse(await answer.json()).id));
    expect(new Set(ids).size).toBe(1);
    expect(await catalogue.store.readStream(savedSearchesStream(me))).toHaveLength(1);
  });

  it('are limited in number', async () => {
    const me = newId();
    for (let at = 0; at < maxSavedSearches; at++) await save(`Search ${at}`, '', me);
    const body = { name: 'One more', query: '' };
    const refused = await call('POST', savedSearchRoutes.searches, { account: me, body });
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'TOO_MANY_SEARCHES' }]);
  });

  it.each([
    ['a name that is taken', { name: 'mINE', query: '' }, 409, 'SEARCH_NAME_TAKEN', /“Mine”/],
    ['a name of spaces', { name: '   ', query: '' }, 400, 'INVALID_REQUEST', /name/],
    ['a name that is too long', { name: 'x'.repeat(61), query: '' }, 400, 'INVALID_REQUEST', /name/],
    ['a query that is too long', { name: 'A', query: 'x'.repeat(2_001) }, 400, 'INVALID_REQUEST', /query/],
    ['a missing query', { name: 'A' }, 400, 'INVALID_REQUEST', /query/],
    ['a wrong bound', { name: 'A', query: 'min_likes=x' }, 400, 'INVALID_SEARCH', /min_likes: must be/],
    ['a reversed range', { name: 'A', query: 'min_likes=9&max_likes=1' }, 400, 'RANGE_REVERSED', /min_likes/],
  ])('refuse %s', async (_, body, status, code, words) => {
    const me = newId();
    await save('Mine', '', me);
    const response = await call('POST', savedSearchRoutes.searches, { account: me, body });
    expect([response.status, await response.json()]).toMatchObject([
      status,
      { code, detail: expect.stringMatching(words) },
    ]);
  });

  it('refuse an id of the wrong shape', async () => {
    const response = await call('PUT', savedSearchRoutes.search('x'), { body: { name: 'A' } });
    expect([response.status, await response.json()]).toMatchObject([400, { code: 'INVALID_ID' }]);
  });

  it('refuse visitors', async () => {
    for (const [method, path] of [
      ['GET', savedSearchRoutes.searches],
      ['POST', savedSearchRoutes.searches],
      ['PUT', savedSearchRoutes.search(newId())],
      ['POST', savedSearchRoutes.seen(newId())],
      ['DELETE', savedSearchRoutes.search(newId())],
    ] as const) {
      expect((await fetch(`${explorer.url}${path}`, { method })).status).toBe(401);
    }
  });
});

describe('the number of new matches', () => {
  it('counts the matching strategies that were added since the search was last seen', async () => {
    const me = newId();
    const macd = await save('MACD', 'search=macd&min_likes=5', me);
    await save('All', '', me);
    expect(await newMatches(me)).toEqual({ MACD: 0, All: 0 });

    await imported(
      { url_id: 'BBBBBBB1', title: 'MACD second', likes: 9 },
      { url_id: 'BBBBBBB2', title: 'MACD third, unloved', likes: 1 },
      { url_id: 'BBBBBBB3', title: 'RSI', likes: 9 },
    );
    expect(await newMatches(me)).toEqual({ MACD: 1, All: 3 });

    await call('POST', savedSearchRoutes.seen(macd.id), { account: me });
    expect(await newMatches(me)).toEqual({ MACD: 0, All: 3 });

    await imported({ url_id: 'BBBBBBB4', title: 'MACD fourth', likes: 7 });
    expect(await newMatches(me)).toEqual({ MACD: 1, All: 4 });

    await withdrawStrategy(catalogue.store, 'BBBBBBB4');
    await imported({ url_id: 'BBBBBBB5', title: 'Other' });
    expect(await newMatches(me)).toEqual({ MACD: 0, All: 4 });
  });

  it('is computed once for requests that wait at the same time, and for those that follow', async () => {
    const me = newId();
    await save('Shared', 'search=shared', me);
    await imported({ url_id: 'DDDDDDD1', title: 'Shared' });
    const original = explorer.engine.search.bind(explorer.engine);
    let release: () => void = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const search = jest.spyOn(explorer.engine, 'search').mockImplementation(async (...request) => {
      await gate;
      return original(...request);
    });
    const lists = Array.from({ length: 10 }, () => call('GET', savedSearchRoutes.searches, { account: me }));
    while (search.mock.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
    release();
    for (const response of await Promise.all(lists)) {
      expect(SavedSearchList.parse(await response.json())).toMatchObject([{ newMatches: 1 }]);
    }
    expect(await newMatches(me)).toEqual({ Shared: 1 });
    expect(search).toHaveBeenCalledTimes(1);
    await imported({ url_id: 'DDDDDDD2', title: 'Shared too' });
    expect(await newMatches(me)).toEqual({ Shared: 2 });
  });

  it('asks the engine for nothing when nothing is new', async () => {
    const me = newId();
    await save('MACD', 'search=macd', me);
    const search = jest.spyOn(explorer.engine, 'search');
    expect(await newMatches(me)).toEqual({ MACD: 0 });
    expect(search).not.toHaveBeenCalled();
  });

  it('counts among the 10,000 newest at most, with one engine request per search', async () => {
    const me = newId();
    await save('All', '', me);
    await save('MACD', 'search=macd', me);
    await catalogue.project();
    await catalogue.databases.catalogue.query(
      `insert into explorer_additions (url_id, position)
       select 'X' || lpad(n::text, 7, '0'), 1000000 + n from generate_series(1, 10050) n`,
    );
    const search = jest.spyOn(explorer.engine, 'search');
    expect(await newMatches(me)).toEqual({ All: 0, MACD: 0 });
    const requestedIds = search.mock.calls.map(([{ filter }]) => filter.among ?? []);
    expect(requestedIds.map((ids) => ids.length)).toEqual([10_000, 10_000]);
    expect(requestedIds[0]).toContain('X0010050');
    expect(requestedIds[0]).not.toContain('X0000050');
    await catalogue.databases.catalogue.query('delete from explorer_additions where position > 1000000');
  });

  it('is unknown while the engine is unavailable; listing and saving still work', async () => {
    const me = newId();
    const early = await save('Early', '', me);
    await imported({ url_id: 'CCCCCCC1', title: 'News' });
    const unavailable = new DomainError(
      'unavailable',
      'SEARCH_UNAVAILABLE',
      'The search engine is unavailable.',
    );
    jest.spyOn(explorer.engine, 'search').mockRejectedValue(unavailable);
    expect(await newMatches(me)).toEqual({ Early: null });
    await save('Late', 'search=macd', me);
    await call('POST', savedSearchRoutes.seen(early.id), { account: me });
    jest.restoreAllMocks();
    expect(await newMatches(me)).toEqual({ Early: 0, Late: 0 });
  });

  it('is asked for again while the engine has too many requests', async () => {
    const me = newId();
    await save('Early', '', me);
    await imported({ url_id: 'CCCCCCC2', title: 'More' });
    const busy = new DomainError(
      'unavailable',
      'SEARCH_BUSY',
      'The search has more requests than it can answer.',
    );
    const search = jest
      .spyOn(explorer.engine, 'search')
      .mockRejectedValueOnce(busy)
      .mockRejectedValueOnce(busy);
    expect(await newMatches(me)).toEqual({ Early: 1 });
    expect(search.mock.calls.map(([, options]) => options?.isBackground)).toEqual([true, true, true]);
    jest.restoreAllMocks();
  });
});
