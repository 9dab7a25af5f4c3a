import {
  Exploration,
  explorerRoutes,
  Histogram,
  type FacetField,
  type Scale,
} from '@tapedeck/explorer/contract';
import { baseApi } from '../../app/base-api.ts';
import type { ApiRequest } from '../../app/base-query.ts';
import { isLater } from '../../app/tape-position.ts';
import { listenForNews, type CatalogueNews } from './catalogue-news.ts';
import { pageSize } from './filters.ts';

export type ExplorationAsked = Readonly<{
  /** The filters as the address writes them. */
  query: string;
  /** The newest catalogue known when this was asked: an older answer must not serve for it. */
  catalogue: string | null;
  /** Counts the questions asked while nobody told of changes: none of them may be answered from memory. */
  unheard: number;
}>;

export type HistogramAsked = ExplorationAsked & Readonly<{ field: FacetField; scale: Scale }>;

const performanceFields: readonly FacetField[] = [
  'totalPandlPercent',
  'maxDrawdownPercent',
  'profitFactor',
  'sharpeRatio',
];

/** Seconds for which a list, and the ear for its changes, outlive the page that showed it (D17). */
const kept = 120;

const explorationRequest = ({ query }: ExplorationAsked): ApiRequest => {
  const params = new URLSearchParams(query);
  params.set('limit', String(pageSize));
  return { url: explorerRoutes.explore, params };
};

const histogramRequest = ({ query, field, scale }: HistogramAsked): ApiRequest => {
  const params = new URLSearchParams(query);
  for (const paging of ['page', 'sort_by', 'sort_order']) params.delete(paging);
  params.set('field', field);
  params.set('scale', scale);
  const ofPerformance = performanceFields.includes(field);
  return { url: ofPerformance ? explorerRoutes.quantileHistogram : explorerRoutes.histogram, params };
};

export const explorerApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    explore: build.query<Exploration, ExplorationAsked>({
      query: explorationRequest,
      responseSchema: Exploration,
      keepUnusedDataFor: kept,
      // Who comes back to this list knows its catalogue by name, and finds it under that.
      onQueryStarted: async (asked, { dispatch, queryFulfilled }) => {
        const answer = await queryFulfilled.catch(() => null);
        const position = answer?.data.meta.position ?? null;
        if (!answer || !isLater(position, asked.catalogue)) return;
        const named = { ...asked, catalogue: position };
        await dispatch(explorerApi.util.upsertQueryData('explore', named, answer.data));
      },
      providesTags: (_answer, _error, { query }) => [{ type: 'Exploration', id: query }],
    }),
    histogram: build.query<Histogram, HistogramAsked>({
      query: histogramRequest,
      responseSchema: Histogram,
      keepUnusedDataFor: 0,
    }),
    catalogueNews: build.query<CatalogueNews, void>({
      queryFn: () => ({ data: { position: null, isLive: false } }),
      keepUnusedDataFor: kept,
      onCacheEntryAdded: async (_asked, { updateCachedData, cacheDataLoaded, cacheEntryRemoved }) => {
        await cacheDataLoaded;
        const stop = listenForNews((news) => updateCachedData(() => news));
        await cacheEntryRemoved;
        stop();
      },
    }),
  }),
});

export const { useExploreQuery, useHistogramQuery, useCatalogueNewsQuery } = explorerApi;
