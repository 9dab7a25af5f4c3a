import type { SavedSearch } from '@tapedeck/saved-searches/contract';
import type { JSX } from 'react';
import { Link } from 'react-router-dom';
import { staleAfterSeconds } from '../../api/base-api.ts';
import { formatWhole } from '../../ui/format.ts';
import { detailsOf } from '../../api/problem-text.ts';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { useMarkSearchSeenMutation, useSavedSearchesQuery } from './saved-searches.api.ts';
import { newestFirst, type DescribeSearch } from './saved-searches.ts';

const maxLines = 4;
const titleId = 'search-matches-title';

const NewMatches = ({ count }: Readonly<{ count: number | null }>): JSX.Element => {
  if (count === null) return <span className="meta">New matches cannot be counted at the moment</span>;
  if (count === 0) return <span className="meta">Nothing new since your last visit</span>;
  return (
    <span className="search-matches-count">
      <b>{formatWhole(count)} new</b> since your last visit
    </span>
  );
};

type LineProps = Readonly<{ search: SavedSearch; describe: DescribeSearch }>;

const Line = ({ search: { id, name, query, newMatches }, describe }: LineProps): JSX.Element => {
  const [markSeen] = useMarkSearchSeenMutation();
  return (
    <li>
      <Link
        to={{ pathname: '/strategies', search: query }}
        title={describe(query).text}
        onClick={() => void markSeen(id)}
      >
        {name}
      </Link>
      <NewMatches count={newMatches} />
    </li>
  );
};

/** What each saved search has found since it was last opened, those with new matches first. */
export const SavedSearchMatches = ({ describe }: Readonly<{ describe: DescribeSearch }>): JSX.Element => {
  const { data, error, isFetching, refetch } = useSavedSearchesQuery(undefined, {
    refetchOnMountOrArgChange: staleAfterSeconds,
  });
  return (
    <section className="search-matches" aria-labelledby={titleId} aria-busy={!data && !error}>
      <h3 id={titleId}>Saved searches</h3>
      {!data && !error && <span className="skeleton search-matches-skeleton" />}
      {!data && error && (
        <RetryNotice
          text="Your saved searches could not be loaded."
          details={detailsOf(error)}
          isRetrying={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {data?.length === 0 && (
        <p className="hint">
          None yet. A search that you save in the explorer counts its new strategies here.
        </p>
      )}
      {data && data.length > 0 && (
        <ul>
          {newestFirst(data)
            .slice(0, maxLines)
            .map((search) => (
              <Line key={search.id} search={search} describe={describe} />
            ))}
        </ul>
      )}
      {data && data.length > maxLines && (
        <p className="hint">and {formatWhole(data.length - maxLines)} more in the explorer</p>
      )}
    </section>
  );
};
