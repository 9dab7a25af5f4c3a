import { useEffect, type JSX } from 'react';
import { Outlet } from 'react-router-dom';
import { MessagePage } from '../../ui/message-page.tsx';
import { useCurrentUserQuery } from './identity.api.ts';
import { signInAgain } from './sign-in.ts';

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
