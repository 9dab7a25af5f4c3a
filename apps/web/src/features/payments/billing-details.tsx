import { useEffect, useRef, useState, type JSX, type ReactNode, type RefObject } from 'react';
import { pricingPath } from '../../api/site.ts';
import { succeeded } from '../../api/succeeded.ts';
import { formatDay } from '../../ui/format.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { changeTexts, resumeTexts, showOutcome, useBillingPortal } from './billing-actions.ts';
import { announcedText, billingFacts, isCardExpiring, type Subscription } from './billing-facts.ts';
import { CancelDialog } from './cancel-dialog.tsx';
import { ChangePlanDialog } from './change-plan-dialog.tsx';
import {
  useKeepPlanMutation,
  useOpenPaymentPageMutation,
  useResumeSubscriptionMutation,
} from './payments.api.ts';
import type { PlanOffers } from './plans.ts';
import { useScreenFollows } from './use-screen-follows.ts';

const Warning = ({ children }: Readonly<{ children: ReactNode }>): JSX.Element => (
  <div className="notice notice--warn">
    <Icon name="warn" />
    <div>{children}</div>
  </div>
);

/** A plan that starts later, with its undo. */
const ScheduledPlan = ({
  plan,
}: Readonly<{ plan: NonNullable<Subscription['scheduledPlan']> }>): JSX.Element => {
  const [keepPlan, { isLoading }] = useKeepPlanMutation();
  const { isFollowing, follow } = useScreenFollows();
  const keep = async (): Promise<void> => {
    const { data, error } = await keepPlan();
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

const Notices = ({ subscription }: Readonly<{ subscription: Subscription }>): JSX.Element => {
  const { processing, refused, pendingPlan, scheduledPlan, isDisputed, isPaidByAnother } = subscription;
  const announced = announcedText(subscription);
  return (
    <>
      {processing && (
        <div className="notice" role="status">
          <Icon name="refresh" />
          <div>Processing: {processing}. This page updates automatically.</div>
        </div>
      )}
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
        </Warning>
      )}
      {isDisputed && (
        <Warning>
          A payment is disputed at your bank: until the dispute is closed you can cancel or change to a lower
          plan, but nothing new can be bought.
        </Warning>
      )}
      {isCardExpiring(subscription) && (
        <Warning>Your card expires before the next charge. Enter a new one in the billing portal.</Warning>
      )}
      {isPaidByAnother && (
        <div className="notice">
          <div>
            You claimed this plan with a code that was sent to the address of the purchase. Its card and its
            pages at the payment provider belong to the person who paid: for a higher plan,{' '}
            <a href={pricingPath}>buy one yourself</a>, and this one ends with its period.
          </div>
        </div>
      )}
      {announced !== undefined && (
        <div className="notice">
          <div>{announced} You can cancel until then.</div>
        </div>
      )}
      {scheduledPlan && <ScheduledPlan plan={scheduledPlan} />}
    </>
  );
};

const ResumeButton = ({ isPrimary }: Readonly<{ isPrimary: boolean }>): JSX.Element => {
  const [resume, { isLoading }] = useResumeSubscriptionMutation();
  const { isFollowing, follow } = useScreenFollows();
  const press = async (): Promise<void> => {
    const { data, error } = await resume();
    await follow();
    showOutcome({ data, error }, resumeTexts);
  };
  return (
    <ActionButton
      className={`btn ${isPrimary ? 'btn--primary' : ''}`}
      type="button"
      isBusy={isLoading || isFollowing}
      onClick={() => void press()}
    >
      {isLoading || isFollowing ? 'Processing...' : 'Undo the cancellation'}
    </ActionButton>
  );
};

export const BillingPortalButton = ({
  fallbackUrl,
  isPrimary = false,
  label = 'Billing Portal',
}: Readonly<{ fallbackUrl: string; isPrimary?: boolean; label?: string }>): JSX.Element => {
  const { isOpening, open } = useBillingPortal(fallbackUrl);
  return (
    <ActionButton
      className={`btn ${isPrimary ? 'btn--primary' : ''}`}
      type="button"
      isBusy={isOpening}
      onClick={() => void open()}
    >
      <Icon name="card" />
      {isOpening ? 'Opening...' : label}
    </ActionButton>
  );
};

/** Stripe's page of the open invoice, which takes any card. */
const PaymentPageButton = ({ label }: Readonly<{ label: string }>): JSX.Element => {
  const [openPage, { isLoading }] = useOpenPaymentPageMutation();
  const open = async (): Promise<void> => {
    const answer = await openPage();
    if (!succeeded(answer, 'The page could not be opened. Please try again.') || !answer.data) return;
    const { url } = answer.data;
    if (url !== null) return window.location.assign(url);
    showToast({ kind: 'ok', title: 'Nothing to pay', text: 'There is no unpaid invoice any more.' });
  };
  return (
    <ActionButton className="btn btn--primary" type="button" isBusy={isLoading} onClick={() => void open()}>
      <Icon name="card" />
      {isLoading ? 'Opening...' : label}
    </ActionButton>
  );
};

type DueButtonProps = Readonly<{ subscription: Subscription; portalUrl: string }>;

/** What a member whose renewal is unpaid can do about it. */
export const DueButton = ({ subscription, portalUrl }: DueButtonProps): JSX.Element => {
  if (subscription.needsConfirmation) return <PaymentPageButton label="Confirm the payment" />;
  if (subscription.isPaidByAnother) return <PaymentPageButton label="Pay the invoice" />;
  return <BillingPortalButton fallbackUrl={portalUrl} isPrimary label="Fix the payment" />;
};

/** A cancellation and its undo replace the button that was pressed: after the dialog the focus stays among the buttons. */
const useKeptFocus = (endsAt: string | null, isDialogOpen: boolean): RefObject<HTMLDivElement | null> => {
  const buttons = useRef<HTMLDivElement>(null);
  const shown = useRef(endsAt);
  useEffect(() => {
    if (isDialogOpen || shown.current === endsAt) return;
    shown.current = endsAt;
    if (document.activeElement === document.body) buttons.current?.querySelector('button')?.focus();
  }, [endsAt, isDialogOpen]);
  return buttons;
};

export type BillingDetailsProps = Readonly<{
  subscription: Subscription;
  offers: PlanOffers;
  portalUrl: string;
  /** The paid period ends then. */
  paidUntil: string | null;
}>;

/** What is paid, when and with what; and everything that can be changed about it. */
export const BillingDetails = (props: BillingDetailsProps): JSX.Element => {
  const { subscription, offers, portalUrl, paidUntil } = props;
  const [opened, setOpened] = useState<'cancel' | 'change' | null>(null);
  const { tier, period, endsAt, isPaidByAnother } = subscription;
  const isBusy = subscription.processing !== null;
  // Another plan can be chosen once this one is paid.
  const isPastDue = subscription.pastDueSince !== null;
  const buttons = useKeptFocus(endsAt, opened !== null);
  const close = (): void => setOpened(null);
  return (
    <>
      <Notices subscription={subscription} />
      <dl className="facts">
        {billingFacts(subscription).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className="row" ref={buttons}>
        {isPastDue && <DueButton subscription={subscription} portalUrl={portalUrl} />}
        {endsAt && <ResumeButton isPrimary={!isPastDue} />}
        {!endsAt && !isPastDue && (
          <ActionButton className="btn" type="button" isBusy={isBusy} onClick={() => setOpened('change')}>
            Change plan
          </ActionButton>
        )}
        {!isPastDue && !isPaidByAnother && <BillingPortalButton fallbackUrl={portalUrl} />}
        {!endsAt && (
          <ActionButton
            className="btn btn--danger"
            type="button"
            isBusy={isBusy}
            onClick={() => setOpened('cancel')}
          >
            Cancel subscription
          </ActionButton>
        )}
      </div>
      <CancelDialog
        isOpen={opened === 'cancel'}
        tier={tier}
        until={paidUntil ? formatDay(paidUntil) : 'the end of the paid period'}
        onClose={close}
      />
      <ChangePlanDialog
        isOpen={opened === 'change'}
        current={{ tier, period }}
        offers={offers}
        isDisputed={subscription.isDisputed}
        onClose={close}
      />
    </>
  );
};
