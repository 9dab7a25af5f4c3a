import {
  AccessGranted,
  MemberHistory,
  MemberTier,
  membershipRoutes,
  type GrantAccessBody,
  type RevokeAccessBody,
} from '@tapedeck/membership/contract';
import { baseApi, onSuccess } from '../../api/base-api.ts';
import { auditedMemberTag, membershipTag } from '../../api/member-tags.ts';

const membershipApi = baseApi
  .enhanceEndpoints({ addTagTypes: [membershipTag.type, auditedMemberTag.type] })
  .injectEndpoints({
    endpoints: (build) => ({
      memberTier: build.query<MemberTier, void>({
        query: () => membershipRoutes.tier,
        responseSchema: MemberTier,
        extraOptions: { repeatsWhenStale: true },
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
        extraOptions: { repeatsWhenStale: true },
        providesTags: [membershipTag],
      }),
      grantAccess: build.mutation<AccessGranted, Readonly<{ accountId: string; body: GrantAccessBody }>>({
        query: ({ accountId, body }) => ({
          url: membershipRoutes.complimentary(accountId),
          method: 'POST',
          body,
        }),
        responseSchema: AccessGranted,
        invalidatesTags: onSuccess(auditedMemberTag),
      }),
      revokeAccess: build.mutation<unknown, Readonly<{ accountId: string; body: RevokeAccessBody }>>({
        query: ({ accountId, body }) => ({
          url: membershipRoutes.complimentary(accountId),
          method: 'DELETE',
          body,
        }),
        invalidatesTags: onSuccess(auditedMemberTag),
      }),
    }),
  });

export const { memberTier } = membershipApi.endpoints;

export const {
  useMemberTierQuery,
  useMemberHistoryInfiniteQuery,
  useGrantAccessMutation,
  useRevokeAccessMutation,
} = membershipApi;
