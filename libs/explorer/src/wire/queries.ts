import * as z from 'zod';
import { FacetName, scales, sortFields, type FacetField, type Scale } from './fields.ts';

const ScalePair = z.tuple([FacetName, z.enum(scales)]);

const flag = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .optional();
const day = z.iso.date().optional();
/** Not all that JavaScript takes for a number: no `0x10`, no `Infinity`, nothing empty. */
const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const bound = z
  .string()
  .trim()
  .refine((text) => decimal.test(text) && Number.isFinite(Number(text)), 'must be a number')
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

/** `likes:linear,views:log`: scales other than the default. */
const scalesText = z
  .string()
  .max(400)
  .transform((text, context): Partial<Record<FacetField, Scale>> => {
    const pairs = text.split(',').filter((pair) => pair !== '');
    const parsed = pairs.map((pair) => ScalePair.safeParse(pair.split(':')));
    const wrong = pairs.find((_, at) => !parsed[at]?.success);
    if (wrong !== undefined) {
      context.issues.push({
        code: 'custom',
        input: text,
        message: `"${wrong}" must look like likes:log, with one of ${scales.join(', ')}`,
      });
    }
    return Object.fromEntries(parsed.flatMap(({ data }) => (data ? [data] : [])));
  })
  .optional();

export const FilterQuery = z.object({ ...filterShape, ...boundShape });
export type FilterQuery = z.infer<typeof FilterQuery>;

export const ListQuery = z
  .object({ ...filterShape, ...boundShape, ...pageShape })
  .refine(({ page, limit }) => page * limit <= maxWindow, {
    path: ['page'],
    message: `page × limit may be at most ${maxWindow}: narrow the filters to reach further strategies`,
  });
export type ListQuery = z.infer<typeof ListQuery>;

/** The list's parameters, and the scales of the histograms. */
export const ExploreQuery = ListQuery.safeExtend({ scales: scalesText });
export type ExploreQuery = z.infer<typeof ExploreQuery>;

export const BrushSliceQuery = FilterQuery.extend({
  active: FacetName,
  scales: scalesText,
});
export type BrushSliceQuery = z.infer<typeof BrushSliceQuery>;

export const ExportQuery = FilterQuery.extend({
  sort_by: pageShape.sort_by,
  sort_order: pageShape.sort_order,
});
export type ExportQuery = z.infer<typeof ExportQuery>;

export const SimilarQuery = z.object({ limit: z.coerce.number().int().min(1).max(24).default(6) });
export type SimilarQuery = z.infer<typeof SimilarQuery>;

export const RangesQuery = z.object(filterShape);
export type RangesQuery = z.infer<typeof RangesQuery>;

export const HistogramQuery = FilterQuery.extend({ field: FacetName, scale: z.enum(scales).optional() });
export type HistogramQuery = z.infer<typeof HistogramQuery>;
