import type { JSX } from 'react';
import { useCurrentUserQuery } from '../../features/identity/identity.api.ts';
import { CompleteProfile } from './member/complete-profile.tsx';

/** `/complete-profile`, also to change a profile that is complete. */
export const CompleteProfilePage = (): JSX.Element | null => {
  const { data: user } = useCurrentUserQuery();
  return user ? <CompleteProfile user={user} /> : null;
};
