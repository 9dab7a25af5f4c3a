import * as z from 'zod';

/** The eight fields with a slider and a histogram, in the order of the filter panel. */
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

/** Scale of a histogram until the member chooses another one (D13). */
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

/** Query parameters of a field's bounds, without their prefix `min_` or `max_`. */
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

/** A bound with this value is open, like a missing one (D10). */
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

/** Pages and lists end after this many rows. */
export const maxWindow = 10_000;

/** A value for each of the eight fields. */
export const facetRecord = <T>(value: (field: FacetField) => T): Readonly<Record<FacetField, T>> =>
  Object.fromEntries(facetFields.map((field) => [field, value(field)])) as Record<FacetField, T>;
