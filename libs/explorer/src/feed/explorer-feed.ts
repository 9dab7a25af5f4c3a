import type { EventStore, Position } from '@tapedeck/eventing';
import { messageOf } from '@tapedeck/kernel';
import type pg from 'pg';
import type { ColumnarEngine } from '../adapters/columnar/engine.ts';
import { explorerStrategies } from '../projections/explorer-strategies.ts';
import { createEdgeKeeper, type EdgeKeeper } from './edge-keeper.ts';
import type { FeedLogger } from './feed-logger.ts';
import { gatherFor } from './gathering.ts';
import { connectionOf } from './load-catalogue.ts';
import { createStanding, type Standing } from './standing.ts';

export type FeedOptions = Readonly<{
  store: EventStore;
  /** The database of the read model. */
  catalogue: pg.Pool;
  engine: ColumnarEngine;
  logger: FeedLogger;
}>;

/** Keeps the engine at the end of the tape; ready when it has everything that was there at the start. */
export type ExplorerFeed = Pick<Standing, 'ready' | 'isReady' | 'waitFor' | 'onChange'> &
  Readonly<{ stop: () => Promise<void> }>;

const batchSize = 500;
const shortestBackoff = 100;
const longestBackoff = 5_000;

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });

/** Loads the read model and follows the tape from there, until the signal or a failure ends it. */
const follow = async (
  { store, catalogue, engine, logger }: FeedOptions,
  edges: EdgeKeeper,
  standing: Standing,
  signal: AbortSignal,
): Promise<void> => {
  const startHead = await store.head();
  const after = await engine.loadStored(connectionOf(catalogue), await edges.newest());
  const gathering = gatherFor(engine, logger);

  const settle = async (seen: Position): Promise<void> => {
    const changed = await gathering.flush();
    if (!standing.isReady() && seen < startHead) return standing.reached(seen);
    // Only now: edges drawn from half a catalogue would stay for the whole of it. Without the database the
    // present ones go on serving, and are looked at again with the next change.
    if (changed || !standing.isReady()) {
      await edges.review().catch((error: unknown) => logger.warn({ err: error }, 'edges not reviewed'));
    }
    standing.reached(seen);
    standing.caughtUp(engine.position());
  };

  await settle(after);
  const types = explorerStrategies.types;
  for await (const page of store.follow({ after, batchSize, types, signal })) {
    if (gathering.add(page)) await settle(page.position);
  }
};

/** Starts at once; what fails is tried again from the read model, for as long as it takes. */
export const startExplorerFeed = (options: FeedOptions): ExplorerFeed => {
  const { catalogue, engine, logger } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const standing = createStanding();
  const edges = createEdgeKeeper(catalogue, engine);

  const run = async (): Promise<void> => {
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        await follow(options, edges, standing, signal);
      } catch (error) {
        if (signal.aborted) return;
        logger.error({ err: error, failures }, `explorer begins again: ${messageOf(error)}`);
        await pause(Math.min(shortestBackoff * 2 ** failures, longestBackoff), signal);
      }
    }
  };
  const running = run();

  return {
    ready: standing.ready,
    isReady: standing.isReady,
    waitFor: standing.waitFor,
    onChange: standing.onChange,
    stop: async () => {
      stopping.abort();
      standing.close();
      // Also ends what the engine is about to load.
      await engine.close();
      await running;
    },
  };
};
