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
    memberHistory: build.query<MemberHistory, void>({
      query: () => membershipRoutes.history,
      responseSchema: MemberHistory,
      providesTags: [membershipTag],
    }),
  }),
});

export const { useMemberTierQuery, useMemberHistoryQuery } = membershipApi;
