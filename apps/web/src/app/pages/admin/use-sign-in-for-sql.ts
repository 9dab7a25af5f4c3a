import { useCurrentUserQuery } from '../../../features/identity/identity.api.ts';
import { signInHref } from '../../../features/identity/sign-in.tsx';

/** Where an admin signs in again, with the same account, to confirm a change. */
export const useSignInForSql = (): string => {
  const { data: user } = useCurrentUserQuery();
  return signInHref('/admin/sql', user?.email ?? undefined);
};
