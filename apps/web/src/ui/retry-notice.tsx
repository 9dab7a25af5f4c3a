import type { JSX } from 'react';
import { Icon } from './icon.tsx';

export type RetryNoticeProps = Readonly<{ words: string; isRetrying: boolean; onRetry: () => void }>;

/** In the place of a part of the page that could not be loaded; the rest of the page stays. */
export const RetryNotice = ({ words, isRetrying, onRetry }: RetryNoticeProps): JSX.Element => (
  <div className="notice" role="alert">
    <div>
      {words}
      <div className="row">
        <button className="btn btn--sm" type="button" aria-busy={isRetrying} onClick={onRetry}>
          <Icon name="refresh" />
          Try again
        </button>
      </div>
    </div>
  </div>
);
