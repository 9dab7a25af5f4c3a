import type { Queues } from '@tapedeck/payments/contract';
import type { JSX } from 'react';
import { Link } from 'react-router-dom';
import { useRepeat } from '../../../api/use-repeat.ts';
import { formatMoney, formatTime } from '../../../ui/format.ts';
import { detailsOf } from '../../../api/problem-text.ts';
import { RetryNotice } from '../../../ui/retry-notice.tsx';
import { DeadlineBadge, Owner, QueueCard, StripeLink } from './queue-card.tsx';
import { mismatchField, mismatchText, reasonText, timeLeft } from './queue-words.ts';
import { useQueuesQuery } from './queues.api.ts';

const pollMs = 10_000;

type ItemOf<Name extends Exclude<keyof Queues, 'readAt'>> = Queues[Name]['items'][number];
type At = Readonly<{ readAt: string }>;

const Dispute = ({ item, readAt }: At & Readonly<{ item: ItemOf<'disputes'> }>): JSX.Element => {
  const { disputeId, stripeUrl, amount, currency, reason, openedAt, evidenceDueBy } = item;
  return (
    <>
      <div className="row-head">
        <Owner {...item} unowned="A purchase without an owner" />
        <b>{formatMoney(amount, currency)}</b>
        <span>{reasonText(reason)}</span>
        {evidenceDueBy === null ? (
          <span className="badge badge--plain">no evidence asked for</span>
        ) : (
          <DeadlineBadge deadline={timeLeft(evidenceDueBy, readAt, 'deadline passed')} />
        )}
      </div>
      <p className="meta row-more">
        <span>Opened {formatTime(openedAt)}</span>
        {evidenceDueBy !== null && <span>Evidence until {formatTime(evidenceDueBy)} UTC</span>}
        <StripeLink url={stripeUrl} id={disputeId} />
      </p>
    </>
  );
};

const Duplicate = ({ item }: Readonly<{ item: ItemOf<'duplicates'> }>): JSX.Element => (
  <>
    <div className="row-head">
      <Owner {...item} unowned="" />
      <span>{item.subscriptions.length} live subscriptions</span>
    </div>
    <ul className="queue-parts" aria-label={`Subscriptions of ${item.accountName ?? item.accountId}`}>
      {item.subscriptions.map((one) => (
        <li key={one.subscriptionId}>
          <span>
            {one.tier ?? 'Another price'}
            {one.period !== null && ` (${one.period})`}, {formatMoney(one.amount, one.currency)}
          </span>
          <span className="meta">
            {one.stripeStatus}, since {formatTime(one.startedAt)},{' '}
            {one.endsAt === null ? 'renews' : `ends ${formatTime(one.endsAt)}`}
          </span>
          <StripeLink url={one.stripeUrl} id={one.subscriptionId} />
        </li>
      ))}
    </ul>
  </>
);

const UnknownPrice = ({ item }: Readonly<{ item: ItemOf<'unknownPrices'> }>): JSX.Element => {
  const { subscriptionId, stripeUrl, priceId, priceUrl, amount, currency, stripeStatus, startedAt } = item;
  return (
    <>
      <div className="row-head">
        <Owner {...item} unowned="A purchase without an owner" />
        <b>{formatMoney(amount, currency)}</b>
        <StripeLink url={priceUrl} id={priceId} />
      </div>
      <p className="meta row-more">
        <span>
          {stripeStatus}, since {formatTime(startedAt)}
        </span>
        <StripeLink url={stripeUrl} id={subscriptionId} />
      </p>
    </>
  );
};

const Unclaimed = ({ item, readAt }: At & Readonly<{ item: ItemOf<'unclaimed'> }>): JSX.Element => {
  const { subscriptionId, stripeUrl, email, tier, period, paidAt, refundAt } = item;
  return (
    <>
      <div className="row-head">
        <Link className="row-name" to={`/admin/members?q=${encodeURIComponent(subscriptionId)}`}>
          {email ?? 'Address forgotten'}
        </Link>
        <span>
          {tier} ({period})
        </span>
        <DeadlineBadge deadline={timeLeft(refundAt, readAt, 'refund due')} />
      </div>
      <p className="meta row-more">
        <span>Paid {formatTime(paidAt)}</span>
        <span>Refunded on {formatTime(refundAt)} unless it is claimed</span>
        <StripeLink url={stripeUrl} id={subscriptionId} />
      </p>
    </>
  );
};

const Mismatch = ({ item }: Readonly<{ item: ItemOf<'mismatches'> }>): JSX.Element => {
  const { subscriptionId, stripeUrl, detectedAt, fields, isHealed } = item;
  return (
    <>
      <div className="row-head">
        <Owner {...item} unowned="A purchase without an owner" />
        <span className={isHealed ? 'badge badge--ok' : 'badge badge--danger'}>
          {isHealed ? 'recorded' : 'not recorded'}
        </span>
      </div>
      <div className="queue-mismatch">
        <table>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Ours</th>
              <th scope="col">Stripe’s</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(({ field, ours, stripe }) => (
              <tr key={field}>
                <th scope="row">{mismatchField(field)}</th>
                <td>{mismatchText(ours)}</td>
                <td>{mismatchText(stripe)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="meta row-more">
        <span>Found {formatTime(detectedAt)}</span>
        <Link to={`/admin/replays?mode=reread&subscription=${subscriptionId}`}>Compare again</Link>
        <StripeLink url={stripeUrl} id={subscriptionId} />
      </p>
    </>
  );
};

const Loaded = ({ queues }: Readonly<{ queues: Queues }>): JSX.Element => {
  const { readAt, disputes, duplicates, unknownPrices, unclaimed, mismatches } = queues;
  return (
    <>
      <QueueCard
        id="disputes"
        title="Disputes"
        hint="Send evidence at Stripe before the deadline. The member keeps access until a dispute is lost."
        empty="No dispute is open."
        queue={disputes}
        keyOf={({ disputeId }) => disputeId}
        render={(item) => <Dispute item={item} readAt={readAt} />}
      />
      <QueueCard
        id="duplicates"
        title="Two subscriptions"
        hint="Somebody pays twice. Ask which one to keep, then cancel and refund the other at Stripe."
        empty="No member has two live subscriptions."
        queue={duplicates}
        keyOf={({ accountId }) => accountId}
        render={(item) => <Duplicate item={item} />}
      />
      <QueueCard
        id="unknown-prices"
        title="Unknown prices"
        hint="Their owners pay a price that belongs to no plan, and keep the plan that they paid last. Give the price its plan at Stripe (metadata tapedeck_plan, such as pro_monthly), or change the subscription back."
        empty="Every subscription has a price of ours."
        queue={unknownPrices}
        keyOf={({ subscriptionId }) => subscriptionId}
        render={(item) => <UnknownPrice item={item} />}
      />
      <QueueCard
        id="unclaimed"
        title="Unclaimed purchases"
        hint="Paid by e-mail, and no account has claimed it. The buyer is reminded; then the money goes back."
        empty="Every purchase belongs to an account."
        queue={unclaimed}
        keyOf={({ subscriptionId }) => subscriptionId}
        render={(item) => <Unclaimed item={item} readAt={readAt} />}
      />
      <QueueCard
        id="mismatches"
        title="Mismatches"
        hint="What the reconciliation of the last 24 hours has found different at Stripe."
        empty="In the last 24 hours Stripe and the tape agreed."
        queue={mismatches}
        keyOf={({ eventId }) => eventId}
        render={(item) => <Mismatch item={item} />}
      />
    </>
  );
};

/** `/admin/queues`: what about money waits for a decision of a person. */
export const QueuesPage = (): JSX.Element => {
  const query = useQueuesQuery();
  const { data, error, isFetching, refetch } = query;
  useRepeat(query, { onRepeat: () => void refetch(), intervalMs: pollMs });
  return (
    <main className="wrap member-page" id="main">
      <div>
        <h1>Queues</h1>
        <p className="meta">Payments that wait for a decision of a person.</p>
      </div>
      {error && (
        <RetryNotice
          text={
            data
              ? 'The queues could not be loaded: this is what they were before.'
              : 'The queues could not be loaded. Nothing was changed.'
          }
          details={detailsOf(error)}
          isRetrying={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {!data && !error && <span className="skeleton card-skeleton" />}
      {data && <Loaded queues={data} />}
    </main>
  );
};
