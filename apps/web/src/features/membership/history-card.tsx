import type { JSX } from 'react';
import { formatDay } from '../../ui/format.ts';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { useMemberHistoryQuery } from './membership.api.ts';

/** What happened to the membership, in plain words, newest first. */
export const HistoryCard = (): JSX.Element => {
  const { data, isError, isFetching, refetch } = useMemberHistoryQuery();
  return (
    <section className="card" aria-labelledby="history-title" aria-busy={isFetching && !data}>
      <div className="card-head">
        <h2 id="history-title">History</h2>
      </div>
      <div className="card-pad">
        {!data && !isError && <span className="skeleton card-skeleton" />}
        {isError && !data && (
          <RetryNotice
            text="The history could not be loaded."
            isRetrying={isFetching}
            onRetry={() => void refetch()}
          />
        )}
        {data?.entries.length === 0 && <p className="meta">Nothing has happened yet.</p>}
        <ol className="lines">
          {data?.entries.map(({ at, text }, index) => (
            <li key={`${at} ${index}`}>
              <span>{text}</span>
              <time className="meta push" dateTime={at}>
                {formatDay(at)}
              </time>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
};
