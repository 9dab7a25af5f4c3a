import { BrushSlice, explorerRoutes } from '@tapedeck/explorer/contract';
import type { FacetField } from '@tapedeck/search-engine/contract';
import { baseApi } from '../../../api/base-api.ts';
import type { ExploreOptions } from '../explorer.api.ts';

/** `query` has no range of the active field, no page and no order. */
export type BrushOptions = ExploreOptions & Readonly<{ active: FacetField }>;

/** For how long a slice stays after the pointer has left its slider. */
const keepSliceSeconds = 60;

const brushApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    brushSlice: build.query<BrushSlice, BrushOptions>({
      query: ({ query, active }) => {
        const params = new URLSearchParams(query);
        params.set('active', active);
        return { url: explorerRoutes.brush, params };
      },
      responseSchema: BrushSlice,
      keepUnusedDataFor: keepSliceSeconds,
    }),
  }),
});

export const { brushSlice } = brushApi.endpoints;
