import type { Billing } from '@tapedeck/payments/contract';
import type { JSX } from 'react';
import { formatDay, formatMoney } from '../../ui/format.ts';
import { BillingPortalButton } from './billing-details.tsx';
import { InvoiceLinks } from './invoice-links.tsx';
import { badges, paymentRows, type PaymentRow } from './payment-rows.ts';

const Row = ({ row }: Readonly<{ row: PaymentRow }>): JSX.Element => {
  const { text, look } = badges[row.state];
  return (
    <li>
      <span>
        {row.text}
        <br />
        <time className="meta" dateTime={row.at}>
          {formatDay(row.at)}
        </time>
        {row.failure && (
          <>
            <br />
            <span className="meta">{row.failure}</span>
          </>
        )}
      </span>
      <span className="push payment-state">
        <span className={`badge badge--${look}`}>{text}</span>
        {row.amount !== null && <span>{formatMoney(row.amount, row.currency)}</span>}
        {row.refunded > 0 && (
          <span className="meta">({formatMoney(row.refunded, row.currency)} refunded)</span>
        )}
      </span>
      {row.invoiceId && (
        <InvoiceLinks invoiceId={row.invoiceId} label={`${row.text}, ${formatDay(row.at)}`} />
      )}
    </li>
  );
};

type PaymentsCardProps = Readonly<{ billing: Billing; portalUrl: string }>;

/** The payments, what became of each, their invoices, and the attempts that have failed. */
export const PaymentsCard = ({ billing, portalUrl }: PaymentsCardProps): JSX.Element => {
  const rows = paymentRows(billing);
  const { subscription, hasPortal } = billing;
  // A subscription that the account pays has a button of its own.
  const isPortalHere = hasPortal && (subscription === null || subscription.isPaidByAnother);
  return (
    <section className="card" aria-labelledby="payments-title">
      <div className="card-head">
        <h2 id="payments-title">Payments</h2>
        {isPortalHere && (
          <span className="push">
            <BillingPortalButton fallbackUrl={portalUrl} />
          </span>
        )}
      </div>
      <div className="card-pad">
        {rows.length === 0 && <p className="meta">You have not paid anything yet.</p>}
        <ul className="lines">
          {rows.map((row) => (
            <Row key={row.key} row={row} />
          ))}
        </ul>
      </div>
    </section>
  );
};
