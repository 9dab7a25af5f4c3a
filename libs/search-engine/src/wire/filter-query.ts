import * as z from 'zod';

const flag = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .optional();
const day = z.iso.date().optional();
/** Stricter than `Number()`: refuses `0x10`, `Infinity` and the empty text. */
const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
/** More digits than any number has that a JavaScript program prints. */
const maxNumberLength = 40;
const bound = z
  .string()
  .max(maxNumberLength, { error: `must have at most ${maxNumberLength} characters`, abort: true })
  .trim()
  .refine((text) => decimal.test(text) && Number.isFinite(Number(text)), 'must be a number')
  .transform(Number)
  .optional();

/** Parameters of all filters except the eight ranges. */
export const filterShape = {
  search: z.string().max(200).optional(),
  symbol: z.string().max(60).optional(),
  pine_version: z
    .string()
    .max(20, { error: 'must look like v5 or 5', abort: true })
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

/** Two parameters for each of the eight ranges. */
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

/** The filters of the explorer as query parameters. */
export const FilterQuery = z.object({ ...filterShape, ...boundShape });
export type FilterQuery = z.infer<typeof FilterQuery>;
