import type { Billing } from '@tapedeck/payments/contract';
import type { JSX } from 'react';
import { formatDay, formatMoney } from '../../ui/format.ts';

/** The payments and what was refunded of them. */
export const PaymentsCard = ({ payments }: Readonly<{ payments: Billing['payments'] }>): JSX.Element => (
  <section className="card" aria-labelledby="payments-title">
    <div className="card-head">
      <h2 id="payments-title">Payments</h2>
    </div>
    <div className="card-pad">
      {payments.length === 0 && <p className="meta">You have not paid anything yet.</p>}
      <ul className="lines">
        {payments.map(({ invoiceId, at, amount, refunded, currency, text }) => (
          <li key={invoiceId}>
            <span>
              {text}
              <br />
              <time className="meta" dateTime={at}>
                {formatDay(at)}
              </time>
            </span>
            <span className="push">
              {formatMoney(amount, currency)}
              {refunded > 0 && <span className="meta"> ({formatMoney(refunded, currency)} refunded)</span>}
            </span>
          </li>
        ))}
      </ul>
    </div>
  </section>
);
