import type { Billing } from '@tapedeck/payments/contract';
import { useState, type JSX } from 'react';
import { formatDay, formatMoney } from '../../ui/format.ts';
import { CancelDialog } from './cancel-dialog.tsx';

type Other = Billing['others'][number];

export type OtherSubscriptionsProps = Readonly<{ others: readonly Other[] }>;

const per = { monthly: 'a month', annual: 'a year' } as const;

const stateText = ({ endsAt, isPaidByAnother }: Other): string => {
  if (endsAt !== null) return `ends on ${formatDay(endsAt)}`;
  return isPaidByAnother ? 'paid by somebody else, renews' : 'renews';
};

/** Further subscriptions of the member, each of which costs something until it is cancelled. */
export const OtherSubscriptions = ({ others }: OtherSubscriptionsProps): JSX.Element | null => {
  const [cancelled, setCancelled] = useState<Other | null>(null);
  if (others.length === 0) return null;
  return (
    <section aria-labelledby="others-title">
      <h3 id="others-title">Other subscriptions</h3>
      <p className="meta">Each of them is charged on its own. You have the highest plan among them.</p>
      <ul className="lines">
        {others.map((other) => (
          <li key={other.subscriptionId}>
            <span>
              {other.tier}, {other.period}, {formatMoney(other.amount, other.currency)} {per[other.period]}
              <br />
              <span className="meta">
                since {formatDay(other.startedAt)}, {stateText(other)}
              </span>
            </span>
            {other.endsAt === null && (
              <button
                className="btn btn--sm btn--danger push"
                type="button"
                aria-label={`Cancel ${other.tier}, ${other.period}, since ${formatDay(other.startedAt)}`}
                onClick={() => setCancelled(other)}
              >
                Cancel
              </button>
            )}
          </li>
        ))}
      </ul>
      <CancelDialog
        isOpen={cancelled !== null}
        tier={cancelled?.tier ?? ''}
        until={cancelled?.paidUntil ? formatDay(cancelled.paidUntil) : 'the end of the paid period'}
        subscriptionId={cancelled?.subscriptionId}
        onClose={() => setCancelled(null)}
      />
    </section>
  );
};
