import { setTimeout as wait } from 'node:timers/promises';
import { messageOf } from '@tapedeck/kernel';
import { wrongServer } from '../failures.ts';
import { pointAlias } from '../index/index-admin.ts';
import { readNotice, tellReached, tellRebuilt, tellState } from '../index/index-status.ts';
import { waitBefore } from './retry-policy.ts';
import { fillIndex } from './fill-index.ts';
import { beginIndex, findIndex, type FoundIndex, type IndexPlace } from './find-index.ts';
import { followTape, type Progress } from './update-index.ts';
import { tryLock } from './lock.ts';

export type IndexWriter = Readonly<{ stop: () => Promise<void> }>;

/** Milliseconds between two looks: whether the lock is free, whether a rebuild is wanted. */
const lookInterval = 1_000;

/** The index that answers, and the one that is to. */
type Tenure = IndexPlace & {
  readonly signal: AbortSignal;
  /** Ends the run of the index that answers. */
  endLive: () => void;
};

/** Follows the tape into an index that answers already, until it is replaced. */
const keepLive = async (tenure: Tenure, { index, ...found }: FoundIndex): Promise<void> => {
  const { client, pool, store, alias, logger, signal } = tenure;
  const replaced = new AbortController();
  tenure.endLive = () => replaced.abort();
  const own = AbortSignal.any([signal, replaced.signal]);
  const tell = ({ reached, changed }: Progress): Promise<void> =>
    changed ? tellState(pool, alias, reached) : tellReached(pool, alias, reached);
  try {
    await followTape({ writing: { client, index, logger, signal: own }, store, pool, tell }, found);
  } catch (error) {
    if (!replaced.signal.aborted) throw error;
  }
};

/** Fills a new index beside the one that answers; at the end of the tape it takes its place, in one step. */
const replaceLive = async (tenure: Tenure, wish: bigint): Promise<void> => {
  const { client, pool, store, alias, logger, signal } = tenure;
  const index = await beginIndex(tenure);
  const replaced = new AbortController();
  const own = AbortSignal.any([signal, replaced.signal]);
  const writing = { client, index, logger, signal: own };
  let isLive = false;
  const goLive = async (): Promise<void> => {
    await pointAlias(client, alias, index);
    tenure.endLive();
    tenure.endLive = () => replaced.abort();
    isLive = true;
    logger.info({ index }, 'search index answers');
  };
  const tell = async ({ reached, changed, atEnd }: Progress): Promise<void> => {
    const begins = !isLive && atEnd;
    if (begins) await goLive();
    if (isLive) await (changed || begins ? tellState : tellReached)(pool, alias, reached);
    if (begins) await tellRebuilt(pool, alias, wish);
  };
  try {
    await followTape({ writing, store, pool, tell }, await fillIndex(writing, pool));
  } catch (error) {
    if (!replaced.signal.aborted) throw error;
  }
};

/** Begins to build a new index whenever somebody wishes for one. */
const heedWishes = async (
  tenure: Tenure,
  first: bigint,
  begin: (run: Promise<void>) => void,
): Promise<void> => {
  const { pool, alias, signal } = tenure;
  for (let heeded = first; !signal.aborted; await wait(lookInterval, undefined, { signal })) {
    const notice = await readNotice(pool, alias);
    const [wish, done] = [notice?.rebuildWanted ?? 0n, notice?.rebuildDone ?? 0n];
    // One at a time: the next begins when the one before answers.
    if (wish <= done || heeded > done) continue;
    heeded = wish;
    begin(replaceLive(tenure, wish));
  }
};

/** Works for as long as the lock is ours; the first failure ends all of it. */
const serve = async (place: IndexPlace, lock: AbortSignal): Promise<void> => {
  const ending = new AbortController();
  const signal = AbortSignal.any([lock, ending.signal]);
  const tenure: Tenure = { ...place, signal, endLive: () => {} };
  const running: Promise<void>[] = [];
  let fail = (_error: unknown): void => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const add = (run: Promise<void>): void => {
    running.push(run);
    run.catch(fail);
  };
  try {
    const found = await findIndex(place);
    const wish = (await readNotice(place.pool, place.alias))?.rebuildWanted ?? 0n;
    add(found ? keepLive(tenure, found) : replaceLive(tenure, wish));
    add(heedWishes(tenure, found ? 0n : wish, add));
    signal.addEventListener('abort', () => fail(signal.reason));
    await failed;
  } finally {
    ending.abort();
    await Promise.allSettled(running);
  }
};

/**
 * Keeps the search index at the end of the tape, for as long as it runs; one process at a time does, another
 * takes over when its connection to the database ends. What fails is tried again, however long it takes.
 *
 * @example
 * const writer = startIndexWriter({ client, pool, store, alias: aliasOf('tapedeck-explorer'), logger });
 */
export const startIndexWriter = (place: IndexPlace): IndexWriter => {
  const { pool, alias, logger } = place;
  const stopping = new AbortController();
  const { signal } = stopping;

  const turn = async (): Promise<boolean> => {
    const lock = await tryLock(pool, alias, signal);
    if (!lock) return false;
    try {
      await serve(place, lock.signal);
    } finally {
      await lock.release();
    }
    return true;
  };
  const run = async (): Promise<void> => {
    for (let failures = 0; !signal.aborted;) {
      const begun = performance.now();
      try {
        await turn();
        await wait(lookInterval, undefined, { signal });
      } catch (error) {
        if (signal.aborted) return;
        failures = performance.now() - begun > 60_000 ? 0 : failures + 1;
        const message = wrongServer(error) ?? messageOf(error);
        logger.error({ err: error, failures }, `search index is not written for now: ${message}`);
        await wait(waitBefore(failures), undefined, { signal }).catch(() => {});
      }
    }
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};
