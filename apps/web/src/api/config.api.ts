import { ClientConfig, compositionRoutes } from '@tapedeck/composition/contract';
import { baseApi } from './base-api.ts';

const configApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    clientConfig: build.query<ClientConfig, void>({
      query: () => compositionRoutes.clientConfig,
      responseSchema: ClientConfig,
    }),
  }),
});

export const { useClientConfigQuery } = configApi;
