import { setTimeout as wait } from 'node:timers/promises';
import type { EventStore, Position, RecordedEvent, RowChange, TapePage } from '@tapedeck/eventing';
import type { ProjectorLogger } from '@tapedeck/eventing/projections';
import { messageOf } from '@tapedeck/kernel';
import type pg from 'pg';
import { createCatchUpState, type CatchUpState } from '../../catalogue/catch-up-state.ts';
import { explorerStrategies, updatesOf } from '../../projections/explorer-strategies.ts';
import type { EngineFeed } from '../../search-backend.ts';
import type { RowUpdate } from '../../search-port.ts';
import type { ColumnarEngine } from './engine.ts';
import { createEdgeKeeper, type EdgeKeeper } from './edge-keeper.ts';
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

/** Puts the changes of several pages together, so that the engine takes them at once. */
type Gathering = Readonly<{
  /** True when it is time to flush. */
  add: (page: TapePage) => boolean;
  /** Gives what was gathered to the engine; false when there was nothing. */
  flush: () => Promise<boolean>;
}>;

/** Milliseconds; an import is one long row of changes, and must show while it runs. */
const longestGathering = 200;
const mostGathered = 1_000;

/** The fold of the read model; an event that it throws at is left out, as the projector leaves it out. */
const changesOf = (event: RecordedEvent, logger: ProjectorLogger): readonly RowChange[] => {
  try {
    return explorerStrategies.fold([event]);
  } catch (error) {
    const { position, stream } = event;
    logger.error({ err: error, position: String(position), stream }, 'event left out of the explorer');
    return [];
  }
};

const gatherFor = (engine: ColumnarEngine, logger: ProjectorLogger): Gathering => {
  let updates: RowUpdate[] = [];
  let since = 0;
  let position: Position = engine.position();
  return {
    add: (page) => {
      if (updates.length === 0) since = performance.now();
      for (const event of page.events) updates.push(...updatesOf(changesOf(event, logger), event.version));
      position = page.events.at(-1)?.position ?? position;
      const isLong = updates.length >= mostGathered || performance.now() - since >= longestGathering;
      return isLong || page.position >= page.head;
    },
    flush: async () => {
      if (updates.length === 0) return false;
      const gathered = updates;
      updates = [];
      await engine.apply(gathered, position);
      return true;
    },
  };
};

/** Loads the read model and follows the tape from there, until the signal or a failure ends it. */
const follow = async (
  { store, catalogue, engine, logger }: FeedOptions,
  edges: EdgeKeeper,
  standing: CatchUpState,
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
export const startColumnarFeed = (options: FeedOptions): EngineFeed => {
  const { catalogue, engine, logger } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const standing = createCatchUpState();
  const edges = createEdgeKeeper(catalogue, engine);

  const run = async (): Promise<void> => {
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        await follow(options, edges, standing, signal);
      } catch (error) {
        if (signal.aborted) return;
        logger.error({ err: error, failures }, `explorer begins again: ${messageOf(error)}`);
        const backoffMs = Math.min(minBackoffMs * 2 ** failures, maxBackoffMs);
        await wait(backoffMs, undefined, { signal }).catch(() => {});
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
