import { useEffect, type JSX } from 'react';
import { Outlet } from 'react-router-dom';
import { useCurrentUserQuery } from './identity.api.ts';
import { signInAgain } from './sign-in.ts';
import { Message } from '../../ui/message-page.tsx';

/** Holds the pages that need a session; without one it leads through sign-in and back. */
export const SignedIn = (): JSX.Element => {
  const { data: user, isError, isFetching, refetch } = useCurrentUserQuery();
  const isNobody = user === null;
  useEffect(() => {
    if (isNobody) signInAgain();
  }, [isNobody]);
  if (user) return <Outlet />;
  if (isError) {
    return (
      <Message title="The server is not answering" words="Nothing of yours is lost. Try again in a moment.">
        <button className="btn" type="button" aria-busy={isFetching} onClick={() => void refetch()}>
          Try again
        </button>
      </Message>
    );
  }
  return <main id="main" aria-busy="true" />;
};
