import { useEffect, type JSX } from 'react';
import { Navigate, useLocation, useSearchParams } from 'react-router-dom';
import { useClientConfigQuery } from '../../api/config.api.ts';
import { useCurrentUserQuery } from '../../features/identity/identity.api.ts';
import { signInAgain, signInHref } from '../../features/identity/sign-in.tsx';
import { LandingPage as Landing } from '../../features/landing/landing-page.tsx';
import { useMemberTierQuery } from '../../features/membership/membership.api.ts';
import { PricingSection } from '../../features/payments/pricing-section.tsx';
import { MemberHome } from './member/member-home.tsx';

const pathAfterSignIn = '/strategies';
const statusesWithSubscription: readonly string[] = ['active', 'pending', 'grace', 'suspended'];

/** `/landing`, for visitors and members. */
export const LandingPage = (): JSX.Element => {
  const { data: user } = useCurrentUserQuery();
  const { data: config } = useClientConfigQuery();
  const { data: tier } = useMemberTierQuery(undefined, { skip: !user });
  const member = tier && {
    tier: tier.tier,
    hasSubscription: statusesWithSubscription.includes(tier.status),
  };
  return (
    <Landing
      signIn={signInHref(pathAfterSignIn)}
      oneClick={(user ? [] : (config?.signInHints ?? [])).map(({ label, email }) => ({
        label,
        email,
        href: signInHref(pathAfterSignIn, email),
      }))}
    >
      <PricingSection
        offers={config?.plans ?? []}
        member={user ? (member ?? { tier: '', hasSubscription: false }) : null}
      />
    </Landing>
  );
};

/** `/`: the landing page for visitors, the dashboard for members. */
export const HomePage = (): JSX.Element => {
  const [query] = useSearchParams();
  const { hash } = useLocation();
  const { data: user, isLoading } = useCurrentUserQuery();
  const needsSignIn = user === null && query.has('section');
  useEffect(() => {
    if (needsSignIn) signInAgain();
  }, [needsSignIn]);
  if (user && hash === '#pricing') return <Navigate to="/landing#pricing" replace />;
  if (user) return <MemberHome user={user} />;
  if (isLoading) return <main id="main" aria-busy="true" />;
  return <LandingPage />;
};
