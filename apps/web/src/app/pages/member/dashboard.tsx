import type { CurrentUser } from '@tapedeck/identity/contract';
import type { MemberTier } from '@tapedeck/membership/contract';
import { popularTier } from '@tapedeck/plans/contract';
import type { JSX } from 'react';
import { Link } from 'react-router-dom';
import { useClientConfigQuery } from '../../../api/config.api.ts';
import { pricingPath, site } from '../../../api/site.ts';
import { FavouritesCard } from '../../../features/favourites/favourites-card.tsx';
import { useAdminStatusQuery } from '../../../features/identity/identity.api.ts';
import { greetingName } from '../../../features/identity/names.ts';
import { MembershipCard } from '../../../features/membership/membership-card.tsx';
import { membershipStateOf } from '../../../features/membership/membership-state.ts';
import { BillingPortalButton } from '../../../features/payments/billing-details.tsx';
import { shownPrice, type PlanOffers } from '../../../features/payments/plans.ts';
import { useCheckout } from '../../../features/payments/use-checkout.ts';
import { Icon } from '../../../ui/icon.tsx';
import { AdminPanel } from './admin-panel.tsx';
import { useMemberBilling } from './use-member-billing.ts';

const upgrade = { tier: popularTier, period: 'monthly' } as const;

const UpgradeButton = ({ offers }: Readonly<{ offers: PlanOffers }>): JSX.Element => {
  const { pending, start } = useCheckout();
  const price = shownPrice(upgrade, offers);
  return (
    <>
      <div className="row">
        <button
          className="btn btn--primary"
          type="button"
          disabled={pending !== null || !price}
          onClick={() => void start(upgrade)}
        >
          {pending ? 'Processing...' : `Upgrade to ${upgrade.tier}`}
        </button>
        <a className="btn btn--quiet" href={pricingPath}>
          Compare plans
        </a>
      </div>
      {price && (
        <p className="hint">
          {price.button}. {price.renewal}
        </p>
      )}
    </>
  );
};

type ActionProps = Readonly<{ tier: MemberTier; offers: PlanOffers; portalUrl: string }>;

const MembershipAction = ({ tier, offers, portalUrl }: ActionProps): JSX.Element | null => {
  switch (membershipStateOf(tier)) {
    case 'free':
      return <UpgradeButton offers={offers} />;
    case 'grace':
    case 'suspended':
      return <BillingPortalButton fallbackUrl={portalUrl} isPrimary label="Fix the payment" />;
    case 'ended':
      return (
        <a className="btn btn--primary" href={pricingPath}>
          Choose a plan
        </a>
      );
    case 'active':
    case 'ending':
      return (
        <Link className="btn" to="/?section=my-account">
          Manage in My Account
        </Link>
      );
    case 'processing':
    case 'complimentary':
      return null;
  }
};

const Membership = ({ user }: Readonly<{ user: CurrentUser }>): JSX.Element => {
  const { tier } = useMemberBilling();
  const { data: config } = useClientConfigQuery();
  return (
    <MembershipCard
      tier={tier.data}
      isError={tier.isError}
      isFetching={tier.isFetching}
      accountEmail={user.email}
      onRetry={() => void tier.refetch()}
    >
      {tier.data && (
        <MembershipAction
          tier={tier.data}
          offers={config?.plans ?? []}
          portalUrl={config?.billingPortalUrl ?? ''}
        />
      )}
    </MembershipCard>
  );
};

const steps = (texts: readonly string[]): JSX.Element => (
  <ol className="steps">
    {texts.map((text) => (
      <li key={text}>
        <span>{text}</span>
      </li>
    ))}
  </ol>
);

const ExplorerCard = (): JSX.Element => (
  <section className="card" aria-labelledby="explorer-card-title">
    <div className="card-head">
      <h2 id="explorer-card-title">Strategy Explorer</h2>
      <span className="badge badge--accent">New</span>
    </div>
    <div className="card-pad stack">
      {steps([
        'Set the figures you can live with: drawdown first.',
        'Watch the bars answer while you drag.',
        'Star what holds up, compare up to four.',
      ])}
      <Link className="btn btn--primary" to="/?section=strategy-explorer">
        Explore Strategies
      </Link>
    </div>
  </section>
);

const OptimizerCard = (): JSX.Element => (
  <section className="card" aria-labelledby="optimizer-card-title">
    <div className="card-head">
      <h2 id="optimizer-card-title">Strategy Optimizer</h2>
      <span className="badge badge--ok">Available</span>
    </div>
    <div className="card-pad stack">
      {steps(['Install the extension.', 'Open a strategy on a chart.', 'Start the optimization.'])}
      <div className="row">
        <Link className="btn" to="/?section=strategy-optimizer">
          Get Extension
        </Link>
        <a className="btn btn--quiet" href={site.guideUrl} target="_blank" rel="noreferrer">
          View Guide
          <Icon name="external" small />
        </a>
      </div>
    </div>
  </section>
);

const CommunityCard = (): JSX.Element => (
  <section className="card" aria-labelledby="community-card-title">
    <div className="card-head">
      <h2 id="community-card-title">Community</h2>
    </div>
    <div className="card-pad stack">
      <ul className="feats">
        {[
          'Settings that others have tried, with the runs',
          'Answers from the people who wrote the extension',
          'A channel for each market',
        ].map((benefit) => (
          <li key={benefit}>
            <Icon name="check" small />
            {benefit}
          </li>
        ))}
      </ul>
      <a className="btn" href={site.chatServerUrl} target="_blank" rel="noreferrer">
        Join the chat server
        <Icon name="external" small />
      </a>
    </div>
  </section>
);

/** The section `dashboard`. */
export const Dashboard = ({ user }: Readonly<{ user: CurrentUser }>): JSX.Element => {
  const { data: { isAdmin } = { isAdmin: false } } = useAdminStatusQuery();
  return (
    <main className="wrap member-page" id="main">
      <div className="member-head">
        <h1>Welcome back, {greetingName(user)}</h1>
        <a className="btn" href={site.chatServerUrl} target="_blank" rel="noreferrer">
          <Icon name="chat" />
          Join the community
        </a>
      </div>
      <div className="member-grid">
        <FavouritesCard />
        <Membership user={user} />
        <ExplorerCard />
        <OptimizerCard />
        <CommunityCard />
      </div>
      {isAdmin && <AdminPanel />}
    </main>
  );
};
