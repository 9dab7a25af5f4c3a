import { queueRoutes, Queues, type AcceptFindingBody, type RepeatBody } from '@tapedeck/payments/contract';
import { baseApi, keepUnusedSeconds, listTag, onSuccess } from '../../../api/base-api.ts';

const queuesTag = listTag('Queues');

const queuesApi = baseApi.enhanceEndpoints({ addTagTypes: [queuesTag.type] }).injectEndpoints({
  endpoints: (build) => ({
    queues: build.query<Queues, void>({
      query: () => queueRoutes.queues,
      responseSchema: Queues,
      keepUnusedDataFor: keepUnusedSeconds,
      providesTags: [queuesTag],
    }),
    repeatRefused: build.mutation<unknown, RepeatBody>({
      query: (body) => ({ url: queueRoutes.repeat, method: 'POST', body }),
      invalidatesTags: onSuccess(queuesTag),
    }),
    acceptFinding: build.mutation<unknown, AcceptFindingBody>({
      query: (body) => ({ url: queueRoutes.accept, method: 'POST', body }),
      invalidatesTags: onSuccess(queuesTag),
    }),
  }),
});

export const { useQueuesQuery, useRepeatRefusedMutation, useAcceptFindingMutation } = queuesApi;
