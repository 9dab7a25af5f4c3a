import { useEffect, type JSX } from 'react';
import { Navigate, useSearchParams } from 'react-router-dom';
import { useClientConfigQuery } from '../../api/config.api.ts';
import { useCurrentUserQuery } from '../../features/identity/identity.api.ts';
import { signInAgain, signInHref } from '../../features/identity/sign-in.tsx';
import { LandingPage } from '../../features/landing/landing-page.tsx';

const pathAfterSignIn = '/strategies';

/** The landing page for visitors; members are redirected to the explorer, which is the only section so far. */
export const HomePage = (): JSX.Element => {
  const [query] = useSearchParams();
  const { data: user, isLoading } = useCurrentUserQuery();
  const { data: config } = useClientConfigQuery();
  const needsSignIn = user === null && query.has('section');
  useEffect(() => {
    if (needsSignIn) signInAgain();
  }, [needsSignIn]);
  if (user) return <Navigate to={pathAfterSignIn} replace />;
  if (isLoading) return <main id="main" aria-busy="true" />;
  return (
    <LandingPage
      signIn={signInHref(pathAfterSignIn)}
      oneClick={(config?.signInHints ?? []).map(({ label, email }) => ({
        label,
        email,
        href: signInHref(pathAfterSignIn, email),
      }))}
    />
  );
};
