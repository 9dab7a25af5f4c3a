import type { Client } from '@elastic/elasticsearch';
import type pg from 'pg';
import {
  computeEdges,
  edgesOutgrown,
  type KnownCounts,
  type SortedFigures,
} from '@tapedeck/search-engine/catalogue';
import { newestEdges, storeEdges } from '@tapedeck/search-engine/read-model';
import { facetFields, facetRecord, type FacetField } from '@tapedeck/search-engine/contract';
import { fromScaled, scaledInfinity } from '../index/scaled-integers.ts';
import type { AggregationResult } from '../requests/aggregations.ts';

const options = { requestTimeout: 30_000 };
const pageSize = 10_000;

/** Rows with a known value, by field. */
const knownCounts = async (client: Client, index: string): Promise<KnownCounts> => {
  const filters = Object.fromEntries(facetFields.map((field) => [field, { exists: { field } }]));
  const { aggregations } = await client.search(
    { index, size: 0, track_total_hits: false, aggs: { known: { filters: { filters } } } },
    options,
  );
  const known = aggregations?.['known'] as AggregationResult | undefined;
  return facetRecord((field) => known?.buckets?.[field]?.doc_count ?? 0);
};

type Page = Readonly<{
  ids: readonly string[];
  values: readonly Readonly<Record<string, readonly unknown[]>>[];
}>;

/** All rows of the query in pages: their ids and the values of these fields, without the documents. */
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
export const readDemoIds = async (client: Client, index: string): Promise<Set<string>> => {
  const ids = new Set<string>();
  for await (const page of scan(client, index, { term: { demo: true } }, [])) {
    for (const id of page.ids) ids.add(id);
  }
  return ids;
};

/** Without infinite ones: the last bin edge is the largest finite value. */
const finiteFigures = (field: FacetField, values: Page['values']): readonly number[] =>
  values
    .map((row) => row[field]?.[0])
    .filter((scaled) => typeof scaled === 'number')
    .filter((scaled) => scaled !== scaledInfinity)
    .map((scaled) => fromScaled(field, scaled));

const sortedFigures = async (client: Client, index: string): Promise<SortedFigures> => {
  const figures = facetRecord((): number[] => []);
  for await (const { values } of scan(client, index, { term: { kind: 'row' } }, facetFields)) {
    for (const field of facetFields) figures[field].push(...finiteFigures(field, values));
  }
  return facetRecord((field) => Float64Array.from(figures[field]).sort());
};

/**
 * Version of the bin edges for the rows that are visible in the index: the newest one, or one computed now when the
 * catalogue has outgrown it. Both engines share the stored edges.
 */
export const ensureEdges = async (client: Client, index: string, pool: pg.Pool): Promise<number> => {
  const known = await knownCounts(client, index);
  const { version, usable } = await newestEdges(pool);
  if (!edgesOutgrown(usable, known)) return usable ? version : 0;
  const edges = computeEdges(await sortedFigures(client, index));
  await storeEdges(pool, { version: version + 1, known, edges });
  return (await newestEdges(pool)).version;
};
