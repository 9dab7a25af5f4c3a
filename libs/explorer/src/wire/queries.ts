import {
  FacetName,
  FilterQuery,
  filterShape,
  maxWindow,
  scales,
  sortFields,
  type FacetField,
  type Scale,
} from '@tapedeck/search-engine/contract';
import * as z from 'zod';

const ScalePair = z.tuple([FacetName, z.enum(scales)]);

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

export const ListQuery = FilterQuery.extend(pageShape).refine(
  ({ page, limit }) => page * limit <= maxWindow,
  {
    path: ['page'],
    message: `page × limit may be at most ${maxWindow}: narrow the filters to reach further strategies`,
  },
);
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
