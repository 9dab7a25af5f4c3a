import {
  ReplayDetails,
  ReplayOutcome,
  ReplayPlan,
  replayRoutes,
  Replays,
  type ApplyReplayBody,
  type TryReplayBody,
} from '@tapedeck/replay/contract';
import { baseApi, listTag, onSuccess } from '../../api/base-api.ts';
import { auditedMemberTag } from '../../api/member-tags.ts';

const replaysTag = listTag('Replay');

const replayApi = baseApi
  .enhanceEndpoints({ addTagTypes: [replaysTag.type, auditedMemberTag.type] })
  .injectEndpoints({
    endpoints: (build) => ({
      replays: build.infiniteQuery<Replays, string | null, string | null>({
        infiniteQueryOptions: {
          initialPageParam: null,
          getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
        },
        query: ({ queryArg: accountId, pageParam }) => {
          const params = new URLSearchParams();
          if (accountId !== null) params.set('accountId', accountId);
          if (pageParam !== null) params.set('cursor', pageParam);
          return { url: replayRoutes.replays, params };
        },
        responseSchema: Replays,
        providesTags: [replaysTag],
      }),
      /** What a dry run would change may be another thing at each time. */
      replay: build.query<ReplayDetails, string>({
        query: (replayId) => replayRoutes.one(replayId),
        responseSchema: ReplayDetails,
        providesTags: [replaysTag],
        keepUnusedDataFor: 0,
      }),
      tryReplay: build.mutation<ReplayPlan, TryReplayBody>({
        query: (body) => ({ url: replayRoutes.replays, method: 'POST', body }),
        responseSchema: ReplayPlan,
        invalidatesTags: onSuccess(replaysTag),
      }),
      applyReplay: build.mutation<ReplayOutcome, Readonly<{ replayId: string; body: ApplyReplayBody }>>({
        query: ({ replayId, body }) => ({ url: replayRoutes.apply(replayId), method: 'POST', body }),
        responseSchema: ReplayOutcome,
        invalidatesTags: onSuccess<typeof replaysTag | typeof auditedMemberTag>(replaysTag, auditedMemberTag),
      }),
    }),
  });

export const { useReplaysInfiniteQuery, useReplayQuery, useTryReplayMutation, useApplyReplayMutation } =
  replayApi;
