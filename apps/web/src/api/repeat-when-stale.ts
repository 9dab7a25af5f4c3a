import {
  createListenerMiddleware,
  isFulfilled,
  type ThunkAction,
  type UnknownAction,
} from '@reduxjs/toolkit';
import { baseApi } from './base-api.ts';
import type { AnswerMeta } from './base-query.ts';
import { retries } from './retry.ts';

/** After the first stale answer; then twice as long each time. */
const firstDelayMs = 1_000;
/** They take about a minute; by then every projection has caught up, or none does. */
const maxRepeats = 6;

type QueryArg = Readonly<{ endpointName: string; originalArgs: unknown; queryCacheKey: string }>;
type Answer = UnknownAction & Readonly<{ meta: Readonly<{ arg: QueryArg; baseQueryMeta?: AnswerMeta }> }>;

const isAnswer = (action: UnknownAction): action is Answer =>
  isFulfilled(action) && Object.hasOwn(Object(action.meta.arg), 'queryCacheKey');

type Initiate = (
  arg: unknown,
  options: Readonly<{ subscribe: boolean; forceRefetch: boolean }>,
) => ThunkAction<unknown, unknown, unknown, UnknownAction>;

/** Sends the query again. The features inject the endpoints, so that the type of `baseApi` has none. */
const askAgain = ({ endpointName, originalArgs }: QueryArg) => {
  const endpoints = baseApi.endpoints as Readonly<Record<string, Readonly<{ initiate: Initiate }>>>;
  return endpoints[endpointName]?.initiate(originalArgs, { subscribe: false, forceRefetch: true });
};

/**
 * The server answers a read after a second at the latest, from a read model that may be behind (`Tape-Stale`). Such an answer
 * is shown, and asked for again until it contains all that the browser has seen.
 */
export const repeatWhenStale = () => {
  const listeners = createListenerMiddleware();
  const counts = new Map<string, number>();
  listeners.startListening({
    predicate: isAnswer,
    effect: ({ meta: { arg, baseQueryMeta } }, { dispatch }) => {
      const count = counts.get(arg.queryCacheKey) ?? 0;
      counts.delete(arg.queryCacheKey);
      if (!baseQueryMeta?.repeats || count >= maxRepeats) return;
      counts.set(arg.queryCacheKey, count + 1);
      const again = askAgain(arg);
      const attempt = (): void => void (again && dispatch(again));
      retries.schedule({ failures: 0, intervalMs: firstDelayMs * 2 ** count, attempt });
    },
  });
  return listeners.middleware;
};
