import type { FacetField, FieldRange, Figures, Histogram, Scale, SortField, SortOrder } from './contract.ts';

/** The searchable data of one strategy; null is unknown. Dates are `YYYY-MM-DD`. */
export type ExplorerRow = Readonly<{
  urlId: string;
  /** Version of the strategy's stream: an older row never replaces a newer one. */
  version: number;
  title: string;
  author: string | null;
  description: string | null;
  /** Labels of the indicators. */
  categories: readonly string[];
  /** Other spellings of the indicators, for the search only. */
  spellings: readonly string[];
  symbol: string | null;
  pineVersion: number | null;
  publicationDate: string | null;
  backtestingStart: string | null;
  backtestingEnd: string | null;
  /** Rounded by `catalogue/precision.ts`. */
  figures: Figures;
  /** A description, and at least one of initial capital and commission. */
  enhanced: boolean;
  /** True for a row of the demo catalogue. */
  demo: boolean;
}>;

/** Inclusive; `-Infinity` and `Infinity` are open bounds, both open is an inactive range. */
export type NumberRange = Readonly<{ low: number; high: number }>;
/** Inclusive days, `YYYY-MM-DD`; null is open. */
export type DayRange = Readonly<{ from: string | null; to: string | null }>;

export type SearchFilter = Readonly<{
  /** As typed; each word must be the beginning of a word in title, author, indicators or description. */
  search: string;
  /** As typed; an empty text is no filter. */
  symbol: string;
  pineVersion: number | null;
  published: DayRange;
  backtested: DayRange;
  hasPerformance: boolean;
  hasEnhanced: boolean;
  ranges: Readonly<Record<FacetField, NumberRange>>;
  /** Only strategies with these ids; all when absent. */
  among?: readonly string[];
}>;

export type SearchPage = Readonly<{ sort: SortField; order: SortOrder; offset: number; limit: number }>;
/** The requested histograms, each with its scale. */
export type HistogramScales = Readonly<Partial<Record<FacetField, Scale>>>;

/** Everything requested together is answered from one state of the catalogue. */
export type SearchQuery = Readonly<{
  filter: SearchFilter;
  /** No rows when absent. */
  page?: SearchPage;
  histograms?: HistogramScales;
  /** Whether to return the smallest and largest values with all filters except the ranges. */
  ranges?: boolean;
}>;

/** A row of the list: without the texts that are only searched. */
export type SearchHit = Readonly<Omit<ExplorerRow, 'version' | 'description' | 'spellings'>>;

export type SearchAnswer = Readonly<{
  /** Tape position of the newest change in this catalogue. */
  position: bigint;
  /** True while the catalogue contains rows of the demo catalogue. */
  demo: boolean;
  total: number;
  hits: readonly SearchHit[];
  /** In the order of `facetFields`; each histogram ignores the range of its own field. */
  histograms: readonly Histogram[];
  ranges: Readonly<Record<FacetField, FieldRange>> | null;
}>;

/** Requests all counts that dragging one slider can show. */
export type BrushQuery = Readonly<{
  /** The range of the active field is ignored. */
  filter: SearchFilter;
  /** The field whose slider is dragged. */
  active: FacetField;
  scales: Readonly<Record<FacetField, Scale>>;
}>;

/**
 * Counts per interval of the active field's axis. The m snap points of `snapPointsOf` divide the axis into 2m + 2
 * intervals:
 *
 * - interval 0: below snap point 0
 * - interval 2i + 1: exactly snap point i
 * - interval 2i + 2: between snap points i and i + 1, or above the last snap point
 * - interval 2m + 1: unknown
 *
 * The range from snap point i to snap point j is the intervals 2i + 1 to 2j + 1. An open lower bound starts at
 * interval 0, an open upper bound ends at interval 2m; when both are open, the interval of unknown values is included
 * too.
 */
export type BrushAnswer = Readonly<{
  position: bigint;
  snapPoints: readonly number[];
  /** Rows per interval with all filters except the active range. */
  hits: Uint32Array;
  /** The other fields in the order of `facetFields`; each ignores the range of its own field too. */
  facets: readonly Readonly<{
    field: FacetField;
    scale: Scale;
    bins: number;
    /** For each interval `bins` counts, then the count of rows where this field is unknown. */
    counts: Uint32Array;
  }>[];
}>;

/** For each indicator label, the total with the label as the search text and all other filters unchanged. */
export type IndicatorCounts = Readonly<{ position: bigint; counts: ReadonlyMap<string, number> }>;

export type ListOrder = Readonly<{ sort: SortField; order: SortOrder }>;

export type RequestOptions = Readonly<{
  /** Aborts the request: the engine stops working on it, and the promise is rejected. */
  signal?: AbortSignal;
  /** Whose request it is: an engine with more requests than it can answer serves the clients in turn. */
  client?: string;
  /** The value of `performance.now()` when the request arrived. */
  arrivedAt?: number;
  /** Work without a waiting client: after the requests of clients, but with more time. */
  isBackground?: boolean;
  /** For what takes long anyway, such as a file: a request of a client like the others, but with more time. */
  isPatient?: boolean;
}>;

/** What decides whether a request would be refused. */
export type RequestSender = Pick<RequestOptions, 'client' | 'isPatient'>;

/**
 * The port that both engines implement. The tests in `testing/search-engine.contract.ts` demand equal answers. An
 * engine that cannot answer in time throws the DomainError SEARCH_BUSY.
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
  /** The first `limit` rows (at most `maxWindow`) in batches, all from one state of the catalogue. */
  list: (
    filter: SearchFilter,
    order: ListOrder,
    limit: number,
    options?: RequestOptions,
  ) => AsyncIterable<readonly SearchHit[]>;
  /** The most similar strategies (`catalogue/similarity.ts`), without this one; null when it is not in the catalogue. */
  similar: (urlId: string, limit: number, options?: RequestOptions) => Promise<readonly SearchHit[] | null>;
}>;

/**
 * A change of the catalogue. Changes may arrive more than once and in any order: for each strategy the one with the
 * highest version applies.
 */
export type RowUpdate =
  | Readonly<{ op: 'put'; row: ExplorerRow }>
  | Readonly<{ op: 'remove'; urlId: string; version: number }>;
