import { useEffect, type JSX } from 'react';
import { Navigate, useSearchParams } from 'react-router-dom';
import { useCurrentUserQuery } from '../../features/identity/identity.api.ts';
import { signInAgain, signInHref } from '../../features/identity/sign-in.ts';
import { LandingPage } from '../../features/landing/landing-page.tsx';
import { useClientConfigQuery } from '../../api/config.api.ts';

const afterSignIn = '/strategies';

/** The landing page for a visitor; a member goes on to the explorer, which is the one section there is. */
export const HomePage = (): JSX.Element => {
  const [query] = useSearchParams();
  const { data: user, isLoading } = useCurrentUserQuery();
  const { data: config } = useClientConfigQuery();
  const mustSignIn = user === null && query.has('section');
  useEffect(() => {
    if (mustSignIn) signInAgain();
  }, [mustSignIn]);
  if (user) return <Navigate to={afterSignIn} replace />;
  if (isLoading) return <main id="main" aria-busy="true" />;
  return (
    <LandingPage
      signIn={signInHref(afterSignIn)}
      oneClick={(config?.signInHints ?? []).map(({ label, email }) => ({
        label,
        email,
        href: signInHref(afterSignIn, email),
      }))}
    />
  );
};
