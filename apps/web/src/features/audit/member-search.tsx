import type { FoundMembers } from '@tapedeck/audit/contract';
import { useState, type FormEvent, type JSX } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { useFound } from './use-found.tsx';
import { MemberField, minSearchLength } from './member-field.tsx';
import { MembershipBadge } from './membership-badge.tsx';
import { RecentMembers } from './recent-members.tsx';
import { formatTime } from '../../ui/format.ts';

const matchedTexts: Readonly<Record<string, string>> = {
  email: 'by e-mail',
  name: 'by name',
  account: 'by account',
  customer: 'by customer',
  subscription: 'by subscription',
  invoice: 'by invoice',
  charge: 'by charge',
  event: 'by event',
};

const Members = ({ members }: Pick<FoundMembers, 'members'>): JSX.Element => (
  <ul className="found rows rows--columns">
    {members.map(({ accountId, email, name, tier, status, matched }) => (
      <li key={accountId}>
        <Link className="row-name" to={`/admin/members/${accountId}`}>
          {email ?? 'Deleted account'}
        </Link>
        <span className="meta found-more">
          {name ?? accountId}
          <span className="found-by">{matchedTexts[matched] ?? `by ${matched}`}</span>
        </span>
        <MembershipBadge tier={tier} status={status} />
      </li>
    ))}
  </ul>
);

const Purchases = ({ purchases }: Pick<FoundMembers, 'purchases'>): JSX.Element => (
  <section className="card" aria-labelledby="purchases-title">
    <div className="card-head">
      <h2 id="purchases-title">Unclaimed purchases</h2>
    </div>
    <ul className="found rows rows--columns">
      {purchases.map(({ subscriptionId, email, paidAt, refundAt }) => (
        <li key={subscriptionId}>
          <span className="row-name">{email ?? 'Deleted buyer'}</span>
          <span className="meta found-more">
            <span className="mono">{subscriptionId}</span> paid on {formatTime(paidAt)}, refunded on{' '}
            {formatTime(refundAt)} unless it is claimed
          </span>
        </li>
      ))}
    </ul>
  </section>
);

/** For screen readers; what was not found is said on the screen. */
const statusText = (found: FoundMembers | undefined, isFetching: boolean): string => {
  if (isFetching) return 'Searching...';
  const count = found?.members.length ?? 0;
  return count === 0 ? '' : `${count} ${count === 1 ? 'member' : 'members'} found`;
};

const FoundList = ({ found, text }: Readonly<{ found: FoundMembers; text: string }>): JSX.Element => {
  const { members, purchases, isComplete } = found;
  if (members.length + purchases.length === 0) {
    return (
      <p className="meta" role="status">
        Nothing was found for “{text}”. Enter a complete id, any part of an e-mail address, or the beginning
        of a name.
      </p>
    );
  }
  return (
    <>
      {members.length > 0 && (
        <section className="card" aria-label="Members">
          <Members members={members} />
        </section>
      )}
      {purchases.length > 0 && <Purchases purchases={purchases} />}
      {!isComplete && <p className="meta">There are more members. Type more to find them.</p>}
    </>
  );
};

const Found = ({ text }: Readonly<{ text: string }>): JSX.Element => {
  const { found, isFetching, failure } = useFound(text);
  if (failure) return failure;
  return (
    <>
      <p className="visually-hidden" role="status">
        {statusText(found, isFetching)}
      </p>
      {found ? (
        <FoundList found={found} text={text} />
      ) : (
        <span className="skeleton card-skeleton" aria-hidden="true" />
      )}
    </>
  );
};

/** `/admin/members`: finds members by anything that a ticket may name. */
export const MemberSearch = (): JSX.Element => {
  const navigate = useNavigate();
  const [params, setParams] = useSearchParams();
  const asked = (params.get('q') ?? '').trim();
  const [text, setText] = useState(asked);
  /** Of the same text: it is searched for again. */
  const [repeats, setRepeats] = useState(0);
  const search = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() === asked) setRepeats(repeats + 1);
    else setParams(text.trim() === '' ? {} : { q: text.trim() });
  };
  return (
    <main className="wrap member-page" id="main">
      <h1>Members</h1>
      <form className="audit-search" role="search" onSubmit={search}>
        <MemberField
          text={text}
          onText={setText}
          onChoose={({ accountId }) => void navigate(`/admin/members/${accountId}`)}
        />
        <button className="btn btn--primary" type="submit">
          Find
        </button>
      </form>
      {asked.length >= minSearchLength ? (
        <Found key={repeats} text={asked} />
      ) : (
        <>
          <p className="meta">
            Find a member to see why they have access, or have none, on any day: by e-mail address, name, or
            the id of an account, customer, subscription, invoice, charge or event. Each day on which you open
            a member’s page is recorded.
          </p>
          <RecentMembers />
        </>
      )}
    </main>
  );
};
