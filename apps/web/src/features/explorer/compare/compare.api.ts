import { ComparedStrategies, explorerRoutes } from '@tapedeck/explorer/contract';
import { baseApi, staleAfterSeconds } from '../../../api/base-api.ts';

const compareApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    comparedStrategies: build.query<ComparedStrategies, readonly string[]>({
      query: (ids) => ({ url: explorerRoutes.compare, params: new URLSearchParams({ ids: ids.join(',') }) }),
      responseSchema: ComparedStrategies,
      keepUnusedDataFor: staleAfterSeconds,
    }),
  }),
});

export const { useComparedStrategiesQuery } = compareApi;
