import type { Billing } from '@tapedeck/payments/contract';
import { useState, type JSX } from 'react';
import { formatDay } from '../../ui/format.ts';
import { announcedText, subscriptionPrice, type Terms } from './billing-facts.ts';
import { CancelDialog } from './cancel-dialog.tsx';
import { PaymentPageButton } from './payment-page-button.tsx';
import { ResumeButton } from './resume-button.tsx';
import { renewalText } from './subscription-texts.ts';
import { useKeptFocus } from './use-kept-focus.ts';

type Other = Billing['others'][number];

type OtherRowProps = Readonly<{ other: Other; remaining: readonly Terms[] }>;

const OtherRow = ({ other, remaining }: OtherRowProps): JSX.Element => {
  const [isCancelling, setIsCancelling] = useState(false);
  const { subscriptionId, tier, period, endsAt, isDue } = other;
  const buttons = useKeptFocus(endsAt, isCancelling);
  const since = formatDay(other.startedAt);
  const name = `${tier}, ${period}, since ${since}`;
  const announced = announcedText(other, 'This subscription');
  return (
    <li>
      <span>
        {tier}, {period}, {subscriptionPrice(other)}
        <br />
        <span className="meta">
          since {since}, {renewalText(other)}
        </span>
        {announced !== undefined && (
          <>
            <br />
            <span className="meta">{announced}</span>
          </>
        )}
      </span>
      <div className="row push" ref={buttons}>
        {isDue && (
          <PaymentPageButton
            subscriptionId={subscriptionId}
            label="Pay the invoice"
            name={`Pay the invoice of ${name}`}
            isSmall
          />
        )}
        {endsAt === null ? (
          <button
            className="btn btn--sm btn--danger"
            type="button"
            aria-label={`Cancel ${name}`}
            onClick={() => setIsCancelling(true)}
          >
            Cancel
          </button>
        ) : (
          <ResumeButton
            subscriptionId={subscriptionId}
            className="btn btn--sm"
            name={`Undo the cancellation of ${name}`}
          />
        )}
      </div>
      <CancelDialog
        isOpen={isCancelling}
        subscription={other}
        others={remaining}
        graceUntil={null}
        onClose={() => setIsCancelling(false)}
      />
    </li>
  );
};

export type OtherSubscriptionsProps = Readonly<{
  /** The one that is shown in full. */
  subscription: Terms | null;
  others: readonly Other[];
}>;

/** Further subscriptions of the member, each of which costs something until it is cancelled. */
export const OtherSubscriptions = ({ subscription, others }: OtherSubscriptionsProps): JSX.Element | null => {
  if (others.length === 0) return null;
  const all = subscription ? [subscription, ...others] : others;
  return (
    <section aria-labelledby="others-title">
      <h3 id="others-title">Other subscriptions</h3>
      <p className="meta">Each of them is charged on its own. You have the highest plan among them.</p>
      <ul className="lines">
        {others.map((other) => (
          <OtherRow
            key={other.subscriptionId}
            other={other}
            remaining={all.filter(({ subscriptionId }) => subscriptionId !== other.subscriptionId)}
          />
        ))}
      </ul>
    </section>
  );
};
