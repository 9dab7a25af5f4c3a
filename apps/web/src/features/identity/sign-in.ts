import { identityRoutes } from '@tapedeck/identity/contract';
import { showToast } from '../../ui/toasts.tsx';

const redirectDelayMs = 500;

export const signInHref = (returnTo: string, hint?: string): string => {
  const query = new URLSearchParams({ ...(hint ? { login_hint: hint } : {}), returnTo });
  return `${identityRoutes.login}?${query.toString()}`;
};

let redirect: ReturnType<typeof setTimeout> | undefined;

/** Announces that the session has ended and redirects to sign-in, which returns to the present page (D1). */
export const signInAgain = (): void => {
  if (redirect !== undefined) return;
  showToast({ kind: 'danger', title: 'Unauthorized', text: 'You are logged out. Logging in again...' });
  const { pathname, search } = window.location;
  redirect = setTimeout(() => window.location.assign(signInHref(pathname + search)), redirectDelayMs);
};
