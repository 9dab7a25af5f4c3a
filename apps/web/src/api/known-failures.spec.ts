import { beforeEach, describe, expect, it } from '@jest/globals';
import { configureStore } from '@reduxjs/toolkit';
import { createApi } from '@reduxjs/toolkit/query';
import type { ApiBaseQuery } from './base-query.ts';
import { withKnownFailures } from './known-failures.ts';

let now = 0;
let requests = 0;
let fails = true;

const baseQuery: ApiBaseQuery = () => {
  requests++;
  return fails ? { error: { status: 'network', message: 'lost' } } : { data: requests };
};

const openApi = () => {
  const api = createApi({
    baseQuery: withKnownFailures(baseQuery, () => now),
    endpoints: (build) => ({
      thing: build.query<number, string>({ query: (id) => `/things/${id}` }),
      list: build.infiniteQuery<number, void, number>({
        query: ({ pageParam }) => `/list?page=${pageParam}`,
        infiniteQueryOptions: { initialPageParam: 0, getNextPageParam: (_page, pages) => pages.length },
      }),
    }),
  });
  const store = configureStore({
    reducer: { [api.reducerPath]: api.reducer },
    // Their checks warn on a busy machine that they took long.
    middleware: (defaults) =>
      defaults({ immutableCheck: false, serializableCheck: false }).concat(api.middleware),
  });
  return {
    ask: (id: string, forceRefetch = false) =>
      store.dispatch(api.endpoints.thing.initiate(id, { forceRefetch })),
    askForList: () => store.dispatch(api.endpoints.list.initiate()),
    readOn: () => store.dispatch(api.endpoints.list.initiate(undefined, { direction: 'forward' })),
  };
};

beforeEach(() => {
  [now, requests, fails] = [0, 0, true];
});

describe('a query that has failed', () => {
  it('is not sent again for another part of the page, which gets the same failure', async () => {
    const { ask } = openApi();
    const first = await ask('a');
    now = 1_999;
    const second = await ask('a');
    expect(requests).toBe(1);
    expect(second.error).toBe(first.error);
    now = 2_000;
    await ask('a');
    expect(requests).toBe(2);
  });

  it('is sent when somebody presses a button, and answered to all from then on', async () => {
    const { ask } = openApi();
    await ask('a');
    fails = false;
    expect(await ask('a', true)).toMatchObject({ data: 2 });
    expect(await ask('a')).toMatchObject({ data: 2 });
    expect(requests).toBe(2);
  });

  it('is sent when it reads the next page of a list, which somebody has asked for', async () => {
    const { askForList, readOn } = openApi();
    fails = false;
    await askForList();
    fails = true;
    await readOn();
    fails = false;
    expect((await readOn()).data?.pages).toEqual([1, 3]);
  });

  it('does not keep another one from being sent', async () => {
    const { ask } = openApi();
    await ask('a');
    await ask('b');
    expect(requests).toBe(2);
  });
});
