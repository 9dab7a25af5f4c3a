import { setTimeout as wait } from 'node:timers/promises';
import type { EventStore, Position, TapePage } from '@tapedeck/eventing';
import {
  assertSameTape,
  foldEach,
  readModelState,
  type ProjectorLogger,
} from '@tapedeck/eventing/projections';
import { messageOf } from '@tapedeck/kernel';
import type pg from 'pg';
import {
  createCatchUpState,
  emptyState,
  explorerStrategies,
  isOfNewerProgram,
  newestEdges,
  storeEdges,
  updatesOf,
  whenRowsAreAhead,
  whenRowsAreReplaced,
  type CatchUpState,
  type CopiedState,
  type RowsWatch,
} from '@tapedeck/search-engine/read-model';
import { edgesOutgrown, type EdgeSet } from '@tapedeck/search-engine/catalogue';
import type { EngineFeed, RowUpdate } from '@tapedeck/search-engine/port';
import type { ColumnarEngine } from './engine.ts';
import { connectionOf } from './writing/load-catalogue.ts';

export type FeedOptions = Readonly<{
  store: EventStore;
  /** The database of the read model. */
  catalogue: pg.Pool;
  engine: ColumnarEngine;
  logger: ProjectorLogger;
}>;

const batchSize = 500;
const minBackoffMs = 100;
const maxBackoffMs = 5_000;

/** Collects the updates of several pages, so that the engine applies them together. */
type UpdateBuffer = Readonly<{
  /** Returns true when it is time to flush. */
  add: (page: TapePage) => boolean;
  /** Applies the collected updates to the engine; returns false when there are none. */
  flush: () => Promise<boolean>;
}>;

/** An import is a long series of updates, which should become visible while it runs. */
const maxBufferMs = 200;
const maxBufferedUpdates = 1_000;

/** Folds the events as the runner of the read model does: skips those that it parks. */
const createUpdateBuffer = (
  engine: ColumnarEngine,
  logger: ProjectorLogger,
  blocked: Set<string>,
): UpdateBuffer => {
  let updates: RowUpdate[] = [];
  let startedAt = 0;
  let position: Position = engine.position();
  const updatesIn = ({ events }: TapePage): readonly RowUpdate[] => {
    const { folded, parked } = foldEach(explorerStrategies, events, blocked);
    for (const { event, key, error } of parked) {
      if (error !== undefined)
        logger.error({ position: String(event.position), key, error }, 'event skipped by the search engine');
    }
    position = folded.at(-1)?.event.position ?? position;
    return folded.flatMap(({ event, changes }) => updatesOf(changes, event.version));
  };
  return {
    add: (page) => {
      if (updates.length === 0) startedAt = performance.now();
      updates.push(...updatesIn(page));
      const isFull = updates.length >= maxBufferedUpdates || performance.now() - startedAt >= maxBufferMs;
      return isFull || page.position >= page.head;
    },
    flush: async () => {
      if (updates.length === 0) return false;
      const batch = updates;
      updates = [];
      await engine.apply(batch, position);
      return true;
    },
  };
};

/** Keeps the engine's edges equal to those in the database, so that all processes and engines use the same ones. */
type EdgeSync = Readonly<{
  /** The newest stored edges; null when none are stored, or when they do not fit the bins of this program. */
  newest: () => Promise<EdgeSet | null>;
  /** Stores and uses a new version when the catalogue has outgrown the current one. */
  refresh: () => Promise<void>;
}>;

const createEdgeSync = (pool: pg.Pool, engine: ColumnarEngine): EdgeSync => {
  let current: EdgeSet | null = null;
  let latestVersion = 0;

  const newest = async (): Promise<EdgeSet | null> => {
    const { version, usable } = await newestEdges(pool);
    latestVersion = version;
    current = usable;
    return current;
  };

  const storeNextVersion = async (): Promise<void> => {
    await storeEdges(pool, await engine.computeEdges(latestVersion + 1));
    await newest();
  };

  return {
    newest,
    refresh: async () => {
      if (!edgesOutgrown(current, engine.knownCounts())) return;
      const before = latestVersion;
      await newest();
      if (latestVersion === before || edgesOutgrown(current, engine.knownCounts())) await storeNextVersion();
      if (current) await engine.useEdges(current);
    },
  };
};

/** Loads the rows of the read model, if they are of this tape. */
const loadRows = async (
  { store, catalogue, engine }: FeedOptions,
  edges: EdgeSync,
  signal: AbortSignal,
): Promise<CopiedState> => {
  const stored = await readModelState(catalogue, explorerStrategies);
  if (stored) await assertSameTape(store, explorerStrategies, stored, signal);
  return (await engine.loadStored(connectionOf(catalogue), await edges.newest())) ?? emptyState;
};

/** Loads the read model and follows the tape from there, until the rows are replaced, the signal aborts or a step fails. */
const loadAndFollow = async (
  options: FeedOptions,
  edges: EdgeSync,
  catchUp: CatchUpState,
  signal: AbortSignal,
): Promise<void> => {
  const { store, catalogue, engine, logger } = options;
  const startHead = await store.head();
  const copied = await loadRows(options, edges, signal);
  const after = copied.position;
  const blocked = new Set(copied.blockedKeys);
  const buffer = createUpdateBuffer(engine, logger, blocked);
  let reached = after;

  const publish = async (seen: Position): Promise<void> => {
    const changed = await buffer.flush();
    if (!catchUp.isReady() && seen < startHead) return catchUp.reached(seen);
    // Not before the end of the tape: edges of half a catalogue would be used for all of it. Without the database the
    // current edges stay in use, and are compared again after the next change.
    if (changed || !catchUp.isReady()) {
      await edges.refresh().catch((error: unknown) => logger.warn({ err: error }, 'edges not refreshed'));
    }
    catchUp.reached(seen);
    catchUp.caughtUp(engine.position());
  };

  await publish(after);
  const ending = new AbortController();
  const watch: RowsWatch = {
    catalogue,
    copied,
    reached: () => reached,
    isBlocked: () => blocked.size > 0,
    logger,
    signal: AbortSignal.any([signal, ending.signal]),
  };
  const watching = whenRowsAreReplaced(watch).finally(() => ending.abort());
  try {
    const types = explorerStrategies.types;
    for await (const page of store.follow({ after, batchSize, types, signal: watch.signal })) {
      reached = page.position;
      if (buffer.add(page)) await publish(page.position);
    }
  } catch (error) {
    if (!isOfNewerProgram(error)) throw error;
    logger.error({ err: error }, `search engine waits for the rows of a newer program: ${messageOf(error)}`);
    await publish(reached);
    await whenRowsAreAhead(watch);
  } finally {
    ending.abort();
    await watching;
  }
};

/** Starts at once. After a failure it starts again from the read model, with increasing delays. */
export const startColumnarFeed = (options: FeedOptions): EngineFeed => {
  const { catalogue, engine, logger } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const catchUp = createCatchUpState();
  const edges = createEdgeSync(catalogue, engine);

  const run = async (): Promise<void> => {
    for (let failures = 0; !signal.aborted;) {
      try {
        await loadAndFollow(options, edges, catchUp, signal);
        failures = 0;
        if (!signal.aborted) logger.info({}, 'search engine loads its rows again: they were replaced');
      } catch (error) {
        if (signal.aborted) return;
        logger.error({ err: error, failures }, `search engine feed restarts: ${messageOf(error)}`);
        const backoffMs = Math.min(minBackoffMs * 2 ** failures++, maxBackoffMs);
        await wait(backoffMs, undefined, { signal }).catch(() => {});
      }
    }
  };
  const running = run();

  return {
    ready: catchUp.ready,
    isReady: catchUp.isReady,
    waitFor: catchUp.waitFor,
    onChange: catchUp.onChange,
    stop: async () => {
      stopping.abort();
      catchUp.close();
      // Also ends a load that is running.
      await engine.close();
      await running;
    },
  };
};
