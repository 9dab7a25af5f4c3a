import type { BackendDependencies, SearchBackend } from '@tapedeck/search-engine/port';
import { createColumnarEngine } from './engine.ts';
import { startColumnarFeed } from './columnar-feed.ts';

/** The engine in this process; it needs no server. */
export const columnarBackend = (dependencies: BackendDependencies): SearchBackend => {
  const engine = createColumnarEngine();
  return {
    engine,
    follow: () => startColumnarFeed({ ...dependencies, engine }),
    hasDemo: () => engine.hasDemo(),
    isUnavailable: () => false,
    isBusy: engine.isBusy,
    healthWhenNotReady: 'down',
  };
};
