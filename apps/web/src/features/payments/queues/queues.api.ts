import { queueRoutes, Queues } from '@tapedeck/payments/contract';
import { baseApi } from '../../../api/base-api.ts';

const queuesApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    queues: build.query<Queues, void>({
      query: () => queueRoutes.queues,
      responseSchema: Queues,
    }),
  }),
});

export const { useQueuesQuery } = queuesApi;
