import { FacetName, FilterRanges, Histogram, itemRecord, scales } from '@tapedeck/search-engine/contract';
import * as z from 'zod';

/** Null is unknown; numeric text is `"38.46"` or `"Infinity"`. */
const figures = itemRecord(
  () => z.string().nullable(),
  () => z.number().nullable(),
);

export const StrategyListItem = z
  .object({
    url_id: z.string(),
    title: z.string(),
    author: z.string().nullable(),
    ...figures,
    categories: z.array(z.string()),
    publication_date: z.string().nullable(),
  })
  .meta({ id: 'StrategyListItem' });
export type StrategyListItem = z.infer<typeof StrategyListItem>;

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

/** The list says its size under both names. */
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
  histograms: z.array(Histogram).describe('one for each facet, in the order of the panel'),
  ranges: FilterRanges,
}).meta({ id: 'Exploration' });
export type Exploration = z.infer<typeof Exploration>;

/** Counts of `BrushAnswer` in `search-port.ts`: intervals of the active axis, packed by `packSlice`. */
export const BrushSlice = z
  .object({
    field: FacetName,
    scale: z.enum(scales),
    snapPoints: z.array(z.number()).describe('values to which the thumbs snap, ascending'),
    hits: z.string().describe('packed counts, one per interval'),
    facets: z.array(
      z.object({
        field: FacetName,
        scale: z.enum(scales),
        bins: z.number().int(),
        counts: z.string().describe('packed counts, bins + 1 per interval, the last one of unknown values'),
      }),
    ),
    meta: CatalogueMeta,
  })
  .meta({ id: 'BrushSlice' });
export type BrushSlice = z.infer<typeof BrushSlice>;

export const IndicatorTotals = z
  .object({
    counts: z.record(z.string(), z.number().int()).describe('label to results when it is searched for'),
    meta: CatalogueMeta,
  })
  .meta({ id: 'IndicatorTotals' });
export type IndicatorTotals = z.infer<typeof IndicatorTotals>;

export const SimilarStrategies = z
  .object({ strategies: z.array(StrategyListItem).describe('the most similar first') })
  .meta({ id: 'SimilarStrategies' });
export type SimilarStrategies = z.infer<typeof SimilarStrategies>;

/** Whether this account may export, and how many rows at most. */
export const ExportRight = z
  .object({ allowed: z.boolean(), limit: z.number().int() })
  .meta({ id: 'ExportRight' });
export type ExportRight = z.infer<typeof ExportRight>;
