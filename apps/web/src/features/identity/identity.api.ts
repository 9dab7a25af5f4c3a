import { CurrentUser, identityRoutes } from '@tapedeck/identity/contract';
import { baseApi } from '../../api/base-api.ts';

export const identityApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    /** Null when nobody is signed in. */
    currentUser: build.query<CurrentUser | null, void>({
      query: () => identityRoutes.user,
      extraOptions: { nobodyOn401: true },
      responseSchema: CurrentUser.nullable(),
      providesTags: ['Session'],
    }),
  }),
});

export const { useCurrentUserQuery } = identityApi;
