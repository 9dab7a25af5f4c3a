import { identityRoutes, type CurrentUser } from '@tapedeck/identity/contract';
import { useEffect, type JSX } from 'react';
import { Outlet } from 'react-router-dom';
import { sessionOfPage } from '../../api/session-of-page.ts';
import { useRepeat } from '../../api/use-repeat.ts';
import { useAppearing } from '../../ui/browser/use-appearing.ts';
import { PendingPage, type Failed } from '../../ui/pending.tsx';
import { landingPath } from '../../api/site.ts';
import { showToast } from '../../ui/toasts.tsx';
import { useCurrentUserQuery } from './identity.api.ts';

const redirectDelayMs = 500;

export const signInHref = (returnTo: string, hint?: string): string => {
  const query = new URLSearchParams({ ...(hint ? { login_hint: hint } : {}), returnTo });
  return `${identityRoutes.login}?${query.toString()}`;
};

let redirect: ReturnType<typeof setTimeout> | undefined;

/** Announces that the session has ended and redirects to sign-in, which returns to the present page. */
export const signInAgain = (): void => {
  // A page of another account says so, and is loaded again.
  if (redirect !== undefined || sessionOfPage.other() !== undefined) return;
  showToast({ kind: 'danger', title: 'Unauthorized', text: 'You are logged out. Logging in again...' });
  const { pathname, search } = window.location;
  redirect = setTimeout(() => window.location.assign(signInHref(pathname + search)), redirectDelayMs);
};

export type Session = Readonly<{
  /** Null for a visitor, undefined while that is not known. */
  user: CurrentUser | null | undefined;
  /** Null unless it could not be found out; it is tried again by itself. */
  failed: Failed | null;
}>;

/** Who is signed in. */
export const useSession = (): Session => {
  const query = useCurrentUserQuery();
  const { data: user, error, isFetching, refetch } = query;
  const onRetry = (): void => void refetch();
  const retryAt = useRepeat(query, { onRepeat: onRetry });
  const text = 'Your data is safe: nothing was changed.';
  return { user, failed: error ? { text, isRetrying: isFetching, retryAt, onRetry } : null };
};

/** The route of all pages that need a session. Without a session it redirects to sign-in and back. */
export const SignedIn = (): JSX.Element => {
  const session = useSession();
  const { user } = session;
  const shownUser = useAppearing(user ?? undefined);
  const isSignedOut = user === null;
  useEffect(() => {
    if (isSignedOut) signInAgain();
  }, [isSignedOut]);
  if (shownUser) return <Outlet />;
  return (
    <PendingPage failed={session.failed}>
      <a className="btn" href={landingPath}>
        Go to the landing page
      </a>
    </PendingPage>
  );
};
