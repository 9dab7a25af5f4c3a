import type pg from 'pg';
import { scales } from './facet-row.ts';
import { facetFields, facetRecord, facets } from './facets.ts';
import { computeEdges, type EdgeSet, type FacetEdges } from './edges.ts';

/** True when the edges fit the bins of this version of the program. */
const fits = ({ edges }: EdgeSet): boolean =>
  facetFields.every((field) =>
    scales.every((scale) => edges[field]?.[scale]?.length === facets[field].bins + 1),
  );

export type NewestEdges = Readonly<{
  /** 0 when no edges are stored. */
  version: number;
  /** Null when no edges are stored, or when they do not fit the bins of this version of the program. */
  usable: EdgeSet | null;
}>;

export const newestEdges = async (pool: pg.Pool): Promise<NewestEdges> => {
  const { rows } = await pool.query<EdgeSet>(
    'select version, known, edges from explorer_edges order by version desc limit 1',
  );
  const [latest] = rows;
  return { version: latest?.version ?? 0, usable: latest && fits(latest) ? latest : null };
};

/** Does nothing when another process has already stored this version: the stored edges count. */
export const storeEdges = async (pool: pg.Pool, { version, known, edges }: EdgeSet): Promise<void> => {
  await pool.query(
    'insert into explorer_edges (version, known, edges) values ($1, $2, $3) on conflict (version) do nothing',
    [version, JSON.stringify(known), JSON.stringify(edges)],
  );
};

/** The edges of a catalogue without any value. */
const emptyEdges = (): FacetEdges => computeEdges(facetRecord(() => new Float64Array(0)));

/** The edges of a version; those of an empty catalogue when the version is not stored or does not fit. */
export const edgesOfVersion = async (pool: pg.Pool, version: number): Promise<FacetEdges> => {
  const { rows } = await pool.query<EdgeSet>(
    'select version, known, edges from explorer_edges where version = $1',
    [version],
  );
  const [found] = rows;
  return found && fits(found) ? found.edges : emptyEdges();
};
