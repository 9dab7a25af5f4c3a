import type { CurrentUser } from '@tapedeck/identity/contract';
import type { MemberTier } from '@tapedeck/membership/contract';
import { popularTier } from '@tapedeck/plans/contract';
import type { JSX } from 'react';
import { Link } from 'react-router-dom';
import { useClientConfigQuery } from '../../../api/config.api.ts';
import { pricingPath } from '../../../api/site.ts';
import { MembershipCard } from '../../../features/membership/membership-card.tsx';
import { membershipStateOf } from '../../../features/membership/membership-state.ts';
import { BillingPortalButton, DueButton } from '../../../features/payments/billing-details.tsx';
import type { Subscription } from '../../../features/payments/billing-facts.ts';
import { shownPrice, type PlanOffers } from '../../../features/payments/plans.ts';
import { useCheckout } from '../../../features/payments/use-checkout.ts';
import { ActionButton } from '../../../ui/action-button.tsx';
import { useMemberBilling } from './use-member-billing.ts';

const upgrade = { tier: popularTier, period: 'monthly' } as const;

/** Of the sentence that says why nothing can be bought. */
const refusalId = 'upgrade-refusal';

type UpgradeButtonProps = Readonly<{ offers: PlanOffers; refusal: string | null }>;

const UpgradeButton = ({ offers, refusal }: UpgradeButtonProps): JSX.Element => {
  const { pending, start } = useCheckout();
  const price = shownPrice(upgrade, offers);
  return (
    <>
      <div className="row">
        <ActionButton
          className="btn btn--primary"
          type="button"
          isBusy={pending !== null}
          disabled={!price || refusal !== null}
          aria-describedby={refusal === null ? undefined : refusalId}
          onClick={() => void start(upgrade)}
        >
          {pending ? 'Processing...' : `Upgrade to ${upgrade.tier}`}
        </ActionButton>
        <a className="btn btn--quiet" href={pricingPath}>
          Compare plans
        </a>
      </div>
      {refusal !== null && (
        <p className="notice notice--warn" id={refusalId}>
          {refusal}
        </p>
      )}
      {price && refusal === null && (
        <p className="hint">
          {price.button}. {price.renewal}
        </p>
      )}
    </>
  );
};

/** Support and admins use every feature, whatever their plan. */
export const includedByRole = 'Your role includes every feature of every plan.';

/** Whether the card asks for something: then it has the page's primary button. */
export const isAskedFor = (tier: MemberTier | undefined, isStaff: boolean): boolean => {
  if (!tier) return false;
  const state = membershipStateOf(tier);
  if (state === 'free' || state === 'ended') return !isStaff;
  return state === 'grace' || state === 'suspended';
};

type ActionProps = Readonly<{
  tier: MemberTier;
  isStaff: boolean;
  /** Null while it is not known. */
  subscription: Subscription | null;
  /** What this account would be charged. */
  offers: PlanOffers;
  /** Why it may not buy; null when it may. */
  refusal: string | null;
  portalUrl: string;
}>;

const MembershipAction = (props: ActionProps): JSX.Element | null => {
  const { tier, isStaff, subscription, offers, refusal, portalUrl } = props;
  const state = membershipStateOf(tier);
  switch (state) {
    case 'free':
    case 'ended':
      if (isStaff) return <p className="meta">{includedByRole}</p>;
      if (state === 'free') return <UpgradeButton offers={offers} refusal={refusal} />;
      return (
        <a className="btn btn--primary" href={pricingPath}>
          Choose a plan
        </a>
      );
    case 'grace':
    case 'suspended':
      return subscription ? (
        <DueButton subscription={subscription} portalUrl={portalUrl} />
      ) : (
        <BillingPortalButton fallbackUrl={portalUrl} isPrimary label="Fix the payment" />
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

export type DashboardMembershipProps = Readonly<{ user: CurrentUser; isStaff: boolean }>;

export const DashboardMembership = ({ user, isStaff }: DashboardMembershipProps): JSX.Element => {
  const { tier, billing } = useMemberBilling();
  const { data: config } = useClientConfigQuery();
  return (
    <MembershipCard
      tier={tier.data}
      error={tier.error}
      isFetching={tier.isFetching}
      accountEmail={user.email}
      onRetry={() => void tier.refetch()}
    >
      {tier.data && (
        <MembershipAction
          tier={tier.data}
          isStaff={isStaff}
          subscription={billing.data?.subscription ?? null}
          offers={billing.data?.offers ?? []}
          refusal={billing.data?.purchaseRefusal?.message ?? null}
          portalUrl={config?.billingPortalUrl ?? ''}
        />
      )}
    </MembershipCard>
  );
};
