import type { JSX, ReactNode } from 'react';
import { pricingPath, site } from '../../api/site.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { formatDay } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { changeTexts, showOutcome } from './billing-actions.ts';
import { announcedText, isCardExpiring, type Subscription } from './billing-facts.ts';
import { PaymentPageButton } from './payment-page-button.tsx';
import { useKeepPlanMutation } from './payments.api.ts';
import { useScreenFollows } from './use-screen-follows.ts';

const Warning = ({ children }: Readonly<{ children: ReactNode }>): JSX.Element => (
  <div className="notice notice--warn">
    <Icon name="warn" />
    <div>{children}</div>
  </div>
);

type ScheduledPlanProps = Readonly<{
  subscriptionId: string;
  plan: NonNullable<Subscription['scheduledPlan']>;
}>;

/** A plan that starts later, with its undo. */
const ScheduledPlan = ({ subscriptionId, plan }: ScheduledPlanProps): JSX.Element => {
  const [keepPlan, { isLoading }] = useKeepPlanMutation();
  const { isFollowing, follow } = useScreenFollows();
  const keep = async (): Promise<void> => {
    const { data, error } = await keepPlan({ subscriptionId });
    await follow();
    showOutcome({ data, error }, { ...changeTexts, done: 'Plan Kept' });
  };
  return (
    <div className="notice">
      <div>
        Your plan changes to {plan.tier}, {plan.period}, on {formatDay(plan.at)}.
        <div className="row">
          <ActionButton
            className="btn btn--sm"
            type="button"
            isBusy={isLoading || isFollowing}
            onClick={() => void keep()}
          >
            {isLoading || isFollowing ? 'Processing...' : 'Keep my current plan'}
          </ActionButton>
        </div>
      </div>
    </div>
  );
};

type OfSubscription = Readonly<{ subscription: Subscription }>;

/** A change that was refused, and an upgrade that is not paid: the same invoice may be behind both. */
const UnpaidChange = ({ subscription }: OfSubscription): JSX.Element => {
  const { subscriptionId, refused, pendingPlan } = subscription;
  return (
    <>
      {refused && (
        <Warning>
          {refused.message}
          {refused.fixUrl && (
            <div className="row">
              <a className="btn btn--sm" href={refused.fixUrl}>
                Fix the payment
              </a>
            </div>
          )}
        </Warning>
      )}
      {pendingPlan && (
        <Warning>
          The change to {pendingPlan.tier}, {pendingPlan.period}, waits for its payment until{' '}
          {formatDay(pendingPlan.expiresAt)}.
          {!refused?.fixUrl && (
            <div className="row">
              <PaymentPageButton subscriptionId={subscriptionId} label="Pay it now" isSmall />
            </div>
          )}
        </Warning>
      )}
    </>
  );
};

/** What is under way, what is wrong, and what will change by itself. */
export const BillingNotices = ({ subscription }: OfSubscription): JSX.Element => {
  const { subscriptionId, processing, scheduledPlan, endsAt } = subscription;
  const announced = announcedText(subscription);
  return (
    <>
      {processing && (
        <div className="notice" role="status">
          <Icon name="refresh" />
          <div>{processing} This page updates automatically.</div>
        </div>
      )}
      <UnpaidChange subscription={subscription} />
      {subscription.isDue && endsAt && (
        <Warning>
          Your subscription is cancelled and ends on {formatDay(endsAt)}. Until then the unpaid invoice may
          still be charged.
        </Warning>
      )}
      {subscription.isDisputed && (
        <Warning>
          A payment is disputed at your bank: until the dispute is closed you can cancel or change to a lower
          plan, but nothing new can be bought. If it is a mistake, withdraw the dispute at your bank, or write
          to <a href={`mailto:${site.billingEmail}`}>{site.billingEmail}</a>.
        </Warning>
      )}
      {isCardExpiring(subscription) && (
        <Warning>Your card expires before the next charge. Enter a new one in the billing portal.</Warning>
      )}
      {subscription.isPaidByAnother && (
        <div className="notice">
          <div>
            <p>
              This plan is charged to the card with which it was bought. That card and its pages at the
              payment provider belong to the person who paid: for a card of your own or a higher plan,{' '}
              <a href={pricingPath}>buy one yourself</a>, and this one ends with its period.
            </p>
          </div>
        </div>
      )}
      {announced !== undefined && (
        <div className="notice">
          <div>{announced} You can cancel until then.</div>
        </div>
      )}
      {scheduledPlan && <ScheduledPlan subscriptionId={subscriptionId} plan={scheduledPlan} />}
    </>
  );
};
