import { ComparedStrategies, explorerRoutes } from '@tapedeck/explorer/contract';
import { baseApi } from '../../../api/base-api.ts';

/** Seconds; figures of the explorer are fresh that long (D17). */
const kept = 30;

const compareApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    compared: build.query<ComparedStrategies, readonly string[]>({
      query: (ids) => ({ url: explorerRoutes.compare, params: new URLSearchParams({ ids: ids.join(',') }) }),
      responseSchema: ComparedStrategies,
      keepUnusedDataFor: kept,
      providesTags: ['Exploration'],
    }),
  }),
});

export const { useComparedQuery } = compareApi;
