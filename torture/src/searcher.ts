import { setTimeout } from 'node:timers/promises';
import { explorerRoutes } from '@tapedeck/explorer/contract';

/** What the searches of one API have been answered so far. */
export type SearchLog = {
  readonly origin: string;
  answered: number;
  unavailable: number;
  problems: string[];
};

export type SearcherOptions = Readonly<{
  cookie: string;
  log: SearchLog;
  /** Begins no further search. */
  finish: AbortSignal;
}>;

const attemptTimeoutMs = 20_000;
const pauseMs = 100;
const path = `${explorerRoutes.explore}?limit=1`;

/**
 * Searches again and again. An answer may be old, but no strategy is ever removed: none may have fewer of them than an
 * earlier answer of the same API.
 */
export const runSearcher = async ({ cookie, log, finish }: SearcherOptions): Promise<void> => {
  let maxTotal = 0;
  const search = async (): Promise<void> => {
    const response = await fetch(new URL(path, log.origin), {
      headers: { cookie },
      signal: AbortSignal.timeout(attemptTimeoutMs),
    });
    const text = await response.text();
    if (response.status === 503) {
      log.unavailable++;
      return;
    }
    const { total } = (response.ok ? JSON.parse(text) : {}) as Readonly<{ total?: number }>;
    if (total === undefined)
      log.problems.push(`${log.origin} answers a search with ${response.status}: ${text}`);
    else if (total < maxTotal) {
      log.problems.push(`a search at ${log.origin} found ${total} strategies after one with ${maxTotal}`);
    }
    log.answered++;
    maxTotal = Math.max(maxTotal, total ?? 0);
  };
  while (!finish.aborted) {
    await search().catch(() => log.unavailable++);
    await setTimeout(pauseMs);
  }
};
