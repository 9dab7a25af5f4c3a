import type { JSX } from 'react';
import { ErrorDetails } from './error-details.tsx';
import { Icon } from './icon.tsx';

export type RetryNoticeProps = Readonly<{
  text: string;
  /** What support needs to find the error. */
  details?: string | null;
  isRetrying: boolean;
  onRetry: () => void;
}>;

/** Replaces a part of the page that could not be loaded; the rest of the page stays. */
export const RetryNotice = ({ text, details, isRetrying, onRetry }: RetryNoticeProps): JSX.Element => (
  <div className="notice">
    <div>
      <p role="alert">{text}</p>
      <div className="row">
        <button className="btn btn--sm" type="button" aria-busy={isRetrying} onClick={onRetry}>
          <Icon name="refresh" />
          Try again
        </button>
      </div>
      {details && <ErrorDetails details={details} />}
    </div>
  </div>
);
