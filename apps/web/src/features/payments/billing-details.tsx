import { useState, type JSX } from 'react';
import { ActionButton } from '../../ui/action-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useBillingPortal } from './billing-actions.ts';
import { billingFacts, type Subscription, type Terms } from './billing-facts.ts';
import { BillingNotices } from './billing-notices.tsx';
import { CancelDialog } from './cancel-dialog.tsx';
import { ChangePlanDialog } from './change-plan-dialog.tsx';
import { PaymentPageButton } from './payment-page-button.tsx';
import type { PlanOffers } from './plans.ts';
import { ResumeButton } from './resume-button.tsx';
import { useKeptFocus } from './use-kept-focus.ts';

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

type DueButtonProps = Readonly<{ subscription: Subscription; portalUrl: string }>;

/** What a member whose renewal is unpaid can do about it. */
export const DueButton = ({ subscription, portalUrl }: DueButtonProps): JSX.Element => {
  const { subscriptionId, needsConfirmation, isPaidByAnother } = subscription;
  if (needsConfirmation)
    return <PaymentPageButton subscriptionId={subscriptionId} label="Confirm the payment" />;
  if (isPaidByAnother) return <PaymentPageButton subscriptionId={subscriptionId} label="Pay the invoice" />;
  return <BillingPortalButton fallbackUrl={portalUrl} isPrimary label="Fix the payment" />;
};

export type BillingDetailsProps = Readonly<{
  subscription: Subscription;
  /** The other subscriptions of the account. */
  others: readonly Terms[];
  offers: PlanOffers;
  portalUrl: string;
  /** How long access lasts while the renewal is unpaid; null where that is not known. */
  graceUntil: string | null;
}>;

/** What is paid, when and with what; and everything that can be changed about it. */
export const BillingDetails = (props: BillingDetailsProps): JSX.Element => {
  const { subscription, others, offers, portalUrl, graceUntil } = props;
  const [opened, setOpened] = useState<'cancel' | 'change' | null>(null);
  const { subscriptionId, tier, period, endsAt, isPaidByAnother, isDue } = subscription;
  const isBusy = subscription.processing !== null;
  const buttons = useKeptFocus(endsAt, opened !== null);
  const close = (): void => setOpened(null);
  return (
    <>
      <BillingNotices subscription={subscription} />
      <dl className="facts">
        {billingFacts(subscription).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className="row" ref={buttons}>
        {isDue && <DueButton subscription={subscription} portalUrl={portalUrl} />}
        {endsAt && (
          <ResumeButton subscriptionId={subscriptionId} className={isDue ? 'btn' : 'btn btn--primary'} />
        )}
        {/* Another plan can be chosen once this one is paid. */}
        {!endsAt && !isDue && (
          <ActionButton className="btn" type="button" isBusy={isBusy} onClick={() => setOpened('change')}>
            Change plan
          </ActionButton>
        )}
        {!isDue && !isPaidByAnother && <BillingPortalButton fallbackUrl={portalUrl} />}
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
        subscription={subscription}
        others={others}
        graceUntil={graceUntil}
        onClose={close}
      />
      <ChangePlanDialog
        isOpen={opened === 'change'}
        current={{ tier, period }}
        offers={offers}
        isDisputed={subscription.isDisputed}
        addsTaxes={subscription.addsTaxes}
        onClose={close}
      />
    </>
  );
};
