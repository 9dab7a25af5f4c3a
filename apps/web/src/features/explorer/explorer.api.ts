import { BrushSlice, Exploration, explorerRoutes } from '@tapedeck/explorer/contract';
import { type FacetField } from '@tapedeck/search-engine/contract';
import { baseApi } from '../../api/base-api.ts';
import type { ApiRequest } from '../../api/base-query.ts';
import { isLater } from '../../api/tape-position.ts';
import { listenForNews, type CatalogueNews } from './catalogue-updates.ts';
import { pageSize } from './filter-state/filters.ts';

export type ExplorationAsked = Readonly<{
  /** The filters as the address writes them. */
  query: string;
  /** The newest catalogue known when this was asked: an older answer must not serve for it. */
  catalogue: string | null;
  /** Counts the questions asked while nobody told of changes: none of them may be answered from memory. */
  unheard: number;
}>;

/** `query`: the filters without the active field's range, and without page and order. */
export type BrushAsked = ExplorationAsked & Readonly<{ active: FacetField }>;

/** Seconds for which a list, and the ear for its changes, outlive the page that showed it (D17). */
const kept = 120;
/** The same for a slice: as long as somebody may come back to the slider. */
const sliceKept = 60;

const explorationRequest = ({ query }: ExplorationAsked): ApiRequest => {
  const params = new URLSearchParams(query);
  params.set('limit', String(pageSize));
  return { url: explorerRoutes.explore, params };
};

const brushRequest = ({ query, active }: BrushAsked): ApiRequest => {
  const params = new URLSearchParams(query);
  params.set('active', active);
  return { url: explorerRoutes.brush, params };
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
    brush: build.query<BrushSlice, BrushAsked>({
      query: brushRequest,
      responseSchema: BrushSlice,
      keepUnusedDataFor: sliceKept,
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

export const { useExploreQuery, useCatalogueNewsQuery } = explorerApi;
