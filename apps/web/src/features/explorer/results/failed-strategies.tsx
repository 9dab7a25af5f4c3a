import type { JSX } from 'react';
import type { ApiError } from '../../../api/request.ts';
import { detailsOf, problemText } from '../../../api/problem-text.ts';
import { useRepeat } from '../../../api/use-repeat.ts';
import { useSecondsUntil } from '../../../ui/browser/use-seconds-until.ts';
import { ErrorDetails } from '../../../ui/error-details.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { RetryNotice } from '../../../ui/retry-notice.tsx';

const isLimited = ({ status }: ApiError): boolean => status === 429;

/** The server has more requests than it can answer, or this browser has sent too many; the next ones may succeed. */
export const isBusy = (error: ApiError): boolean => error.code === 'SEARCH_BUSY' || isLimited(error);

const keptText = 'Your filters are kept; nothing else is affected.';

const reasonOf = (error: ApiError): string => {
  const { status, code } = error;
  if (code === 'SEARCH_BUSY') return `The search is busy at the moment. ${keptText}`;
  if (status === 503) return `The search engine is not answering. ${keptText}`;
  return problemText(error, keptText);
};

/** When it is tried again by itself; null if it is not. */
const useRetry = ({ error, isRetrying, onRetry }: FailedStrategiesProps): number | null =>
  useRepeat(
    { error, isFetching: isRetrying },
    { onRepeat: onRetry, isOn: error.status === 503 || isLimited(error) },
  );

export type FailedStrategiesProps = Readonly<{ error: ApiError; isRetrying: boolean; onRetry: () => void }>;

export const FailedStrategies = (props: FailedStrategiesProps): JSX.Element => {
  const { error, isRetrying, onRetry } = props;
  const secondsLeft = useSecondsUntil(useRetry(props));
  const details = detailsOf(error);
  return (
    <div className="empty" style={{ '--position': '18%' }}>
      <div className="tape" aria-hidden="true" />
      <div role="alert">
        <h2>Failed to fetch filtered strategies</h2>
        <p className="failure-text">{reasonOf(error)}</p>
      </div>
      <div className="row">
        <button className="btn" type="button" aria-busy={isRetrying} onClick={onRetry}>
          <Icon name="refresh" />
          Try again
        </button>
        {secondsLeft !== null && <span className="meta">or wait, next try in {secondsLeft} s</span>}
      </div>
      {details !== null && <ErrorDetails details={details} />}
    </div>
  );
};

/** Above the results of an earlier search, which stay while the search is busy. */
export const BusyNotice = (props: FailedStrategiesProps): JSX.Element => {
  const { error, isRetrying, onRetry } = props;
  useRetry(props);
  return (
    <div className="results-notice">
      <RetryNotice
        text={`${isLimited(error) ? 'You are searching faster than allowed' : 'The search is busy'}: these are the results of your last search. The new one is tried again automatically.`}
        isRetrying={isRetrying}
        onRetry={onRetry}
      />
    </div>
  );
};
