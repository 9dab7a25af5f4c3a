import type { estypes } from '@elastic/elasticsearch';
import { facetFields, rowVersion } from '@tapedeck/search-engine/contract';

/** Words of at most this many characters match an indexed prefix; longer ones need a prefix query. */
export const maxPrefixLength = 3;

const keyword: estypes.MappingProperty = { type: 'keyword' };
/** Only searched, never sorted or counted. */
const searchOnlyKeyword: estypes.MappingProperty = { type: 'keyword', doc_values: false };
const long: estypes.MappingProperty = { type: 'long' };
const day: estypes.MappingProperty = { type: 'integer' };
const flag: estypes.MappingProperty = { type: 'boolean' };

/**
 * Fields of the index. They need no server module beyond the core: figures are scaled integers, and texts are folded
 * and cut into words here, by the functions that also fold and cut the query.
 */
const mappings: estypes.MappingTypeMapping = {
  dynamic: 'strict',
  _meta: { mapping: rowVersion },
  properties: {
    /** `row`; `gone` for a withdrawn strategy; `catalogue` for the one document with the state of the index. */
    kind: keyword,
    urlId: keyword,
    version: long,
    words: searchOnlyKeyword,
    starts: searchOnlyKeyword,
    foldedSymbol: searchOnlyKeyword,
    labels: { type: 'keyword', ignore_above: 2_000 },
    pineVersion: keyword,
    publishedDay: day,
    backtestingStartDay: day,
    backtestingEndDay: day,
    ...Object.fromEntries(facetFields.map((field) => [field, long])),
    performance: flag,
    enhanced: flag,
    demo: flag,
    /** What a hit returns: the row of the list, or the state of the index. */
    shown: { type: 'object', enabled: false },
  },
  _source: { includes: ['kind', 'shown'] },
};

/** One shard and no automatic refresh: only the writer makes changes visible, all of a batch at once. */
const settings: estypes.IndicesIndexSettings = {
  number_of_shards: 1,
  auto_expand_replicas: '0-1',
  refresh_interval: '-1',
};

export const indexDefinition = (): Pick<estypes.IndicesCreateRequest, 'mappings' | 'settings'> => ({
  settings: { index: settings },
  mappings,
});
