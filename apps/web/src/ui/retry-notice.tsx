import type { JSX } from 'react';
import { Icon } from './icon.tsx';

export type RetryNoticeProps = Readonly<{ text: string; isRetrying: boolean; onRetry: () => void }>;

/** Replaces a part of the page that could not be loaded; the rest of the page stays. */
export const RetryNotice = ({ text, isRetrying, onRetry }: RetryNoticeProps): JSX.Element => (
  <div className="notice" role="alert">
    <div>
      {text}
      <div className="row">
        <button className="btn btn--sm" type="button" aria-busy={isRetrying} onClick={onRetry}>
          <Icon name="refresh" />
          Try again
        </button>
      </div>
    </div>
  </div>
);
