import type { Queues } from '@tapedeck/payments/contract';
import type { JSX } from 'react';
import { Link } from 'react-router-dom';
import { formatMoney, formatTime } from '../../../ui/format.ts';
import { DeadlineBadge, Owner, StripeLink } from './queue-card.tsx';
import {
  findingText,
  mismatchField,
  mismatchText,
  reasonText,
  refusalText,
  refusedText,
  returnText,
  timeLeft,
} from './queue-words.ts';

export type ItemOf<Name extends Exclude<keyof Queues, 'readAt' | 'total'>> = Queues[Name]['items'][number];
type At = Readonly<{ readAt: string }>;

export const Dispute = ({ item, readAt }: At & Readonly<{ item: ItemOf<'disputes'> }>): JSX.Element => {
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

export const Duplicate = ({ item }: Readonly<{ item: ItemOf<'duplicates'> }>): JSX.Element => (
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

export const UnknownPrice = ({ item }: Readonly<{ item: ItemOf<'unknownPrices'> }>): JSX.Element => {
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

type FindingProps = Readonly<{ item: ItemOf<'findings'>; onAccept: () => void }>;

export const Finding = ({ item, onAccept }: FindingProps): JSX.Element => {
  const { subscriptionId, stripeUrl, kind, amount, currency, foundAt } = item;
  return (
    <>
      <div className="row-head">
        <Owner {...item} unowned="A purchase without an owner" />
        <b>{formatMoney(amount, currency)}</b>
        <span>{findingText(kind)}</span>
        <button className="btn btn--sm push" type="button" onClick={onAccept}>
          It is right
        </button>
      </div>
      <p className="meta row-more">
        <span>Found {formatTime(foundAt)}</span>
        <Link to={`/admin/replays?mode=reread&subscription=${subscriptionId}`}>Compare with Stripe</Link>
        <StripeLink url={stripeUrl} id={subscriptionId} />
      </p>
    </>
  );
};

export const FailedRead = ({ item }: Readonly<{ item: ItemOf<'failedReads'> }>): JSX.Element => {
  const { job, subscriptionId, stripeUrl, error, attempts, failedAt, retryAt } = item;
  return (
    <>
      <div className="row-head">
        <Owner {...item} unowned="A purchase without an owner" />
        <span>{attempts === 1 ? 'tried once' : `tried ${attempts} times`}</span>
        <span className="badge badge--plain">again {formatTime(retryAt)}</span>
      </div>
      <p>{error}</p>
      <p className="meta row-more">
        <span>
          Failed {formatTime(failedAt)} in <span className="mono">{job}</span>
        </span>
        <Link to={`/admin/replays?mode=reread&subscription=${subscriptionId}`}>Read it now</Link>
        <StripeLink url={stripeUrl} id={subscriptionId} />
      </p>
    </>
  );
};

export const Unclaimed = ({ item, readAt }: At & Readonly<{ item: ItemOf<'unclaimed'> }>): JSX.Element => {
  const { subscriptionId, stripeUrl, email, tier, period, paidAt, refundAt } = item;
  return (
    <>
      <div className="row-head">
        <Link className="row-name" to={`/admin/members?q=${encodeURIComponent(subscriptionId)}`}>
          {email ?? 'Address deleted'}
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

export const Mismatch = ({ item }: Readonly<{ item: ItemOf<'mismatches'> }>): JSX.Element => {
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

export const Return = ({ item }: Readonly<{ item: ItemOf<'returns'> }>): JSX.Element => {
  const { subscriptionId, stripeUrl, reason, begunAt, amount, refunded, currency, isEnded } = item;
  return (
    <>
      <div className="row-head">
        <Owner {...item} unowned="A purchase by e-mail" />
        <b>{formatMoney(amount, currency)}</b>
        <span>{returnText(reason)}</span>
        <span className="badge badge--plain">{isEnded ? 'ended' : 'not ended yet'}</span>
      </div>
      <p className="meta row-more">
        <span>Since {formatTime(begunAt)}</span>
        <span>{formatMoney(refunded, currency)} on its way back</span>
        <StripeLink url={stripeUrl} id={subscriptionId} />
      </p>
    </>
  );
};

type RefusedProps = Readonly<{ item: ItemOf<'refused'>; onRepeat: () => void; onAbandon: () => void }>;

export const Refused = ({ item, onRepeat, onAbandon }: RefusedProps): JSX.Element => {
  const { subscriptionId, stripeUrl, code, isHeld, isRepeated, requestedAt } = item;
  return (
    <>
      <div className="row-head">
        <Owner {...item} unowned="A purchase without an owner" />
        <b>{refusedText(item, formatMoney)}</b>
        <span className="row push">
          {item.isAbandonProposed && <span className="badge badge--plain">waits for another admin</span>}
          {item.mayAbandon && (
            <button className="btn btn--sm" type="button" onClick={onAbandon}>
              Abandon
            </button>
          )}
          {isHeld ? (
            <Link className="btn btn--sm" to="/admin/parked-events">
              Parked events
            </Link>
          ) : (
            <button className="btn btn--sm" type="button" onClick={onRepeat}>
              Try again
            </button>
          )}
        </span>
      </div>
      <p>
        {refusalText(code)} {isRepeated && 'It is tried again every six hours.'}
      </p>
      <p className="meta row-more">
        <span>
          {isHeld ? 'Held' : 'Refused'}, requested {formatTime(requestedAt)}
        </span>
        <span className="mono">{code}</span>
        <StripeLink url={stripeUrl} id={subscriptionId} />
      </p>
    </>
  );
};
