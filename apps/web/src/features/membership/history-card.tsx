import type { JSX } from 'react';
import { formatDay } from '../../ui/format.ts';
import { detailsOf, failureOf } from '../../api/problem-text.ts';
import { useReadOn } from '../../api/use-read-on.ts';
import { ListEnd } from '../../ui/list-end.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { useMemberHistoryInfiniteQuery } from './membership.api.ts';

/** What happened to membership and payments, in plain words, newest first. */
export const HistoryCard = (): JSX.Element => {
  const history = useMemberHistoryInfiniteQuery(undefined, { refetchOnMountOrArgChange: true });
  const { data, error, isFetching, isFetchNextPageError, hasNextPage, refetch } = history;
  const { readOn, isReadingOn } = useReadOn(history);
  const entries = data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <section className="card" aria-labelledby="history-title" aria-busy={isFetching && !data}>
      <div className="card-head">
        <h2 id="history-title">History</h2>
      </div>
      <div className="card-pad stack">
        {!data && !error && <span className="skeleton card-skeleton" />}
        {error && !isFetchNextPageError && (
          <RetryNotice
            text="The history could not be loaded."
            details={detailsOf(error)}
            isRetrying={isFetching}
            onRetry={() => void refetch()}
          />
        )}
        {data && entries.length === 0 && <p className="meta">Nothing has happened yet.</p>}
        {entries.length > 0 && (
          <ol className="lines">
            {entries.map(({ at, text }, index) => (
              <li key={`${at} ${index}`}>
                <span>{text}</span>
                <time className="meta push" dateTime={at}>
                  {formatDay(at)}
                </time>
              </li>
            ))}
          </ol>
        )}
        {data && (hasNextPage || data.pages.length > 1) && (
          <ListEnd
            label="Show older"
            hasMore={hasNextPage}
            isBusy={isReadingOn}
            problem={
              isFetchNextPageError ? failureOf(error, 'Older entries could not be loaded: try again.') : null
            }
            end="There is nothing older."
            onMore={readOn}
          />
        )}
      </div>
    </section>
  );
};
