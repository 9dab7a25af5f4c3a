import {
  Exploration,
  explorerRoutes,
  Histogram,
  type FacetField,
  type Scale,
} from '@tapedeck/explorer/contract';
import * as z from 'zod';
import { baseApi } from '../../app/base-api.ts';
import { pageSize } from './filters.ts';

export type ExplorationAsked = Readonly<{
  /** The filters as the address writes them. */
  query: string;
  /** The newest catalogue known when this was asked: an older answer must not serve for it. */
  catalogue: string | null;
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

const listen = (tell: (news: CatalogueNews) => void): (() => void) => {
  let source: EventSource | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let position: string | null = null;
  const close = (): void => {
    clearTimeout(retry);
    source?.close();
    source = null;
    tell({ position, isLive: false });
  };
  const open = (): void => {
    close();
    // Browsers allow six connections to a host: a page nobody looks at must not keep one.
    if (document.hidden) return;
    source = new EventSource(explorerRoutes.changes);
    source.onopen = () => tell({ position, isLive: true });
    source.onmessage = ({ data }) => {
      const moved = CatalogueMoved.safeParse(JSON.parse(String(data)));
      if (moved.success) position = moved.data.position;
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
      keepUnusedDataFor: 120,
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
      keepUnusedDataFor: 0,
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
