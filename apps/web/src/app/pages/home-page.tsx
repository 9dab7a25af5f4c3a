import { useEffect, type JSX } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { landingPath } from '../../api/site.ts';
import { signInAgain, useSession } from '../../features/identity/sign-in.tsx';
import { PendingPage } from '../../ui/pending.tsx';
import { MemberHome } from './member/member-home.tsx';

/**
 * `/` for members. The server sends the landing page only to browsers without a session: a session that
 * turns out to be over, or `/#pricing`, leads there.
 */
export const HomePage = (): JSX.Element => {
  const [query] = useSearchParams();
  const { hash } = useLocation();
  const { user, failed } = useSession();
  const needsSignIn = user === null && query.has('section');
  const isForLanding = (user === null && !needsSignIn) || (Boolean(user) && hash === '#pricing');
  useEffect(() => {
    if (needsSignIn) signInAgain();
  }, [needsSignIn]);
  useEffect(() => {
    if (isForLanding) window.location.replace(landingPath + hash);
  }, [isForLanding, hash]);
  if (user && !isForLanding) return <MemberHome user={user} />;
  return (
    <PendingPage failed={failed}>
      <a className="btn" href={landingPath}>
        Go to the landing page
      </a>
    </PendingPage>
  );
};
