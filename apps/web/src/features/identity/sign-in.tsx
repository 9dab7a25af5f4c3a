import { identityRoutes } from '@tapedeck/identity/contract';
import { useEffect, type JSX } from 'react';
import { Outlet } from 'react-router-dom';
import { MessagePage } from '../../ui/message-page.tsx';
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
  if (redirect !== undefined) return;
  showToast({ kind: 'danger', title: 'Unauthorized', text: 'You are logged out. Logging in again...' });
  const { pathname, search } = window.location;
  redirect = setTimeout(() => window.location.assign(signInHref(pathname + search)), redirectDelayMs);
};

/** The route of all pages that need a session. Without a session it redirects to sign-in and back. */
export const SignedIn = (): JSX.Element => {
  const { data: user, isError, isFetching, refetch } = useCurrentUserQuery();
  const isSignedOut = user === null;
  useEffect(() => {
    if (isSignedOut) signInAgain();
  }, [isSignedOut]);
  if (user) return <Outlet />;
  if (isError) {
    return (
      <MessagePage title="The server is not answering" text="Your data is safe. Try again in a moment.">
        <button className="btn" type="button" aria-busy={isFetching} onClick={() => void refetch()}>
          Try again
        </button>
      </MessagePage>
    );
  }
  return <main id="main" aria-busy="true" />;
};
