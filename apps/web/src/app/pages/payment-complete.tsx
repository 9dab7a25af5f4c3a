import type { PaymentVerification } from '@tapedeck/payments/contract';
import type { JSX } from 'react';
import { Link } from 'react-router-dom';
import { billingFacts, type Fact } from '../../features/payments/billing-facts.ts';
import { useBillingQuery } from '../../features/payments/payments.api.ts';
import { formatMoney } from '../../ui/format.ts';
import { MessagePage } from '../../ui/message-page.tsx';

/** Of the newest payment; Stripe may report it after the membership. */
const useFacts = (): readonly Fact[] => {
  const { data } = useBillingQuery(undefined, { refetchOnMountOrArgChange: true });
  if (!data?.subscription) return [];
  const [payment] = data.payments;
  const paid: readonly Fact[] = payment ? [['Paid', formatMoney(payment.amount, payment.currency)]] : [];
  return [...billingFacts(data.subscription), ...paid];
};

/** After a payment whose membership is active: what was bought, and where it goes on. */
export const PaymentComplete = ({
  verification,
}: Readonly<{ verification: PaymentVerification }>): JSX.Element => {
  const facts = useFacts();
  // It may have changed since it was bought.
  const tier = verification.grantedTier ?? verification.tier;
  return (
    <MessagePage title="Upgrade Complete!" text={`Welcome to ${tier}: your membership is active.`}>
      <section className="card card-pad payment-facts" aria-label="Your plan" aria-busy={facts.length === 0}>
        {facts.length === 0 && <span className="skeleton card-skeleton" />}
        <dl className="facts">
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </section>
      <p>Next: open the explorer, or install the extension from the dashboard.</p>
      <div className="row">
        <Link className="btn btn--primary" to="/">
          Go to Dashboard
        </Link>
        <Link className="btn btn--quiet" to="/?section=my-account">
          Payments and receipts
        </Link>
      </div>
    </MessagePage>
  );
};
