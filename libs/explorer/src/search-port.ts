import type { FacetField, FieldRange, Histogram, Scale, SortField, SortOrder } from './contract.ts';

/** What the explorer knows of one strategy; null is unknown. Dates are `YYYY-MM-DD`. */
export type ExplorerRow = Readonly<{
  urlId: string;
  title: string;
  author: string | null;
  description: string | null;
  /** Indicators by their labels. */
  categories: readonly string[];
  /** Other spellings of the indicators, to be found by as well. */
  spellings: readonly string[];
  symbol: string | null;
  pineVersion: number | null;
  publicationDate: string | null;
  backtestingStart: string | null;
  backtestingEnd: string | null;
  /** Infinity stands for a profit factor without a losing trade. */
  figures: Readonly<Record<FacetField, number | null>>;
  totalTrades: number | null;
  /** D15: a description, and at least one of initial capital and commission. */
  enhanced: boolean;
  /** True for a row of the demo catalogue. */
  demo: boolean;
}>;

/** Inclusive; `-Infinity` and `Infinity` are open bounds, both open is an inactive range (D10). */
export type NumberRange = Readonly<{ low: number; high: number }>;
/** Inclusive days, `YYYY-MM-DD`; null is open. */
export type DayRange = Readonly<{ from: string | null; to: string | null }>;

export type SearchFilter = Readonly<{
  /** As typed; every word must begin a word of title, author, indicators or description (D8). */
  search: string;
  /** As typed; empty is no filter (D15). */
  symbol: string;
  pineVersion: number | null;
  published: DayRange;
  backtested: DayRange;
  hasPerformance: boolean;
  hasEnhanced: boolean;
  ranges: Readonly<Record<FacetField, NumberRange>>;
}>;

export type SearchPage = Readonly<{ sort: SortField; order: SortOrder; offset: number; limit: number }>;
/** A scale for every field whose histogram is wanted. */
export type HistogramScales = Readonly<Partial<Record<FacetField, Scale>>>;

/** One interaction: whatever is asked for is answered from one state of the catalogue. */
export type SearchQuery = Readonly<{
  filter: SearchFilter;
  /** Absent: no rows wanted. */
  page?: SearchPage;
  histograms?: HistogramScales;
  /** True: smallest and largest values under all filters but the eight ranges. */
  ranges?: boolean;
}>;

/** A row of the list; what is only searched stays in the index. */
export type SearchHit = Readonly<Omit<ExplorerRow, 'description' | 'spellings' | 'symbol' | 'pineVersion'>>;

export type SearchAnswer = Readonly<{
  /** Tape position of the newest change in this catalogue. */
  position: bigint;
  /** True while rows of the demo catalogue are in. */
  demo: boolean;
  total: number;
  hits: readonly SearchHit[];
  /** In the order of `facetFields`; each ignores the range of its own field. */
  histograms: readonly Histogram[];
  ranges: Readonly<Record<FacetField, FieldRange>> | null;
}>;

/**
 * The explorer's search. Every engine passes `testing/search-engine.contract.ts`, with equal answers.
 *
 * @example
 * const { total, hits } = await engine.search({
 *   filter: toSearchFilter({ search: 'macd', min_sharpe_ratio: 1 }),
 *   page: { sort: 'sharpe_ratio_all', order: 'desc', offset: 0, limit: 12 },
 * });
 */
export type SearchEngine = Readonly<{
  search: (query: SearchQuery) => Promise<SearchAnswer>;
}>;

/** A change of the catalogue, in tape order. */
export type RowUpdate = Readonly<{ op: 'put'; row: ExplorerRow }> | Readonly<{ op: 'remove'; urlId: string }>;
