import * as z from 'zod';
import { facetFields, facets, type FacetField, type FacetParameter } from '../catalogue/facets.ts';

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

/** Parameters of all filters except the ranges. */
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

type BoundName = `${'min' | 'max'}_${FacetParameter}`;
/** The query parameter of a facet's lower or upper bound. */
export const boundName = (side: 'min' | 'max', field: FacetField): BoundName =>
  `${side}_${facets[field].parameter}`;

/** Two parameters for each range. */
const boundShape = Object.fromEntries(
  facetFields.flatMap((field) =>
    (['min', 'max'] as const).map((side) => [boundName(side, field), bound] as const),
  ),
) as Readonly<Record<BoundName, typeof bound>>; // `Object.fromEntries` forgets the names.

/** The filters of the explorer as query parameters. */
export const FilterQuery = z.object({ ...filterShape, ...boundShape });
export type FilterQuery = z.infer<typeof FilterQuery>;
