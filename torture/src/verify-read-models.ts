import { explorerRoutes } from '@tapedeck/explorer/contract';
import { projections } from '@tapedeck/composition/modules';
import type { EventStore } from '@tapedeck/eventing';
import { dumpReadModel, poolOf, projectionStatus, rebuildInto } from '@tapedeck/eventing/projections';
import type { Pool } from 'pg';
import { until } from './until.ts';

export type ProductData = Readonly<{ store: EventStore; databases: Readonly<Record<string, Pool>> }>;

/** Waits until every read model is at the end of the tape. */
export const waitForProjections = async ({ store, databases }: ProductData): Promise<void> => {
  const isAtEnd = async (): Promise<boolean> => {
    const all = await projectionStatus({ store, projections, databases });
    return all.length >= projections.length && all.every(({ lagEvents }) => lagEvents === 0);
  };
  await until('all projections reach the end of the tape', isAtEnd, 120_000);
};

/** Compares every read model with one that is projected from the beginning of the tape, and counts parked events. */
export const readModelProblems = async ({ store, databases }: ProductData): Promise<readonly string[]> => {
  const problems: string[] = [];
  for (const projection of projections) {
    const pool = poolOf(databases, projection);
    await rebuildInto({ store, projection, pool });
    const [kept, rebuilt] = [
      await dumpReadModel(pool, projection),
      await dumpReadModel(pool, projection, '_check'),
    ];
    if (kept !== rebuilt) problems.push(`the read model ${projection.name} differs from a rebuild`);
  }
  for (const { projection, parked } of await projectionStatus({ store, projections, databases })) {
    if (parked > 0) problems.push(`${projection} has ${parked} parked events`);
  }
  return problems;
};

const queries = [
  `${explorerRoutes.filtered}?limit=100&sort_by=likes`,
  `${explorerRoutes.filtered}?limit=100&page=2&sort_order=asc`,
  `${explorerRoutes.explore}?limit=12`,
  `${explorerRoutes.explore}?limit=12&search=macd&min_profit_factor=1`,
  `${explorerRoutes.explore}?limit=12&search=trend&sort_by=views`,
  explorerRoutes.indicatorTotals,
  explorerRoutes.ranges,
];

const answerOf = async (origin: string, path: string, cookie: string, position: bigint): Promise<string> => {
  let text = '';
  const isAnswered = async (): Promise<boolean> => {
    const response = await fetch(new URL(path, origin), {
      headers: { cookie, 'tape-position': String(position) },
    }).catch(() => undefined);
    text = (await response?.text()) ?? '';
    if (response && response.status < 500 && response.status !== 200) {
      throw new Error(`${origin} answers ${path} with ${response.status}: ${text}`);
    }
    return response?.status === 200 && response.headers.get('tape-stale') === null;
  };
  await until(`${origin} answers ${path} at position ${position}`, isAnswered);
  return JSON.stringify(JSON.parse(text), withSortedMembers);
};

/** JSON objects with the same members in another order are equal. */
const withSortedMembers = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** Compares the answers of search engines that have run all the time with those of one that has just loaded the catalogue. */
export const engineProblems = async (
  running: readonly string[],
  fresh: string,
  cookie: string,
  position: bigint,
): Promise<readonly string[]> => {
  const problems: string[] = [];
  for (const path of queries) {
    const expected = await answerOf(fresh, path, cookie, position);
    for (const origin of running) {
      const answer = await answerOf(origin, path, cookie, position);
      if (answer !== expected)
        problems.push(`the search engine of ${origin} answers ${path} with ${answer}, not ${expected}`);
    }
  }
  return problems;
};
