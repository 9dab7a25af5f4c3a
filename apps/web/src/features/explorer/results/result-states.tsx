import { useEffect, useRef, useState, type JSX } from 'react';
import type { ApiError } from '../../../api/base-query.ts';
import { Icon } from '../../../ui/icon.tsx';
import { pageSize } from '../filter-state/filters.ts';
import { StrategyCardSkeleton } from './strategy-card.tsx';

export const LoadingCards = (): JSX.Element => (
  <>
    <p className="visually-hidden" role="status">
      Loading strategies
    </p>
    <div className="cards">
      {Array.from({ length: pageSize }, (_, at) => (
        <StrategyCardSkeleton key={at} />
      ))}
    </div>
  </>
);

/** Seconds to wait where the server says none. */
const unsaidDelay = 10;

const reasonOf = ({ status, message }: ApiError): string => {
  if (status === 'network')
    return 'The server is not answering. Your filters are kept; nothing else is affected.';
  if (status === 503)
    return 'The search engine is not answering. Your filters are kept; nothing else is affected.';
  return message;
};

/** Seconds until the next try, counted only while somebody looks; null where there is none. */
const useRetry = (
  { status, retryAfter }: ApiError,
  isRetrying: boolean,
  retry: () => void,
): number | null => {
  const delay = status === 503 ? (retryAfter ?? unsaidDelay) : null;
  const [left, setLeft] = useState(delay);
  const [wasRetrying, setWasRetrying] = useState(isRetrying);
  if (wasRetrying !== isRetrying) {
    setWasRetrying(isRetrying);
    setLeft(delay);
  }
  const latest = useRef(retry);
  useEffect(() => {
    latest.current = retry;
  });
  useEffect(() => {
    if (left === null || isRetrying) return;
    const timer = setInterval(() => {
      if (document.hidden) return;
      if (left > 1) setLeft(left - 1);
      else latest.current();
    }, 1_000);
    return () => clearInterval(timer);
  }, [left, isRetrying]);
  return left;
};

export type FailedProps = Readonly<{ error: ApiError; isRetrying: boolean; onRetry: () => void }>;

export const FailedStrategies = ({ error, isRetrying, onRetry }: FailedProps): JSX.Element => {
  const left = useRetry(error, isRetrying, onRetry);
  return (
    <div className="empty" style={{ '--at': '18%' }}>
      <div className="tape" aria-hidden="true" />
      <div role="alert">
        <h2>Failed to fetch filtered strategies</h2>
        <p className="failure-words">{reasonOf(error)}</p>
      </div>
      <div className="row">
        <button className="btn" type="button" aria-busy={isRetrying} onClick={onRetry}>
          <Icon name="refresh" />
          Try again
        </button>
        {left !== null && !isRetrying && <span className="meta">or wait, next try in {left} s</span>}
      </div>
      <p className="hint mono">
        {error.status}
        {error.requestId && ` · request ${error.requestId}`}
      </p>
    </div>
  );
};
