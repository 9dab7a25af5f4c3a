import type { Client } from '@elastic/elasticsearch';
import type pg from 'pg';
import { facetFields, type FacetField, facetRecord } from '../../../contract.ts';
import { computeEdges, edgesOutgrown, type KnownCounts } from '../../../catalogue/edges.ts';
import { newestEdges, storeEdges } from '../../../catalogue/stored-edges.ts';
import type { Result } from '../requests/aggregations.ts';
import { fromGrains, infinite } from '../index/scaled-integers.ts';

const options = { requestTimeout: 30_000 };
const pageSize = 10_000;

/** Known values of every field among the rows that can be seen. */
const knownCounts = async (client: Client, index: string): Promise<KnownCounts> => {
  const filters = Object.fromEntries(facetFields.map((field) => [field, { exists: { field } }]));
  const { aggregations } = await client.search(
    { index, size: 0, track_total_hits: false, aggs: { known: { filters: { filters } } } },
    options,
  );
  const known = aggregations?.['known'] as Result | undefined;
  return facetRecord((field) => known?.buckets?.[field]?.doc_count ?? 0);
};

type Page = Readonly<{
  ids: readonly string[];
  values: readonly Readonly<Record<string, readonly unknown[]>>[];
}>;

/** All rows that pass, in pages: the values of these fields and no document. */
const scan = async function* (
  client: Client,
  index: string,
  query: Readonly<{ term: Readonly<Record<string, string | boolean>> }>,
  fields: readonly string[],
): AsyncGenerator<Page> {
  for (let after: string | undefined; ;) {
    const { hits } = await client.search(
      {
        index,
        query,
        size: pageSize,
        track_total_hits: false,
        sort: [{ urlId: 'asc' }],
        _source: false,
        docvalue_fields: [...fields],
        ...(after === undefined ? {} : { search_after: [after] }),
      },
      options,
    );
    const last = hits.hits.at(-1)?._id;
    if (last === undefined) return;
    yield {
      ids: hits.hits.map(({ _id }) => _id ?? ''),
      values: hits.hits.map((hit) => (hit.fields ?? {}) as Record<string, readonly unknown[]>),
    };
    after = last;
  }
};

/** Ids of the demo catalogue's rows. */
export const demoIds = async (client: Client, index: string): Promise<Set<string>> => {
  const ids = new Set<string>();
  for await (const page of scan(client, index, { term: { demo: true } }, [])) {
    for (const id of page.ids) ids.add(id);
  }
  return ids;
};

/** Finite values only: bins end where the largest of them is. */
const finiteFigures = (field: FacetField, values: Page['values']): readonly number[] =>
  values
    .map((row) => row[field]?.[0])
    .filter((grains) => typeof grains === 'number')
    .filter((grains) => grains !== infinite)
    .map((grains) => fromGrains(field, grains));

const sortedFigures = async (
  client: Client,
  index: string,
): Promise<Readonly<Record<FacetField, Float64Array>>> => {
  const figures = facetRecord((): number[] => []);
  for await (const { values } of scan(client, index, { term: { kind: 'row' } }, facetFields)) {
    for (const field of facetFields) figures[field].push(...finiteFigures(field, values));
  }
  return facetRecord((field) => Float64Array.from(figures[field]).sort());
};

/**
 * The version of the edges for what can be seen in the index: the newest one, or one that is drawn now because
 * the catalogue has outgrown it. Both engines share them (D12).
 */
export const reviewEdges = async (client: Client, index: string, pool: pg.Pool): Promise<number> => {
  const known = await knownCounts(client, index);
  const { version, usable } = await newestEdges(pool);
  if (!edgesOutgrown(usable, known)) return usable ? version : 0;
  const edges = computeEdges(await sortedFigures(client, index));
  await storeEdges(pool, { version: version + 1, known, edges });
  return (await newestEdges(pool)).version;
};
