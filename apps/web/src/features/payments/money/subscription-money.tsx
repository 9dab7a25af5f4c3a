import type { MoneyPayment, MoneySubscription } from '@tapedeck/payments/contract';
import { useId, useState, type JSX } from 'react';
import { Link } from 'react-router-dom';
import { Dialog } from '../../../ui/dialog.tsx';
import { formatDay, formatMoney } from '../../../ui/format.ts';
import { EndForm, RefundForm, RetryForm, SimpleForm, TransferForm, type RenderPicker } from './choices.tsx';
import { phaseText, requestText } from './money-words.ts';

type WholeKind = MoneySubscription['actions'][number];

/** What is chosen to be done. */
type Opened =
  | Readonly<{ kind: WholeKind }>
  | Readonly<{ kind: 'refund'; payment: MoneyPayment }>
  | Readonly<{ kind: 'retry'; invoiceId: string }>;

type SubscriptionProps = Readonly<{
  accountId: string;
  subscription: MoneySubscription;
  renderPicker: RenderPicker;
}>;

type OpenedFormProps = SubscriptionProps & Readonly<{ opened: Opened; titleId: string; onClose: () => void }>;

const OpenedForm = (props: OpenedFormProps): JSX.Element => {
  const { opened, titleId, accountId, subscription, renderPicker, onClose } = props;
  const { subscriptionId, currency } = subscription;
  const form = { titleId, accountId, subscriptionId, onClose };
  switch (opened.kind) {
    case 'refund':
      return <RefundForm {...form} payment={opened.payment} currency={currency} />;
    case 'retry':
      return <RetryForm {...form} invoiceId={opened.invoiceId} />;
    case 'end':
      return <EndForm {...form} />;
    case 'transfer':
      return <TransferForm {...form} renderPicker={renderPicker} />;
    case 'cancel':
    case 'resume':
      return <SimpleForm {...form} kind={opened.kind} />;
    default:
      return opened satisfies never;
  }
};

const labels: Readonly<Record<WholeKind, string>> = {
  cancel: 'End with the period',
  resume: 'Resume',
  end: 'End now',
  transfer: 'Transfer',
};

const stateText = ({ endsAt, endedAt, paidUntil, phase }: MoneySubscription): string => {
  if (phase === 'ended') return endedAt === null ? 'has ended' : `ended ${formatDay(endedAt)}`;
  if (endsAt !== null) return `ends ${formatDay(endsAt)}`;
  return paidUntil === null ? 'not paid yet' : `renews, paid until ${formatDay(paidUntil)}`;
};

type OnOpen = Readonly<{ onOpen: (opened: Opened) => void }>;

const Head = ({
  subscription,
  titleId,
  onOpen,
}: Pick<SubscriptionProps, 'subscription'> & OnOpen & Readonly<{ titleId: string }>): JSX.Element => {
  const { tier, period, amount, currency, phase, isDisputed, isReturned, actions } = subscription;
  const name = `${tier ?? 'Another price'}${period === null ? '' : ` (${period})`}`;
  return (
    <div className="money-head">
      <div>
        <h3 id={titleId}>
          {name}, {formatMoney(amount, currency)}
        </h3>
        <p className="meta row-more">
          <span>{stateText(subscription)}</span>
          <a className="mono external" href={subscription.stripeUrl} target="_blank" rel="noreferrer">
            {subscription.subscriptionId}
          </a>
        </p>
        <div className="row">
          <span className={phase === 'active' ? 'badge badge--ok' : 'badge badge--plain'}>
            {phaseText(phase)}
          </span>
          {isDisputed && <span className="badge badge--danger">disputed</span>}
          {isReturned && <span className="badge badge--plain">given back as a whole</span>}
        </div>
      </div>
      <div className="row money-actions">
        {actions.map((kind) => (
          <button
            key={kind}
            className={kind === 'end' ? 'btn btn--sm btn--danger' : 'btn btn--sm'}
            type="button"
            onClick={() => onOpen({ kind })}
          >
            {labels[kind]}
          </button>
        ))}
      </div>
    </div>
  );
};

type PaymentProps = OnOpen & Readonly<{ payment: MoneyPayment; currency: string }>;

const Payment = ({ payment, currency, onOpen }: PaymentProps): JSX.Element => {
  const { stripeUrl, invoiceId, paidAt, amount, refunded, refundable, isDisputed, text } = payment;
  return (
    <li>
      <div className="row-head">
        <b>{formatMoney(amount, currency)}</b>
        <span>{text}</span>
        {refunded > 0 && (
          <span className="badge badge--plain">{formatMoney(refunded, currency)} refunded</span>
        )}
        {isDisputed && <span className="badge badge--danger">disputed</span>}
        {refundable > 0 && (
          <button
            className="btn btn--sm push"
            type="button"
            aria-label={`Refund the payment of ${formatMoney(amount, currency)} of ${formatDay(paidAt)}`}
            onClick={() => onOpen({ kind: 'refund', payment })}
          >
            Refund
          </button>
        )}
      </div>
      <p className="meta row-more">
        <time dateTime={paidAt}>{formatDay(paidAt)}</time>
        <a className="mono external" href={stripeUrl} target="_blank" rel="noreferrer">
          {invoiceId}
        </a>
      </p>
    </li>
  );
};

type Invoice = MoneySubscription['openInvoices'][number];

/** Of a card that is suspected of fraud, say, the member reads less than the code says. */
const DeclineReason = ({ declineCode, reason }: Pick<Invoice, 'declineCode' | 'reason'>): JSX.Element => (
  <p className="meta">
    {declineCode === null ? (
      'Stripe gave no code.'
    ) : (
      <>
        Stripe’s code: <span className="mono">{declineCode}</span>.
      </>
    )}{' '}
    The member reads: {reason}.
  </p>
);

type OpenInvoiceProps = OnOpen & Readonly<{ invoice: Invoice; currency: string }>;

const OpenInvoice = ({ invoice, currency, onOpen }: OpenInvoiceProps): JSX.Element => {
  const { invoiceId, stripeUrl, amount, attempt, failedAt, nextAttemptAt, isTrying } = invoice;
  return (
    <li>
      <div className="row-head">
        <b>A payment{amount === null ? '' : ` of ${formatMoney(amount, currency)}`} has failed</b>
        <span className="badge badge--danger">attempt {attempt}</span>
        {isTrying ? (
          <span className="meta push">It is being tried.</span>
        ) : (
          <button
            className="btn btn--sm push"
            type="button"
            aria-label={`Charge again: the failed payment of ${formatDay(failedAt)}`}
            onClick={() => onOpen({ kind: 'retry', invoiceId })}
          >
            Charge again
          </button>
        )}
      </div>
      <DeclineReason {...invoice} />
      <p className="meta row-more">
        <span>Failed {formatDay(failedAt)}</span>
        <span>
          {nextAttemptAt === null
            ? 'Stripe does not try it again'
            : `Stripe tries it again on ${formatDay(nextAttemptAt)}`}
        </span>
        <a className="mono external" href={stripeUrl} target="_blank" rel="noreferrer">
          {invoiceId}
        </a>
      </p>
    </li>
  );
};

const Requests = ({ requests, currency }: Pick<MoneySubscription, 'requests' | 'currency'>): JSX.Element => (
  <>
    {requests.map((request) => (
      <li key={request.requestId}>
        <p>
          {requestText(request, currency)}{' '}
          {request.code !== null && <Link to="/admin/queues">Decide in the queues</Link>}
        </p>
      </li>
    ))}
  </>
);

/** A subscription with its payments, and what support can do about each. */
export const SubscriptionMoney = (props: SubscriptionProps): JSX.Element => {
  const { subscription } = props;
  const { payments, openInvoices, requests, currency } = subscription;
  const [opened, setOpened] = useState<Opened | null>(null);
  const [titleId, dialogTitleId] = [useId(), useId()];
  const close = (): void => setOpened(null);
  return (
    <section className="money-subscription" aria-labelledby={titleId}>
      <Head subscription={subscription} titleId={titleId} onOpen={setOpened} />
      <ul className="rows" aria-labelledby={titleId}>
        <Requests requests={requests} currency={currency} />
        {openInvoices.map((invoice) => (
          <OpenInvoice key={invoice.invoiceId} invoice={invoice} currency={currency} onOpen={setOpened} />
        ))}
        {payments.map((payment) => (
          <Payment key={payment.invoiceId} payment={payment} currency={currency} onOpen={setOpened} />
        ))}
      </ul>
      {payments.length === 0 && <p className="card-pad meta">Nothing has been paid for it yet.</p>}
      <Dialog isOpen={opened !== null} titleId={dialogTitleId} onClose={close}>
        {opened && <OpenedForm {...props} opened={opened} titleId={dialogTitleId} onClose={close} />}
      </Dialog>
    </section>
  );
};
