import type { JSX, ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useFocusAfterRemoval } from '../../../ui/browser/use-focus-after-removal.ts';
import { formatWhole } from '../../../ui/format.ts';
import type { Deadline } from './queue-words.ts';

export type QueueCardProps<Item> = Readonly<{
  id: string;
  title: string;
  /** What a person can do about its items. */
  hint: string;
  empty: string;
  queue: Readonly<{ count: number; items: readonly Item[] }>;
  keyOf: (item: Item) => string;
  render: (item: Item) => ReactNode;
}>;

/** One queue: its items, or that there are none. */
export const QueueCard = <Item,>(props: QueueCardProps<Item>): JSX.Element => {
  const { id, title, hint, empty, queue, keyOf, render } = props;
  const { count, items } = queue;
  const container = useFocusAfterRemoval<HTMLElement>(id);
  return (
    <section ref={container} className="card" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
        <span className={count > 0 ? 'badge badge--accent push' : 'badge badge--plain push'}>
          {formatWhole(count)}
        </span>
      </div>
      {count === 0 ? (
        <p className="card-pad meta" role="status">
          {empty}
        </p>
      ) : (
        <>
          <p className="queue-hint meta">{hint}</p>
          <ul className="queue rows" aria-labelledby={id}>
            {items.map((item) => (
              <li key={keyOf(item)} tabIndex={-1}>
                {render(item)}
              </li>
            ))}
          </ul>
          {items.length < count && (
            <p className="card-pad meta">
              The first {items.length} of {formatWhole(count)} are shown.
            </p>
          )}
        </>
      )}
    </section>
  );
};

type OwnerProps = Readonly<{ accountId: string | null; accountName: string | null; unowned: string }>;

/** To the audit of the member. */
export const Owner = ({ accountId, accountName, unowned }: OwnerProps): JSX.Element =>
  accountId === null ? (
    <b>{unowned}</b>
  ) : (
    <Link className="row-name" to={`/admin/members/${accountId}`}>
      {accountName ?? accountId}
    </Link>
  );

type StripeLinkProps = Readonly<{ url: string; id: string }>;

/** To the page of the object at Stripe. */
export const StripeLink = ({ url, id }: StripeLinkProps): JSX.Element => (
  <a className="mono external" href={url} target="_blank" rel="noreferrer">
    {id}
  </a>
);

export const DeadlineBadge = ({ deadline }: Readonly<{ deadline: Deadline }>): JSX.Element => (
  <span className={deadline.isUrgent ? 'badge badge--danger' : 'badge badge--plain'}>{deadline.text}</span>
);
