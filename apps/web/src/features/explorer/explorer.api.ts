import {
  Exploration,
  explorerRoutes,
  Histogram,
  type FacetField,
  type Scale,
} from '@tapedeck/explorer/contract';
import * as z from 'zod';
import { baseApi } from '../../app/base-api.ts';
import { isLater, laterPosition } from '../../app/tape-position.ts';
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

export type CatalogueNews = Readonly<{
  /** Tape position of the newest catalogue heard of. */
  position: string | null;
  /** False while nobody would tell of a change. */
  isLive: boolean;
}>;

const performanceFields: readonly FacetField[] = [
  'totalPandlPercent',
  'maxDrawdownPercent',
  'profitFactor',
  'sharpeRatio',
];

const CatalogueMoved = z.object({ position: z.string().regex(/^\d+$/) });
const retryAfter = 5_000;
/** Seconds for which a list, and the ear for its changes, outlive the page that showed it (D17). */
const kept = 120;

const positionIn = (data: unknown): string | null => {
  try {
    return CatalogueMoved.parse(JSON.parse(String(data))).position;
  } catch {
    return null;
  }
};

const listen = (tell: (news: CatalogueNews) => void): (() => void) => {
  let source: EventSource | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let position: string | null = null;
  const close = (): void => {
    clearTimeout(retry);
    source?.close();
    source = null;
  };
  const open = (): void => {
    close();
    // Browsers allow six connections to a host: a page nobody looks at must not keep one.
    if (document.hidden) {
      tell({ position, isLive: false });
      return;
    }
    source = new EventSource(explorerRoutes.changes);
    source.onopen = () => tell({ position, isLive: true });
    source.onmessage = ({ data }) => {
      position = laterPosition(position, positionIn(data));
      tell({ position, isLive: true });
    };
    source.onerror = () => {
      tell({ position, isLive: false });
      if (source?.readyState === EventSource.CLOSED) retry = setTimeout(open, retryAfter);
    };
  };
  document.addEventListener('visibilitychange', open);
  open();
  return () => {
    document.removeEventListener('visibilitychange', open);
    close();
  };
};

export const explorerApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    explore: build.query<Exploration, ExplorationAsked>({
      query: ({ query }) => {
        const params = new URLSearchParams(query);
        params.set('limit', String(pageSize));
        return { url: explorerRoutes.explore, params };
      },
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
      query: ({ query, field, scale }) => {
        const params = new URLSearchParams(query);
        for (const paging of ['page', 'sort_by', 'sort_order']) params.delete(paging);
        params.set('field', field);
        params.set('scale', scale);
        const ofPerformance = performanceFields.includes(field);
        return { url: ofPerformance ? explorerRoutes.quantileHistogram : explorerRoutes.histogram, params };
      },
      responseSchema: Histogram,
      keepUnusedDataFor: 0,
    }),
    catalogueNews: build.query<CatalogueNews, void>({
      queryFn: () => ({ data: { position: null, isLive: false } }),
      keepUnusedDataFor: kept,
      onCacheEntryAdded: async (_asked, { updateCachedData, cacheDataLoaded, cacheEntryRemoved }) => {
        await cacheDataLoaded;
        const stop = listen((news) => updateCachedData(() => news));
        await cacheEntryRemoved;
        stop();
      },
    }),
  }),
});

export const { useExploreQuery, useHistogramQuery, useCatalogueNewsQuery } = explorerApi;
