import type { EventStore } from '@tapedeck/eventing';
import type pg from 'pg';
import { createColumnarEngine } from '../adapters/columnar/engine.ts';
import type { SearchEngine } from '../search-port.ts';
import { startExplorerFeed, type ExplorerFeed } from './explorer-feed.ts';
import type { FeedLogger } from './feed-logger.ts';

/** An engine, and what brings it to the end of the tape and keeps it there. */
export type ExplorerBackend = Readonly<{
  engine: SearchEngine;
  /** Begins to follow the tape; called once, when the application starts. */
  follow: () => ExplorerFeed;
  /** True while rows of the demo catalogue are in. */
  hasDemo: () => boolean;
  /** True while the engine's server cannot be used: readers are told so, all else goes on (D20). */
  isAway: () => boolean;
  /** What a process is whose catalogue cannot be asked: of no use, or good for everything else. */
  unready: 'down' | 'degraded';
}>;

export type BackendSurroundings = Readonly<{
  store: EventStore;
  /** The database of the read model. */
  catalogue: pg.Pool;
  logger: FeedLogger;
}>;

/** Everything in this process: no server, no waiting. */
export const columnarBackend = (surroundings: BackendSurroundings): ExplorerBackend => {
  const engine = createColumnarEngine();
  return {
    engine,
    follow: () => startExplorerFeed({ ...surroundings, engine }),
    hasDemo: () => engine.hasDemo(),
    isAway: () => false,
    unready: 'down',
  };
};
