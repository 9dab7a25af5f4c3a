import type { JSX } from 'react';
import { Link } from 'react-router-dom';
import { formatTime } from '../../ui/format.ts';
import { detailsOf } from '../../api/problem-text.ts';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { useRecentMembersQuery } from './audit.api.ts';
import { MembershipBadge } from './membership-badge.tsx';

const Waiting = (): JSX.Element => (
  <ul className="found rows rows--columns" aria-hidden="true">
    {Array.from({ length: 5 }, (_, index) => (
      <li key={index}>
        <span className="skeleton found-waiting" />
        <span className="skeleton found-waiting" />
      </li>
    ))}
  </ul>
);

/** Those who were registered or have changed last, with how their memberships stand. */
export const RecentMembers = (): JSX.Element => {
  const { data, error, isFetching, refetch } = useRecentMembersQuery(undefined, {
    refetchOnMountOrArgChange: true,
  });
  return (
    <section className="card" aria-labelledby="recent-title" aria-busy={!data && !error}>
      <div className="card-head">
        <h2 id="recent-title">Recent members</h2>
        <span className="meta">registered or changed last</span>
      </div>
      {!data && error && (
        <div className="card-pad">
          <RetryNotice
            text="The recent members could not be loaded. The search may still work."
            details={detailsOf(error)}
            isRetrying={isFetching}
            onRetry={() => void refetch()}
          />
        </div>
      )}
      {!data && !error && <Waiting />}
      {data?.members.length === 0 && <p className="card-pad meta">No member has registered yet.</p>}
      {data && data.members.length > 0 && (
        <ul className="found rows rows--columns">
          {data.members.map(({ accountId, email, name, tier, status, registeredAt }) => (
            <li key={accountId}>
              <Link className="row-name" to={`/admin/members/${accountId}`}>
                {email}
              </Link>
              <span className="meta found-more">
                {name ?? 'No name'}
                <span className="found-by">registered {formatTime(registeredAt)}</span>
              </span>
              <MembershipBadge tier={tier} status={status} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};
