import type pg from 'pg';
import { edgesOutgrown, type EdgeSet } from '../../catalogue/edges.ts';
import { newestEdges, storeEdges } from '../../catalogue/stored-edges.ts';
import type { ColumnarEngine } from './engine.ts';

/** Keeps the engine's edges and those in the database the same, so that every process and engine has them. */
export type EdgeKeeper = Readonly<{
  /** The newest edges; null when there are none, or none that fit this program's bins. */
  newest: () => Promise<EdgeSet | null>;
  /** Begins a new version when the catalogue has outgrown the present one. */
  review: () => Promise<void>;
}>;

export const createEdgeKeeper = (pool: pg.Pool, engine: ColumnarEngine): EdgeKeeper => {
  let current: EdgeSet | null = null;
  let latestVersion = 0;

  const newest = async (): Promise<EdgeSet | null> => {
    const { version, usable } = await newestEdges(pool);
    latestVersion = version;
    current = usable;
    return current;
  };

  const draw = async (): Promise<void> => {
    await storeEdges(pool, await engine.drawEdges(latestVersion + 1));
    await newest();
  };

  return {
    newest,
    review: async () => {
      if (!edgesOutgrown(current, engine.knownCounts())) return;
      const before = latestVersion;
      await newest();
      if (latestVersion === before || edgesOutgrown(current, engine.knownCounts())) await draw();
      if (current) await engine.useEdges(current);
    },
  };
};
