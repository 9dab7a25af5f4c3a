import { Figures, figuresRoutes } from '@tapedeck/figures/contract';
import { baseApi } from '../../api/base-api.ts';

const figuresApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    figures: build.query<Figures, void>({
      query: () => figuresRoutes.figures,
      responseSchema: Figures,
    }),
  }),
});

export const { useFiguresQuery } = figuresApi;
