import { setTimeout as wait } from 'node:timers/promises';
import { readModelState } from '@tapedeck/eventing/projections';
import { messageOf } from '@tapedeck/kernel';
import { tryAdvisoryLock } from '@tapedeck/platform/advisory-lock';
import { explorerStrategies } from '@tapedeck/search-engine/read-model';
import { configurationProblem, retryDelayMs } from '../failures.ts';
import { pointAlias } from '../index/index-admin.ts';
import {
  announceIndex,
  readIndexStatus,
  recordProgress,
  recordRebuilt,
  type IndexStatus,
} from '../index/index-status.ts';
import type { IndexState } from '../index/index-state.ts';
import { checkIndex, identify, type OwnIndex } from './check-index.ts';
import { fillIndex } from './fill-index.ts';
import {
  createNextIndex,
  findLiveIndex,
  isOutdated,
  type IndexWriterOptions,
  type LiveIndex,
} from './find-index.ts';
import { updateIndex, type UpdateProgress } from './update-index.ts';

export type IndexWriter = Readonly<{ stop: () => Promise<void> }>;

/** Between two checks for a free lock, and between two checks of the index and for a requested rebuild. */
const pollIntervalMs = 1_000;
/** After a run of this length, earlier failures no longer delay the next attempt. */
const stableAfterMs = 60_000;

/** The time during which this process holds the lock. */
type WriterSession = IndexWriterOptions & {
  readonly signal: AbortSignal;
  /** Ends the updates of the index behind the alias. */
  stopLive: () => void;
  /** How the index behind the alias was filled; undefined while there is none. */
  live: IndexState | undefined;
  own: OwnIndex | undefined;
  isBuilding: boolean;
};

/** Updates the index behind the alias until another one takes its place. */
const updateLive = async (session: WriterSession, { index, ...contents }: LiveIndex): Promise<void> => {
  const { client, pool, store, alias, logger, signal } = session;
  const replaced = new AbortController();
  session.stopLive = () => replaced.abort();
  session.live = contents.state;
  session.own = await identify(client, index);
  const target = { client, index, logger, signal: AbortSignal.any([signal, replaced.signal]) };
  const onProgress = (progress: UpdateProgress): Promise<void> => recordProgress(pool, alias, progress);
  try {
    await updateIndex({ target, store, pool, onProgress }, contents);
  } catch (error) {
    if (!replaced.signal.aborted) throw error;
  }
};

/** Fills a new index, points the alias to it at the end of the tape, and then updates it. */
const buildIndex = async (session: WriterSession, rebuild: bigint): Promise<void> => {
  const { client, pool, store, alias, logger, signal } = session;
  session.isBuilding = true;
  const index = await createNextIndex(session);
  const replaced = new AbortController();
  const target = { client, index, logger, signal: AbortSignal.any([signal, replaced.signal]) };
  const contents = await fillIndex(target, pool, store);
  let isLive = false;
  const goLive = async (): Promise<void> => {
    await pointAlias(client, alias, index);
    session.stopLive();
    session.stopLive = () => replaced.abort();
    isLive = true;
    session.live = contents.state;
    session.own = await identify(client, index);
    logger.info({ index }, 'search index is live');
  };
  const onProgress = async ({ reached, hasNewState, atEnd }: UpdateProgress): Promise<void> => {
    const goesLive = !isLive && atEnd;
    if (goesLive) await goLive();
    if (isLive) await recordProgress(pool, alias, { reached, hasNewState: hasNewState || goesLive });
    if (!goesLive) return;
    await recordRebuilt(pool, alias, rebuild);
    session.isBuilding = false;
  };
  try {
    await updateIndex({ target, store, pool, onProgress }, contents);
  } catch (error) {
    if (!replaced.signal.aborted) throw error;
  }
};

/** Why the index cannot be used any longer; undefined when it can. The alias is pointed back to it when somebody has moved it. */
const reasonOfLoss = async ({
  client,
  pool,
  alias,
  own,
  logger,
}: WriterSession): Promise<string | undefined> => {
  if (!own) return undefined;
  const condition = await checkIndex(client, alias, own);
  if (typeof condition === 'object') return condition.lostBecause;
  if (condition !== 'alias moved') return undefined;
  logger.warn({ alias, index: own.index }, 'the alias of the search index was moved: it is pointed back');
  await pointAlias(client, alias, own.index);
  await announceIndex(pool, alias);
  return undefined;
};

/** Why the index behind the alias has to be replaced; undefined when it need not be. */
const reasonToReplace = async (
  { pool, live }: WriterSession,
  status: IndexStatus | null,
): Promise<string | undefined> => {
  if ((status?.rebuildRequested ?? 0n) > (status?.rebuildDone ?? 0n)) return 'it was requested';
  if (live && isOutdated(live, await readModelState(pool, explorerStrategies))) {
    return 'rows of the read model were replaced';
  }
  return undefined;
};

/** Starts to build a new index whenever one is needed. One at a time: the next one when the previous one is live. */
const watchForRebuilds = async (
  session: WriterSession,
  onStart: (run: Promise<void>) => void,
): Promise<void> => {
  const { pool, alias, logger, signal } = session;
  for (; !signal.aborted; await wait(pollIntervalMs, undefined, { signal })) {
    if (session.isBuilding) continue;
    const status = await readIndexStatus(pool, alias);
    const loss = await reasonOfLoss(session);
    if (loss !== undefined) session.stopLive();
    const reason = loss ?? (await reasonToReplace(session, status));
    if (reason === undefined) continue;
    logger.info({ alias, reason }, `search index is built again: ${reason}`);
    onStart(buildIndex(session, status?.rebuildRequested ?? 0n));
  }
};

/** Writes until the lock is lost; the first failure ends everything. */
const runSession = async (options: IndexWriterOptions, lockSignal: AbortSignal): Promise<void> => {
  const ending = new AbortController();
  const signal = AbortSignal.any([lockSignal, ending.signal]);
  const session: WriterSession = {
    ...options,
    signal,
    stopLive: () => {},
    live: undefined,
    own: undefined,
    isBuilding: false,
  };
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
    const live = await findLiveIndex(options);
    const requested = (await readIndexStatus(options.pool, options.alias))?.rebuildRequested ?? 0n;
    add(live ? updateLive(session, live) : buildIndex(session, requested));
    add(watchForRebuilds(session, add));
    signal.addEventListener('abort', () => fail(signal.reason));
    await failed;
  } finally {
    ending.abort();
    await Promise.allSettled(running);
  }
};

/**
 * Keeps the search index at the end of the tape. One process at a time writes; another one takes over when the
 * writer's connection to the database ends. Failures are retried without limit.
 *
 * @example
 * const writer = startIndexWriter({ client, pool, store, alias: aliasOf('tapedeck-explorer'), logger });
 */
export const startIndexWriter = (options: IndexWriterOptions): IndexWriter => {
  const { pool, alias, logger } = options;
  const stopping = new AbortController();
  const { signal } = stopping;

  const runWithLock = async (): Promise<void> => {
    const lock = await tryAdvisoryLock(pool, { of: 'indexWriter', name: alias }, signal);
    if (!lock) return;
    try {
      await runSession(options, lock.signal);
    } finally {
      await lock.release();
    }
  };
  const run = async (): Promise<void> => {
    for (let failures = 0; !signal.aborted;) {
      const startedAt = performance.now();
      try {
        await runWithLock();
        await wait(pollIntervalMs, undefined, { signal });
      } catch (error) {
        if (signal.aborted) return;
        failures = performance.now() - startedAt > stableAfterMs ? 0 : failures + 1;
        const message = configurationProblem(error) ?? messageOf(error);
        logger.error({ err: error, failures }, `search index writer failed, retrying: ${message}`);
        await wait(retryDelayMs(failures), undefined, { signal }).catch(() => {});
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
