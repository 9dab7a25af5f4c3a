import {
  AnnouncedPrices,
  PricePreview,
  priceRoutes,
  type AnnouncePriceBody,
  type PreviewPriceBody,
  type WithdrawPriceBody,
} from '@tapedeck/payments/contract';
import { baseApi, listTag, onSuccess } from '../../../api/base-api.ts';

const pricesTag = listTag('AnnouncedPrices');

const pricesApi = baseApi.enhanceEndpoints({ addTagTypes: [pricesTag.type] }).injectEndpoints({
  endpoints: (build) => ({
    announcedPrices: build.query<AnnouncedPrices, void>({
      query: () => priceRoutes.prices,
      responseSchema: AnnouncedPrices,
      extraOptions: { repeatsWhenStale: true },
      providesTags: [pricesTag],
    }),
    previewPrice: build.mutation<PricePreview, PreviewPriceBody>({
      query: (body) => ({ url: priceRoutes.preview, method: 'POST', body }),
      responseSchema: PricePreview,
    }),
    announcePrice: build.mutation<unknown, AnnouncePriceBody>({
      query: (body) => ({ url: priceRoutes.prices, method: 'POST', body }),
      invalidatesTags: onSuccess(pricesTag),
    }),
    withdrawPrice: build.mutation<unknown, WithdrawPriceBody>({
      query: (body) => ({ url: priceRoutes.withdraw, method: 'POST', body }),
      invalidatesTags: onSuccess(pricesTag),
    }),
  }),
});

export const {
  useAnnouncedPricesQuery,
  usePreviewPriceMutation,
  useAnnouncePriceMutation,
  useWithdrawPriceMutation,
} = pricesApi;
