import type { estypes } from '@elastic/elasticsearch';
import { facetFields } from '../../../contract.ts';

/** Raised with every change of the fields or of what stands in them: a new index is then built beside the old. */
export const mappingVersion = 1;

/** Words of at most this many characters are found by a term of their own, longer ones by their beginning. */
export const longestStart = 3;

const keyword: estypes.MappingProperty = { type: 'keyword' };
/** Only looked for, never sorted or counted. */
const soughtKeyword: estypes.MappingProperty = { type: 'keyword', doc_values: false };
const long: estypes.MappingProperty = { type: 'long' };
const day: estypes.MappingProperty = { type: 'integer' };
const flag: estypes.MappingProperty = { type: 'boolean' };

/**
 * Fields of the index. All of them run on a server with its core modules only: figures are whole numbers of
 * grains, and texts come folded and cut into words by the functions that fold and cut the query.
 */
export const indexMappings = (editions: Readonly<{ mapping: number }>): estypes.MappingTypeMapping => ({
  dynamic: 'strict',
  _meta: editions,
  properties: {
    /** `row`; `gone` for a strategy that was withdrawn; `catalogue` for the one document about the whole. */
    kind: keyword,
    urlId: keyword,
    version: long,
    words: soughtKeyword,
    starts: soughtKeyword,
    foldedSymbol: soughtKeyword,
    labels: { type: 'keyword', ignore_above: 2_000 },
    pineVersion: keyword,
    publishedDay: day,
    backtestingStartDay: day,
    backtestingEndDay: day,
    ...Object.fromEntries(facetFields.map((field) => [field, long])),
    totalTrades: { type: 'double' },
    performance: flag,
    enhanced: flag,
    demo: flag,
    /** What the list shows of a row; of the one document about the whole, where the catalogue stands. */
    shown: { type: 'object', enabled: false },
  },
});

/** One shard, so that all that one refresh shows is of one moment; the writer alone decides when that is. */
export const indexSettings: estypes.IndicesIndexSettings = {
  number_of_shards: 1,
  auto_expand_replicas: '0-1',
  refresh_interval: '-1',
};

export const indexDefinition = (): Pick<estypes.IndicesCreateRequest, 'mappings' | 'settings'> => ({
  settings: { index: indexSettings },
  mappings: { ...indexMappings({ mapping: mappingVersion }), _source: { includes: ['kind', 'shown'] } },
});
