import type pg from 'pg';
import type { ColumnarEngine } from '../adapters/columnar/engine.ts';
import { binCount, facetFields, scales } from '../contract.ts';
import { edgesOutgrown, type EdgeSet } from '../edges.ts';

/** Keeps the edges of the catalogue version in the database, so that every process and engine has the same. */
export type EdgeKeeper = Readonly<{
  /** The newest edges; null when there are none, or none that fit this program's bins. */
  newest: () => Promise<EdgeSet | null>;
  /** Begins a new version when the catalogue has outgrown the present one. */
  review: () => Promise<void>;
}>;

const fits = ({ edges }: EdgeSet): boolean =>
  facetFields.every((field) =>
    scales.every((scale) => edges[field]?.[scale]?.length === binCount[field] + 1),
  );

export const createEdgeKeeper = (pool: pg.Pool, engine: ColumnarEngine): EdgeKeeper => {
  let current: EdgeSet | null = null;
  let latestVersion = 0;

  const newest = async (): Promise<EdgeSet | null> => {
    const { rows } = await pool.query<EdgeSet>(
      'select version, known, edges from explorer_edges order by version desc limit 1',
    );
    const [latest] = rows;
    latestVersion = latest?.version ?? 0;
    current = latest && fits(latest) ? latest : null;
    return current;
  };

  const draw = async (): Promise<void> => {
    const drawn = await engine.drawEdges(latestVersion + 1);
    await pool.query(
      'insert into explorer_edges (version, known, edges) values ($1, $2, $3) on conflict (version) do nothing',
      [drawn.version, JSON.stringify(drawn.known), JSON.stringify(drawn.edges)],
    );
    // Another process may have been first with this version: what is stored counts.
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
