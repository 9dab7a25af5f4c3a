import type { MemberTier } from '@tapedeck/membership/contract';
import type { JSX, ReactNode } from 'react';
import { site } from '../../api/site.ts';
import { formatDay } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { detailsOf } from '../../api/problem-text.ts';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { graceText, membershipStateOf, type MembershipState } from './membership-state.ts';
import { TierBadge } from './tier-badge.tsx';

type Fact = readonly [name: string, value: string];

const dateFact = (name: string, date: string | null): readonly Fact[] =>
  date === null ? [] : [[name, formatDay(date)]];

const days = (count: number): string => (count === 1 ? '1 day' : `${count} days`);

const factsOf = (tier: MemberTier): readonly Fact[] => {
  switch (membershipStateOf(tier)) {
    case 'free':
      return [
        ['Parameters', 'Timeframe and 1'],
        ['Next Renewal', 'None'],
      ];
    case 'active':
      return [['Next Renewal', tier.renewalDate ? formatDay(tier.renewalDate) : 'None']];
    case 'ending':
      return dateFact('Access ends on', tier.endsAt);
    case 'grace':
      return tier.graceDaysLeft === null ? [] : [['Access left', days(tier.graceDaysLeft)]];
    case 'complimentary': {
      const until = tier.complimentary?.until ?? null;
      return [['Complimentary access', until ? `until ${formatDay(until)}` : 'without an end']];
    }
    case 'ended':
      return dateFact('Ended on', tier.endsAt);
    case 'processing':
    case 'suspended':
      return [];
  }
};

const GraceNotice = ({ tier }: Readonly<{ tier: MemberTier }>): JSX.Element => {
  const { problem, dates } = graceText(tier);
  return (
    <>
      <b>{problem}</b> {dates}
    </>
  );
};

const noticeOf = (state: MembershipState, tier: MemberTier): ReactNode => {
  switch (state) {
    case 'grace':
      return <GraceNotice tier={tier} />;
    case 'suspended':
      return (
        <>
          <b>Access has stopped because a payment is missing.</b> It returns as soon as the payment goes
          through.
        </>
      );
    case 'ended':
      return (
        <>
          <b>Your membership has ended.</b> Your favorites and your profile are still here.
        </>
      );
    case 'ending':
      return (
        <>
          <b>Your subscription is cancelled.</b> You keep {tier.tier} until {formatDay(tier.endsAt)}.
        </>
      );
    case 'processing':
    case 'free':
    case 'active':
    case 'complimentary':
      return null;
  }
};

const OtherAddress = ({ billing, account }: Readonly<{ billing: string; account: string }>): JSX.Element => (
  <div className="notice notice--warn">
    <Icon name="mail" />
    <div>
      <b>Billing uses another address.</b> Receipts are sent to {billing}; you sign in with {account}.
    </div>
  </div>
);

const Body = ({ tier, accountEmail }: Readonly<{ tier: MemberTier; accountEmail: string }>): JSX.Element => {
  const state = membershipStateOf(tier);
  const notice = noticeOf(state, tier);
  const facts = factsOf(tier);
  const billing = tier.stripeCustomerEmail;
  return (
    <>
      {state === 'processing' && (
        <p role="status">Processing: your payment is on its way, and this card updates automatically.</p>
      )}
      {notice && (
        <div className="notice notice--warn">
          <Icon name="warn" />
          <div>{notice}</div>
        </div>
      )}
      {billing && billing.toLowerCase() !== accountEmail.toLowerCase() && (
        <OtherAddress billing={billing} account={accountEmail} />
      )}
      {facts.length > 0 && (
        <dl className="facts">
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
};

const None = (
  <>
    <p>No membership found. Contact support for assistance</p>
    <a className="btn" href={`mailto:${site.supportEmail}`}>
      <Icon name="mail" />
      Write to support
    </a>
  </>
);

const isMissing = (error: object | undefined): boolean =>
  error !== undefined && 'status' in error && error.status === 404;

export type MembershipCardProps = Readonly<{
  tier: MemberTier | undefined;
  /** Why there is no answer. */
  error: object | undefined;
  isFetching: boolean;
  accountEmail: string;
  onRetry: () => void;
  /** Price, buttons: what the page can do about it. */
  children?: ReactNode;
}>;

/** Tier, status and what it means for the member's access. */
export const MembershipCard = (props: MembershipCardProps): JSX.Element => {
  const { tier, error, isFetching, accountEmail, onRetry, children } = props;
  const isLoading = !tier && !error && isFetching;
  return (
    <section className="card" aria-labelledby="membership-title" aria-busy={isLoading}>
      <div className="card-head">
        <h2 id="membership-title">Membership</h2>
        {tier && <TierBadge tier={tier.tier} />}
        {tier && (
          <span className={`badge push ${tier.active ? 'badge--ok' : 'badge--danger'}`}>
            {tier.active ? 'Active' : 'Inactive'}
          </span>
        )}
      </div>
      <div className="card-pad stack">
        {isLoading && <span className="skeleton card-skeleton" />}
        {!tier && isMissing(error) && None}
        {!tier && error && !isMissing(error) && (
          <RetryNotice
            text="Your membership could not be loaded."
            details={detailsOf(error)}
            isRetrying={isFetching}
            onRetry={onRetry}
          />
        )}
        {tier && <Body tier={tier} accountEmail={accountEmail} />}
        {tier && children}
      </div>
    </section>
  );
};
