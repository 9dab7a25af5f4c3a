import type { EventStore, Position, RecordedEvent, RowChange, TapePage } from '@tapedeck/eventing';
import { messageOf } from '@tapedeck/kernel';
import type pg from 'pg';
import type { ColumnarEngine } from '../adapters/columnar/engine.ts';
import { explorerStrategies } from '../projections/explorer-strategies.ts';
import type { RowUpdate } from '../search-port.ts';
import { createEdgeKeeper } from './edge-keeper.ts';
import { loadCatalogue } from './load-catalogue.ts';
import { createPositionWaits, type PositionWaits } from './position-waits.ts';
import { updatesOf } from './stored-rows.ts';

/** pino has this shape. */
export type FeedLogger = Readonly<
  Record<'info' | 'warn' | 'error', (details: object, message: string) => void>
>;

export type FeedOptions = Readonly<{
  store: EventStore;
  /** The database of the read model. */
  catalogue: pg.Pool;
  engine: ColumnarEngine;
  logger: FeedLogger;
}>;

/** Keeps the engine at the end of the tape. */
export type ExplorerFeed = Readonly<{
  /** Settles when the engine has everything that was on the tape at the start. */
  ready: Promise<void>;
  isReady: () => boolean;
  /** Whether the engine has reached a position on the tape, waiting for it at most `timeoutMs`. */
  waitFor: PositionWaits['waitFor'];
  /** Calls after every change of the catalogue, with its position; returns how to end that. */
  onChange: (listener: (position: Position) => void) => () => void;
  stop: () => Promise<void>;
}>;

const batchSize = 500;
/** Changes are put together for this long, or until they are so many, before the engine takes them at once. */
const longestGathering = 200;
const mostGathered = 1_000;
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

/** The fold of the read model; an event that it throws at is left out, as the projector leaves it out. */
const changesOf = (events: readonly RecordedEvent[], logger: FeedLogger): readonly RowChange[] => {
  try {
    return explorerStrategies.fold(events);
  } catch {
    return events.flatMap((event) => {
      try {
        return explorerStrategies.fold([event]);
      } catch (error) {
        logger.error(
          { err: error, position: String(event.position), stream: event.stream },
          'event left out',
        );
        return [];
      }
    });
  }
};

type Gathered = { updates: RowUpdate[]; since: number; position: Position };

/** Starts at once; what fails is tried again from the read model, for as long as it takes. */
export const startExplorerFeed = ({ store, catalogue, engine, logger }: FeedOptions): ExplorerFeed => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const waits = createPositionWaits();
  const edges = createEdgeKeeper(catalogue, engine);
  const listeners = new Set<(position: Position) => void>();
  let ready = false;
  let tellReady = (): void => {};
  const whenReady = new Promise<void>((resolve) => {
    tellReady = resolve;
  });

  let told: Position = -1n;
  let wait = shortestBackoff;

  const tellChange = (): void => {
    const position = engine.position();
    if (position === told) return;
    told = position;
    for (const listener of listeners) listener(position);
  };

  /** Without the database the present edges go on serving, and are looked at again with the next change. */
  const reviewEdges = (): Promise<void> =>
    edges.review().catch((error: unknown) => logger.warn({ err: error }, 'edges not reviewed'));

  const settle = async (gathered: Gathered, seen: Position, startHead: Position): Promise<void> => {
    const changed = gathered.updates.length > 0;
    if (changed) engine.apply(gathered.updates, gathered.position);
    gathered.updates = [];
    const catchingUp = !ready && seen < startHead;
    // Edges drawn from half a catalogue would stay for the whole of it.
    if (!catchingUp && (changed || !ready)) await reviewEdges();
    waits.reached(seen);
    wait = shortestBackoff;
    if (catchingUp) return;
    if (!ready)
      logger.info({ rows: engine.size(), position: String(seen) }, 'explorer is at the end of the tape');
    ready = true;
    tellReady();
    tellChange();
  };

  const gather = (gathered: Gathered, page: TapePage): boolean => {
    if (gathered.updates.length === 0) gathered.since = performance.now();
    gathered.updates.push(...updatesOf(changesOf(page.events, logger)));
    gathered.position = page.events.at(-1)?.position ?? gathered.position;
    return (
      page.position >= page.head ||
      gathered.updates.length >= mostGathered ||
      performance.now() - gathered.since >= longestGathering
    );
  };

  const follow = async (): Promise<void> => {
    const startHead = await store.head();
    const after = await loadCatalogue(catalogue, engine, await edges.newest());
    const gathered: Gathered = { updates: [], since: 0, position: engine.position() };
    await settle(gathered, after, startHead);
    const types = explorerStrategies.types;
    for await (const page of store.follow({ after, batchSize, types, signal })) {
      if (gather(gathered, page)) await settle(gathered, page.position, startHead);
    }
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        await follow();
      } catch (error) {
        logger.error({ err: error, wait }, `explorer begins again: ${messageOf(error)}`);
        await pause(wait, signal);
        wait = Math.min(wait * 2, longestBackoff);
      }
    }
  };
  const running = run();

  return {
    ready: whenReady,
    isReady: () => ready,
    waitFor: waits.waitFor,
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: async () => {
      stopping.abort();
      waits.close();
      listeners.clear();
      await running;
    },
  };
};
