import { useEffect, useRef, useState, type JSX } from 'react';
import type { ApiError } from '../../../api/base-api.ts';
import { problemText } from '../../../api/problem-text.ts';
import { Icon } from '../../../ui/icon.tsx';
import { RetryNotice } from '../../../ui/retry-notice.tsx';

const defaultRetrySeconds = 10;
const maxJitterMs = 500;

const isLimited = ({ status }: ApiError): boolean => status === 429;

/** The server has more requests than it can answer, or this browser has sent too many; the next ones may succeed. */
export const isBusy = (error: ApiError): boolean => error.code === 'SEARCH_BUSY' || isLimited(error);

const keptText = 'Your filters are kept; nothing else is affected.';

const reasonOf = (error: ApiError): string => {
  const { status, code, message } = error;
  if (code === 'SEARCH_BUSY') return `The search is busy at the moment. ${keptText}`;
  if (status === 503) return `The search engine is not answering. ${keptText}`;
  return problemText(error, status === 'network' ? keptText : message);
};

/** Seconds until the next retry, counted only while the page is visible; null if there is no retry. */
const useRetry = (error: ApiError, isRetrying: boolean, retry: () => void): number | null => {
  const { status, retryAfterSeconds = defaultRetrySeconds } = error;
  const delay = status === 503 || isLimited(error) ? retryAfterSeconds : null;
  const [secondsLeft, setSecondsLeft] = useState(delay);
  const [wasRetrying, setWasRetrying] = useState(isRetrying);
  if (wasRetrying !== isRetrying) {
    setWasRetrying(isRetrying);
    setSecondsLeft(delay);
  }
  // Clients that were refused together must not all return together.
  const [tickMs] = useState(() => 1_000 + Math.random() * maxJitterMs);
  const latest = useRef(retry);
  useEffect(() => {
    latest.current = retry;
  });
  useEffect(() => {
    if (secondsLeft === null || isRetrying) return;
    const timer = setInterval(() => {
      if (document.hidden) return;
      if (secondsLeft > 1) setSecondsLeft(secondsLeft - 1);
      else latest.current();
    }, tickMs);
    return () => clearInterval(timer);
  }, [secondsLeft, isRetrying, tickMs]);
  return secondsLeft;
};

export type FailedStrategiesProps = Readonly<{ error: ApiError; isRetrying: boolean; onRetry: () => void }>;

export const FailedStrategies = ({ error, isRetrying, onRetry }: FailedStrategiesProps): JSX.Element => {
  const secondsLeft = useRetry(error, isRetrying, onRetry);
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
        {secondsLeft !== null && !isRetrying && (
          <span className="meta">or wait, next try in {secondsLeft} s</span>
        )}
      </div>
      <p className="hint mono">
        {error.status}
        {error.requestId && ` · request ${error.requestId}`}
      </p>
    </div>
  );
};

/** Above the results of an earlier search, which stay while the search is busy. */
export const BusyNotice = ({ error, isRetrying, onRetry }: FailedStrategiesProps): JSX.Element => {
  useRetry(error, isRetrying, onRetry);
  return (
    <div className="results-notice">
      <RetryNotice
        text={`${isLimited(error) ? 'You search faster than allowed' : 'The search is busy'}: these are the results of your last search. It is tried again by itself.`}
        isRetrying={isRetrying}
        onRetry={onRetry}
      />
    </div>
  );
};
