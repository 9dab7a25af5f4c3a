import type { estypes } from '@elastic/elasticsearch';
import { facetFields, type FacetField } from '../../../contract.ts';
import type { DayRange, NumberRange, SearchFilter } from '../../../search-port.ts';
import { foldSymbol, wordsOf } from '../../../catalogue/text.ts';
import { dayNumber } from '../index/documents.ts';
import { firstAtLeast, lastAtMost } from '../index/scaled-integers.ts';
import { longestStart } from '../index/mapping.ts';

export type Clause = estypes.QueryDslQueryContainer;

const isRow: Clause = { term: { kind: 'row' } };
/** A terms query takes so many at once. */
const mostTerms = 60_000;

const wordClause = (word: string): Clause =>
  Array.from(word).length <= longestStart ? { term: { starts: word } } : { prefix: { words: word } };

/** Every word must begin a word of the row (D8). */
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
  const parts = Array.from({ length: Math.ceil(ids.length / mostTerms) }, (_, at) =>
    ids.slice(at * mostTerms, (at + 1) * mostTerms),
  );
  if (parts.length === 0) return [{ match_none: {} }];
  return [{ bool: { should: parts.map((part): Clause => ({ terms: { urlId: part } })) } }];
};

const symbolClauses = (symbol: string): readonly Clause[] => {
  const folded = foldSymbol(symbol);
  return folded === '' ? [] : [{ prefix: { foldedSymbol: folded } }];
};

/** All filters but words and ranges. */
const plainClauses = (filter: SearchFilter): readonly Clause[] => [
  ...symbolClauses(filter.symbol),
  ...(filter.pineVersion === null ? [] : [{ term: { pineVersion: String(filter.pineVersion) } }]),
  ...dayClauses('publishedDay', filter.published),
  ...dayClauses('backtestingStartDay', { from: filter.backtested.from, to: null }),
  ...dayClauses('backtestingEndDay', { from: null, to: filter.backtested.to }),
  ...(filter.hasPerformance ? [{ term: { performance: true } }] : []),
  ...(filter.hasEnhanced ? [{ term: { enhanced: true } }] : []),
  ...amongClauses(filter.among),
];

export const isActive = ({ low, high }: NumberRange): boolean => low !== -Infinity || high !== Infinity;

export const rangeClause = (field: FacetField, { low, high }: NumberRange): Clause => ({
  range: {
    [field]: {
      ...(low === -Infinity ? {} : { gte: firstAtLeast(field, low) }),
      ...(high === Infinity ? {} : { lte: lastAtMost(field, high) }),
    },
  },
});

/** The active ranges but those of `without`. */
export const rangeClauses = (filter: SearchFilter, without: readonly FacetField[]): readonly Clause[] =>
  facetFields
    .filter((field) => isActive(filter.ranges[field]) && !without.includes(field))
    .map((field) => rangeClause(field, filter.ranges[field]));

const all = (clauses: readonly Clause[]): Clause => ({ bool: { filter: [isRow, ...clauses] } });

export const wholeCatalogue: Clause = all([]);

/** Everything but the ranges. */
export const restQuery = (filter: SearchFilter): Clause =>
  all([...wordClauses(filter.search), ...plainClauses(filter)]);

/** The same without the words. */
export const wordlessQuery = (filter: SearchFilter): Clause =>
  all([...plainClauses(filter), ...rangeClauses(filter, [])]);

/** The whole filter; the ranges of these fields left out. */
export const filterQuery = (filter: SearchFilter, without: readonly FacetField[] = []): Clause =>
  all([...wordClauses(filter.search), ...plainClauses(filter), ...rangeClauses(filter, without)]);
