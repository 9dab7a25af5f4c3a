import { MemberHistory, MemberTier, membershipRoutes } from '@tapedeck/membership/contract';
import { baseApi } from '../../api/base-api.ts';
import { membershipTag } from '../../api/member-tags.ts';

const membershipApi = baseApi.enhanceEndpoints({ addTagTypes: [membershipTag.type] }).injectEndpoints({
  endpoints: (build) => ({
    memberTier: build.query<MemberTier, void>({
      query: () => membershipRoutes.tier,
      responseSchema: MemberTier,
      providesTags: [membershipTag],
    }),
    memberHistory: build.infiniteQuery<MemberHistory, void, string | null>({
      query: ({ pageParam }) => ({
        url: membershipRoutes.history,
        ...(pageParam === null ? {} : { params: new URLSearchParams({ before: pageParam }) }),
      }),
      infiniteQueryOptions: {
        initialPageParam: null,
        getNextPageParam: ({ next }) => next ?? undefined,
      },
      responseSchema: MemberHistory,
      providesTags: [membershipTag],
    }),
  }),
});

export const { useMemberTierQuery, useMemberHistoryInfiniteQuery } = membershipApi;
