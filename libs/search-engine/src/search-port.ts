import type { FacetField, FieldRange, Histogram, Scale, SortField, SortOrder } from './contract.ts';

/** What the explorer knows of one strategy; null is unknown. Dates are `YYYY-MM-DD`. */
export type ExplorerRow = Readonly<{
  urlId: string;
  /** Version of the strategy's stream that made this row: an older change never replaces a newer one. */
  version: number;
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
  /** Multiples of `unitsPerOne`; Infinity stands for a profit factor without a losing trade. */
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
  /** Only strategies with these ids; absent: all. */
  among?: readonly string[];
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
export type SearchHit = Readonly<Omit<ExplorerRow, 'version' | 'description' | 'spellings'>>;

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

/** Asks for everything that a drag of one slider can need. */
export type BrushQuery = Readonly<{
  /** The active field's own range is ignored. */
  filter: SearchFilter;
  active: FacetField;
  scales: Readonly<Record<FacetField, Scale>>;
}>;

/**
 * Counts per cell of the active axis, which `brushStops` divides. Stops s0 … s(m-1) cut it into 2m + 2 cells: below s0, exactly s0,
 * between s0 and s1, exactly s1, …, above s(m-1), unknown. A range [si, sj] is the cells 2i + 1 … 2j + 1; an
 * open low begins at cell 0, an open high ends at cell 2m, and both open take the unknown cell besides.
 */
export type BrushAnswer = Readonly<{
  position: bigint;
  stops: readonly number[];
  /** Rows per cell under all filters but the active range. */
  hits: Uint32Array;
  /** The other seven in the order of `facetFields`; each without its own range. */
  facets: readonly Readonly<{
    field: FacetField;
    scale: Scale;
    bins: number;
    /** Cell after cell, each with `bins` counts and then the count of unknown values. */
    counts: Uint32Array;
  }>[];
}>;

/** What each indicator, by its label, would find in place of the search, all other filters staying. */
export type IndicatorCounts = Readonly<{ position: bigint; counts: ReadonlyMap<string, number> }>;

export type ListOrder = Readonly<{ sort: SortField; order: SortOrder }>;

/** `signal` gives a question up: what is still to be done for it is not done, and the promise is rejected. */
export type RequestOptions = Readonly<{ signal?: AbortSignal }>;

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
  search: (query: SearchQuery, options?: RequestOptions) => Promise<SearchAnswer>;
  brush: (query: BrushQuery, options?: RequestOptions) => Promise<BrushAnswer>;
  countIndicators: (filter: SearchFilter, options?: RequestOptions) => Promise<IndicatorCounts>;
  /** The first `limit` rows (at most `maxWindow`) in pieces, all of one state of the catalogue. */
  list: (
    filter: SearchFilter,
    order: ListOrder,
    limit: number,
    options?: RequestOptions,
  ) => AsyncIterable<readonly SearchHit[]>;
  /** The strategies most like this one (`likeness.ts`), without itself; null when it is not in the catalogue. */
  similar: (urlId: string, limit: number, options?: RequestOptions) => Promise<readonly SearchHit[] | null>;
}>;

/**
 * A change of the catalogue. Changes of one strategy may come twice, late or in any order: what counts is the
 * one with the highest version.
 */
export type RowUpdate =
  Readonly<{ op: 'put'; row: ExplorerRow }> | Readonly<{ op: 'remove'; urlId: string; version: number }>;
