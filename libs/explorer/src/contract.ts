import * as z from 'zod';

/** The eight countable fields of the explorer, in the order of the panel. */
export const facetFields = [
  'totalPandlPercent',
  'maxDrawdownPercent',
  'profitFactor',
  'sharpeRatio',
  'likes',
  'views',
  'comments',
  'codeLines',
] as const;
export type FacetField = (typeof facetFields)[number];

export const scales = ['linear', 'log', 'quantile'] as const;
export type Scale = (typeof scales)[number];

/** D13. */
export const defaultScale: Readonly<Record<FacetField, Scale>> = {
  totalPandlPercent: 'quantile',
  maxDrawdownPercent: 'linear',
  profitFactor: 'linear',
  sharpeRatio: 'linear',
  likes: 'quantile',
  views: 'quantile',
  comments: 'quantile',
  codeLines: 'quantile',
};

export const binCount: Readonly<Record<FacetField, number>> = {
  totalPandlPercent: 40,
  maxDrawdownPercent: 40,
  profitFactor: 20,
  sharpeRatio: 20,
  likes: 40,
  views: 40,
  comments: 20,
  codeLines: 40,
};

/** Query parameter names of a field's bounds: `min_` and `max_` before it. */
export const facetParameter: Readonly<Record<FacetField, string>> = {
  totalPandlPercent: 'total_pandl_percent',
  maxDrawdownPercent: 'max_drawdown_percent',
  profitFactor: 'profit_factor',
  sharpeRatio: 'sharpe_ratio',
  likes: 'likes',
  views: 'views',
  comments: 'comments',
  codeLines: 'code_lines',
};

/** A bound equal to the one here is open (D10), as is a missing one. */
export const unsetBounds: Readonly<Record<FacetField, readonly [low: number, high: number]>> = {
  totalPandlPercent: [-999_999, 999_999_999],
  maxDrawdownPercent: [0, 100],
  profitFactor: [0, 999_999],
  sharpeRatio: [-999, 999],
  likes: [0, 999_999],
  views: [0, 999_999],
  comments: [0, 999_999],
  codeLines: [0, 999_999],
};

export const sortFields = [
  'total_pandl',
  'max_equity_drawdown',
  'profit_factor',
  'sharpe_ratio_all',
  'total_trades',
  'publication_date',
  'likes',
  'views',
] as const;
export type SortField = (typeof sortFields)[number];
export type SortOrder = 'asc' | 'desc';

export const FacetName = z.enum(facetFields);

/** Numeric text: `"38.46"`, `"Infinity"`; null is unknown. */
const numericText = z.string().nullable();

export const StrategyListItem = z
  .object({
    url_id: z.string(),
    title: z.string(),
    author: z.string().nullable(),
    likes: z.number().nullable(),
    views: z.number().nullable(),
    total_trades: numericText,
    total_pandl_percent: numericText,
    max_drawdown_percent: numericText,
    profit_factor_numeric: numericText,
    sharpe_ratio_numeric: numericText,
    categories: z.array(z.string()),
    code_lines: z.number().nullable(),
    publication_date: z.string().nullable(),
  })
  .meta({ id: 'StrategyListItem' });
export type StrategyListItem = z.infer<typeof StrategyListItem>;

/** D12. `counts` with all other filters, `all` with none; the first and the last bin are open-ended. */
export const Histogram = z
  .object({
    field: FacetName,
    scale: z.enum(scales),
    edges: z.array(z.number()).describe('n + 1 bin edges; bin i holds [edges[i], edges[i+1])'),
    counts: z.array(z.number().int()),
    all: z.array(z.number().int()),
    unknown: z.number().int().describe('rows without a value, with all other filters'),
    unknownAll: z.number().int().describe('rows without a value in the whole catalogue'),
    min: z.number().nullable().describe('smallest known value of the whole catalogue'),
    max: z.number().nullable().describe('largest finite value of the whole catalogue'),
    filteredMin: z.number().nullable().describe('smallest known value with all other filters'),
    filteredMax: z.number().nullable(),
  })
  .meta({ id: 'Histogram' });
export type Histogram = z.infer<typeof Histogram>;

export const FieldRange = z.object({ min: z.number().nullable(), max: z.number().nullable() });
export type FieldRange = z.infer<typeof FieldRange>;

export const FilterRanges = z
  .object({
    totalPandlPercent: FieldRange,
    maxDrawdownPercent: FieldRange,
    profitFactor: FieldRange,
    sharpeRatio: FieldRange,
    likes: FieldRange,
    views: FieldRange,
    comments: FieldRange,
    codeLines: FieldRange,
  })
  .meta({ id: 'FilterRanges' });
export type FilterRanges = z.infer<typeof FilterRanges>;

/** Which catalogue has answered. */
export const CatalogueMeta = z
  .object({
    position: z.string().describe('tape position of its newest change, as decimal text'),
    demo: z.boolean().describe('true while the demo catalogue is in'),
  })
  .meta({ id: 'CatalogueMeta' });
export type CatalogueMeta = z.infer<typeof CatalogueMeta>;

export const HistogramAnswer = Histogram.extend({ meta: CatalogueMeta }).meta({ id: 'HistogramAnswer' });
export type HistogramAnswer = z.infer<typeof HistogramAnswer>;

export const RangesAnswer = FilterRanges.extend({ meta: CatalogueMeta }).meta({ id: 'RangesAnswer' });
export type RangesAnswer = z.infer<typeof RangesAnswer>;

export const ExplorerMeta = z.object({
  page: z.number().int(),
  limit: z.number().int(),
  pages: z.number().int(),
  /** Tape position of the catalogue that answered, as decimal text. */
  position: z.string(),
  /** True while the demo catalogue is in. */
  demo: z.boolean(),
});
export type ExplorerMeta = z.infer<typeof ExplorerMeta>;

/** D16: the list says its size under both names. */
export const StrategyList = z
  .object({
    strategies: z.array(StrategyListItem),
    total: z.number().int(),
    totalCount: z.number().int(),
    meta: ExplorerMeta,
  })
  .meta({ id: 'StrategyList' });
export type StrategyList = z.infer<typeof StrategyList>;

export const Exploration = StrategyList.extend({
  histograms: z.array(Histogram).describe('eight, in the order of facetFields'),
  ranges: FilterRanges,
}).meta({ id: 'Exploration' });
export type Exploration = z.infer<typeof Exploration>;

const flag = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .optional();
const day = z.iso.date().optional();
const bound = z
  .string()
  .trim()
  .refine((text) => text !== '' && Number.isFinite(Number(text)), 'must be a number')
  .transform(Number)
  .optional();

const filterShape = {
  search: z.string().max(200).optional(),
  symbol: z.string().max(60).optional(),
  pine_version: z
    .string()
    .trim()
    .regex(/^(v?\d{1,2})?$/i, 'must look like v5 or 5')
    .optional(),
  publication_date_start: day,
  publication_date_end: day,
  backtesting_date_start: day,
  backtesting_date_end: day,
  has_performance: flag,
  has_enhanced: flag,
};

const boundShape = {
  min_total_pandl_percent: bound,
  max_total_pandl_percent: bound,
  min_max_drawdown_percent: bound,
  max_max_drawdown_percent: bound,
  min_profit_factor: bound,
  max_profit_factor: bound,
  min_sharpe_ratio: bound,
  max_sharpe_ratio: bound,
  min_likes: bound,
  max_likes: bound,
  min_views: bound,
  max_views: bound,
  min_comments: bound,
  max_comments: bound,
  min_code_lines: bound,
  max_code_lines: bound,
};

export const maxWindow = 10_000;

const pageShape = {
  page: z.coerce.number().int().min(1).default(1),
  limit: z.coerce.number().int().min(1).max(100).default(20),
  sort_by: z.enum(sortFields).default('total_pandl'),
  sort_order: z.enum(['asc', 'desc']).default('desc'),
};

export const FilterQuery = z.object({ ...filterShape, ...boundShape });
export type FilterQuery = z.infer<typeof FilterQuery>;

export const ListQuery = z
  .object({ ...filterShape, ...boundShape, ...pageShape })
  .refine(({ page, limit }) => page * limit <= maxWindow, {
    path: ['page'],
    message: `page × limit may be at most ${maxWindow}: narrow the filters to reach further strategies`,
  });
export type ListQuery = z.infer<typeof ListQuery>;

export const RangesQuery = z.object(filterShape);
export type RangesQuery = z.infer<typeof RangesQuery>;

export const HistogramQuery = FilterQuery.extend({ field: FacetName, scale: z.enum(scales).optional() });
export type HistogramQuery = z.infer<typeof HistogramQuery>;

export const explorerRoutes = {
  explore: '/api/strategies/explore',
  filtered: '/api/strategies/datatable/filtered',
  ranges: '/api/strategies/datatable/ranges',
  histogram: '/api/strategies/histogram',
  quantileHistogram: '/api/strategies/quantile-histogram',
  /** Server-sent events: `data: {"position":"…"}` when the catalogue has moved. */
  changes: '/api/strategies/changes',
} as const;
