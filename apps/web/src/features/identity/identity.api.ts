import {
  identityRoutes,
  OptionalUser,
  Profile,
  SentMailsPage,
  SentMailText,
  SessionList,
  type DeleteAccountBody,
  type ProfileBody,
  type SignedInUser,
} from '@tapedeck/identity/contract';
import { baseApi, listTag, onSuccess } from '../../api/base-api.ts';
import { mailsTag } from '../../api/member-tags.ts';
import { sessionOfPage } from '../../api/session-of-page.ts';

const currentUserTag = listTag('CurrentUser');
const sessionTag = listTag('Session');

const identityApi = baseApi
  .enhanceEndpoints({ addTagTypes: [currentUserTag.type, sessionTag.type, mailsTag.type] })
  .injectEndpoints({
    endpoints: (build) => ({
      /** Null for a visitor. */
      currentUser: build.query<SignedInUser | null, void>({
        query: () => identityRoutes.optionalUser,
        extraOptions: { nullOn401: true },
        rawResponseSchema: OptionalUser.nullable(),
        transformResponse: (answer: OptionalUser | null) => answer?.user ?? null,
        providesTags: [currentUserTag],
        onQueryStarted: (_, { queryFulfilled }) =>
          queryFulfilled.then(
            ({ data }) => sessionOfPage.record(data),
            () => undefined,
          ),
      }),
      completeProfile: build.mutation<Profile, ProfileBody>({
        query: (body) => ({ url: identityRoutes.completeProfile, method: 'POST', body }),
        responseSchema: Profile,
        invalidatesTags: onSuccess(currentUserTag),
      }),
      sessions: build.query<SessionList, void>({
        query: () => identityRoutes.sessions,
        responseSchema: SessionList,
        providesTags: [sessionTag],
        // Other browsers change this list.
        keepUnusedDataFor: 0,
      }),
      sentMails: build.infiniteQuery<SentMailsPage, void, string | null>({
        query: ({ pageParam }) => ({
          url: identityRoutes.sentMails,
          ...(pageParam === null ? {} : { params: new URLSearchParams({ before: pageParam }) }),
        }),
        infiniteQueryOptions: {
          initialPageParam: null,
          getNextPageParam: ({ next }) => next ?? undefined,
        },
        responseSchema: SentMailsPage,
        extraOptions: { repeatsWhenStale: true },
        providesTags: [mailsTag],
      }),
      sentMailText: build.query<SentMailText, string>({
        query: (id) => identityRoutes.sentMail(encodeURIComponent(id)),
        responseSchema: SentMailText,
      }),
      endSession: build.mutation<unknown, string>({
        query: (id) => ({ url: identityRoutes.session(encodeURIComponent(id)), method: 'DELETE' }),
        invalidatesTags: onSuccess(sessionTag),
      }),
      endOtherSessions: build.mutation<unknown, void>({
        query: () => ({ url: identityRoutes.sessions, method: 'DELETE' }),
        invalidatesTags: onSuccess(sessionTag),
      }),
      deleteAccount: build.mutation<unknown, DeleteAccountBody>({
        query: (body) => ({ url: identityRoutes.account, method: 'DELETE', body }),
      }),
    }),
  });

const deletion = { fixedCacheKey: 'account' };
/** Of the one deletion that this page can make. */
const selectDeletion = identityApi.endpoints.deleteAccount.select({ requestId: undefined, ...deletion });

type StateWithDeletion = Parameters<typeof selectDeletion>[0];

/** Then requests that were under way may be refused. */
export const isAccountBeingDeleted = (state: StateWithDeletion): boolean => {
  const { isLoading, isSuccess } = selectDeletion(state);
  return isLoading || isSuccess;
};

export const useAccountDeletion = () => identityApi.useDeleteAccountMutation(deletion);

export const {
  useCurrentUserQuery,
  useCompleteProfileMutation,
  useSessionsQuery,
  useSentMailsInfiniteQuery,
  useSentMailTextQuery,
  useEndSessionMutation,
  useEndOtherSessionsMutation,
} = identityApi;

/** The roles of the account that is signed in; undefined until they are known, and for visitors. */
export const useRoles = (): Pick<SignedInUser, 'isAdmin' | 'isSupport'> | undefined =>
  useCurrentUserQuery().data ?? undefined;
