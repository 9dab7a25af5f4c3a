import { identityRoutes } from '@tapedeck/identity/contract';
import { showToast } from '../../ui/toasts.tsx';

const redirectDelay = 500;

export const signInHref = (returnTo: string, hint?: string): string => {
  const query = new URLSearchParams({ ...(hint ? { login_hint: hint } : {}), returnTo });
  return `${identityRoutes.login}?${query.toString()}`;
};

let leaving: ReturnType<typeof setTimeout> | undefined;

/** Says that the session is over and leads through sign-in back to where the person was (D1). */
export const signInAgain = (): void => {
  if (leaving !== undefined) return;
  showToast({ kind: 'danger', title: 'Unauthorized', text: 'You are logged out. Logging in again...' });
  const { pathname, search } = window.location;
  leaving = setTimeout(() => window.location.assign(signInHref(pathname + search)), redirectDelay);
};
