import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { configureStore } from '@reduxjs/toolkit';
import type { StrategyDetails } from '@tapedeck/strategies/contract';
import { baseApi } from '../../api/base-api.ts';
import { membershipTag } from '../../api/member-tags.ts';
import { strategyDetails } from './strategies.api.ts';

const answer = (sourceCodeIncluded: boolean): Response =>
  Response.json({
    title: 'Trend',
    author: null,
    publicationDate: null,
    urlId: 'Demo0001',
    likes: null,
    views: null,
    commentsCount: null,
    codeLines: null,
    totalTrades: null,
    profitFactor: null,
    profitFactorLong: null,
    profitFactorShort: null,
    sharpeRatioAll: null,
    sortinoRatioAll: null,
    totalPandl: null,
    maxEquityDrawdown: null,
    profitableTrades: null,
    fullDescription: null,
    howItWorks: null,
    backtestingRangeStart: null,
    backtestingRangeEnd: null,
    categories: [],
    timeframes: [],
    initialCapital: null,
    commission: null,
    slippage: null,
    pyramiding: null,
    pineVersion: null,
    pineScript: sourceCodeIncluded ? 'plot(close)' : null,
    sourceCodeIncluded,
    sourceUrl: null,
    isOnChartingSite: false,
    symbol: null,
    timeframe: null,
    currency: null,
  } satisfies StrategyDetails);

/** The code on a strategy's page before and after the membership has changed; the server answers with each of these once. */
const codeAround = async (...included: readonly boolean[]): Promise<readonly (string | null)[]> => {
  const answers = included.map(answer);
  jest.spyOn(globalThis, 'fetch').mockImplementation(async () => {
    const next = answers.shift();
    if (!next) throw new Error('The details were requested once too often.');
    return next;
  });
  const store = configureStore({
    reducer: { [baseApi.reducerPath]: baseApi.reducer },
    middleware: (getDefault) => getDefault().concat(baseApi.middleware),
  });
  /** From the cache. */
  const codeNow = async (): Promise<string | null> => {
    const { data } = await store.dispatch(strategyDetails.initiate('Demo0001', { subscribe: false }));
    return data?.pineScript ?? null;
  };
  await store.dispatch(strategyDetails.initiate('Demo0001'));
  const before = await codeNow();
  const api = baseApi.enhanceEndpoints({ addTagTypes: [membershipTag.type] });
  store.dispatch(api.util.invalidateTags([membershipTag]));
  await Promise.all(store.dispatch(baseApi.util.getRunningQueriesThunk()));
  const after = await codeNow();
  store.dispatch(baseApi.util.resetApiState());
  return [before, after];
};

afterEach(() => {
  jest.restoreAllMocks();
});

describe('the details of a strategy', () => {
  it('are requested again after a change of the membership when the plan had left out the code', async () => {
    expect(await codeAround(false, true)).toEqual([null, 'plot(close)']);
  });

  it('stay when they have the code', async () => {
    expect(await codeAround(true)).toEqual(['plot(close)', 'plot(close)']);
  });
});
