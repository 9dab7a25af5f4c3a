import type { Favourite } from '@tapedeck/favourites/contract';
import type { JSX } from 'react';
import { Link } from 'react-router-dom';
import { formatGain, formatPercent, formatRatio, parseNumeric } from '../../ui/format.ts';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { useFavouritesQuery } from './favourites.api.ts';

const maxShown = 5;

const FavouriteLine = ({
  favourite: { urlId, strategy },
}: Readonly<{ favourite: Favourite }>): JSX.Element => (
  <li>
    <span className="line-main">
      <Link to={`/strategy/${encodeURIComponent(urlId)}`}>{strategy?.title ?? urlId}</Link>
      <br />
      <span className="meta">{strategy ? (strategy.author ?? '') : 'No longer in the catalogue'}</span>
    </span>
    {strategy && (
      <span className="meta push">
        {formatGain(parseNumeric(strategy.total_pandl_percent))} · DD{' '}
        {formatPercent(parseNumeric(strategy.max_drawdown_percent))} · Sharpe{' '}
        {formatRatio(parseNumeric(strategy.sharpe_ratio_numeric))}
      </span>
    )}
  </li>
);

/** The first favourites, on the dashboard. */
export const FavouritesCard = (): JSX.Element => {
  const { data, isError, isFetching, refetch } = useFavouritesQuery();
  return (
    <section className="card" aria-labelledby="favourites-title" aria-busy={isFetching && !data}>
      <div className="card-head">
        <h2 id="favourites-title">Favorites</h2>
        {data && <span className="badge badge--plain">{data.length}</span>}
      </div>
      <div className="card-pad stack">
        {!data && !isError && (
          <>
            <span className="visually-hidden">Loading favorites...</span>
            <span className="skeleton card-skeleton" />
          </>
        )}
        {isError && !data && (
          <RetryNotice
            text="Error loading favorites. Please try again."
            isRetrying={isFetching}
            onRetry={() => void refetch()}
          />
        )}
        {data?.length === 0 && <p className="meta">No favorites yet: a star in the explorer adds one.</p>}
        <ul className="lines">
          {data?.slice(0, maxShown).map((favourite) => (
            <FavouriteLine key={favourite.urlId} favourite={favourite} />
          ))}
        </ul>
        <Link className="btn" to="/strategies">
          Find strategies
        </Link>
      </div>
    </section>
  );
};
