import type { estypes } from '@elastic/elasticsearch';
import { foldSymbol, wordsOf } from '@tapedeck/search-engine/catalogue';
import { facetFields, type FacetField } from '@tapedeck/search-engine/contract';
import type { DayRange, NumberRange, SearchFilter } from '@tapedeck/search-engine/port';
import { dayNumber } from '../index/documents.ts';
import { maxPrefixLength } from '../index/mapping.ts';
import { firstAtLeast, lastAtMost } from '../index/scaled-integers.ts';

export type Clause = estypes.QueryDslQueryContainer;

const isRow: Clause = { term: { kind: 'row' } };
/** Stays below the server's limit of 65,536 terms per clause. */
const maxTermsPerClause = 60_000;

const wordClause = (word: string): Clause =>
  Array.from(word).length <= maxPrefixLength ? { term: { starts: word } } : { prefix: { words: word } };

/** Every word must be the beginning of a word of the row. */
export const wordClauses = (search: string): readonly Clause[] =>
  [...new Set(wordsOf(search))].map(wordClause);

const dayClauses = (field: string, { from, to }: DayRange): readonly Clause[] => {
  if (from === null && to === null) return [];
  const bounds = {
    ...(from === null ? {} : { gte: dayNumber(from) }),
    ...(to === null ? {} : { lte: dayNumber(to) }),
  };
  return [{ range: { [field]: bounds } }];
};

const amongClauses = (ids: readonly string[] | undefined): readonly Clause[] => {
  if (ids === undefined) return [];
  const parts = Array.from({ length: Math.ceil(ids.length / maxTermsPerClause) }, (_, at) =>
    ids.slice(at * maxTermsPerClause, (at + 1) * maxTermsPerClause),
  );
  if (parts.length === 0) return [{ match_none: {} }];
  return [{ bool: { should: parts.map((part): Clause => ({ terms: { urlId: part } })) } }];
};

const symbolClauses = (symbol: string): readonly Clause[] => {
  const folded = foldSymbol(symbol);
  return folded === '' ? [] : [{ prefix: { foldedSymbol: folded } }];
};

/** All filters but the words and the ranges. */
const attributeClauses = (filter: SearchFilter): readonly Clause[] => [
  ...symbolClauses(filter.symbol),
  ...(filter.pineVersion === null ? [] : [{ term: { pineVersion: String(filter.pineVersion) } }]),
  ...dayClauses('publishedDay', filter.published),
  ...dayClauses('backtestingStartDay', { from: filter.backtested.from, to: null }),
  ...dayClauses('backtestingEndDay', { from: null, to: filter.backtested.to }),
  ...(filter.hasPerformance ? [{ term: { performance: true } }] : []),
  ...(filter.hasEnhanced ? [{ term: { enhanced: true } }] : []),
  ...amongClauses(filter.among),
];

const isActive = ({ low, high }: NumberRange): boolean => low !== -Infinity || high !== Infinity;

const rangeClause = (field: FacetField, { low, high }: NumberRange): Clause => ({
  range: {
    [field]: {
      ...(low === -Infinity ? {} : { gte: firstAtLeast(field, low) }),
      ...(high === Infinity ? {} : { lte: lastAtMost(field, high) }),
    },
  },
});

/** The active ranges, except those of the fields in `without`. */
export const rangeClauses = (filter: SearchFilter, without: readonly FacetField[]): readonly Clause[] =>
  facetFields
    .filter((field) => isActive(filter.ranges[field]) && !without.includes(field))
    .map((field) => rangeClause(field, filter.ranges[field]));

const all = (clauses: readonly Clause[]): Clause => ({ bool: { filter: [isRow, ...clauses] } });

export const wholeCatalogueQuery: Clause = all([]);

/** All filters but the ranges. */
export const queryWithoutRanges = (filter: SearchFilter): Clause =>
  all([...wordClauses(filter.search), ...attributeClauses(filter)]);

/** All filters but the words. */
export const queryWithoutWords = (filter: SearchFilter): Clause =>
  all([...attributeClauses(filter), ...rangeClauses(filter, [])]);

/** All filters, except the ranges of the fields in `without`. */
export const filterQuery = (filter: SearchFilter, without: readonly FacetField[] = []): Clause =>
  all([...wordClauses(filter.search), ...attributeClauses(filter), ...rangeClauses(filter, without)]);
