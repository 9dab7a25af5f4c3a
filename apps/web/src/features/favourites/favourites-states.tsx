import type { JSX } from 'react';
import { Link } from 'react-router-dom';
import { detailsOf } from '../../api/problem-text.ts';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import type { FavouritesView } from './use-favourites.ts';

export const LoadingText = (): JSX.Element => (
  <div className="fav-filter">
    <span className="meta" role="status">
      Loading favorites...
    </span>
  </div>
);

export const LoadingRows = ({ count }: Readonly<{ count: number }>): JSX.Element => (
  <div aria-hidden="true">
    {Array.from({ length: count }, (_, index) => (
      <div key={index} className="fav fav--loading">
        <span className="skeleton fav-thumb" />
        <span className="fav-lines">
          <span className="skeleton" />
          <span className="skeleton" />
          <span className="skeleton" />
        </span>
      </div>
    ))}
  </div>
);

export const FavouritesFailed = ({ error, isFetching, refetch }: FavouritesView): JSX.Element => (
  <div className="card-pad">
    <RetryNotice
      text="Error loading favorites. Please try again."
      details={detailsOf(error)}
      isRetrying={isFetching}
      onRetry={refetch}
    />
  </div>
);

export const NoFavourites = ({ isPrimary = false }: Readonly<{ isPrimary?: boolean }>): JSX.Element => (
  <div className="empty fav-empty">
    <div className="tape" aria-hidden="true" />
    <p>
      <b>No favorites yet.</b> Star a strategy in the explorer to add it to this list, where you can tag it
      and compare its figures.
    </p>
    <Link className={`btn ${isPrimary ? 'btn--primary' : ''}`} to="/strategies">
      Find strategies
    </Link>
  </div>
);

/** Below the first favourites, where the card is higher than they are. */
export const RoomForMore = (): JSX.Element => (
  <div className="fav-more">
    <div className="tape" aria-hidden="true" />
    <p className="meta">
      There is room for more. <Link to="/strategies">Find strategies</Link>
    </p>
  </div>
);
