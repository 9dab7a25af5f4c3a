import { CurrentUser, identityRoutes } from '@tapedeck/identity/contract';
import { baseApi } from '../../api/base-api.ts';

const identityApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    /** Null when nobody is signed in. */
    currentUser: build.query<CurrentUser | null, void>({
      query: () => identityRoutes.user,
      extraOptions: { nullOn401: true },
      responseSchema: CurrentUser.nullable(),
    }),
  }),
});

export const { useCurrentUserQuery } = identityApi;
