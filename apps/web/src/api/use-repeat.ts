import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ApiError } from './request.ts';
import { retries } from './retry.ts';

/** What of a query decides when it is sent again. */
export type RepeatedQuery = Readonly<{
  /** Another object after each failure, as the queries of RTK have it. */
  error?: object | undefined;
  isFetching: boolean;
  /** Of the last answer. One that arrives before the next frame is seen by it alone: `isFetching` has never been true. */
  fulfilledTimeStamp?: number | undefined;
}>;

export type RepeatOptions = Readonly<{
  onRepeat: () => void;
  /** From an answer to the next request; without it only failures are repeated. */
  intervalMs?: number;
  isOn?: boolean;
}>;

/** The failures in a row, up to the present one. */
const useFailures = (error: object | undefined): number => {
  const [seen, setSeen] = useState<Readonly<{ error: object | undefined; failures: number }>>({
    error,
    failures: error ? 1 : 0,
  });
  if (seen.error === error) return seen.failures;
  const failures = error ? seen.failures + 1 : 0;
  setSeen({ error, failures });
  return failures;
};

const retryAfterOf = (error: Partial<ApiError> | undefined): number | undefined => error?.retryAfterSeconds;

/**
 * Sends a query again: after a failure by the rules of `retry.ts`, and after an answer when there is an interval.
 * Returns when the next try after a failure is due; null while none is.
 */
export const useRepeat = (
  { error, isFetching, fulfilledTimeStamp }: RepeatedQuery,
  { onRepeat, intervalMs, isOn = true }: RepeatOptions,
): number | null => {
  const latest = useRef(onRepeat);
  useLayoutEffect(() => {
    latest.current = onRepeat;
  });
  const failures = useFailures(error);
  const retryAfterSeconds = retryAfterOf(error);
  const isWaiting = isOn && !isFetching && (failures > 0 || intervalMs !== undefined);
  const [dueAt, setDueAt] = useState<number | null>(null);
  useEffect(() => {
    if (!isWaiting) return;
    const attempt = (): void => latest.current();
    const retry = retries.schedule({
      failures,
      retryAfterSeconds,
      attempt,
      ...(intervalMs === undefined ? {} : { intervalMs }),
    });
    setDueAt(failures > 0 ? retry.dueAt : null);
    return () => {
      retry.cancel();
      setDueAt(null);
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- each answer begins another interval
  }, [isWaiting, failures, retryAfterSeconds, intervalMs, fulfilledTimeStamp]);
  return dueAt;
};
