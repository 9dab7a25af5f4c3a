import { ClientConfig } from '@tapedeck/platform/contract';
import { baseApi } from './base-api.ts';

export const configApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    clientConfig: build.query<ClientConfig, void>({
      query: () => '/api/config',
      responseSchema: ClientConfig,
      providesTags: ['Config'],
    }),
  }),
});

export const { useClientConfigQuery } = configApi;
