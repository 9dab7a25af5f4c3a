import { FacetName, facetFields, facets, scales } from '@tapedeck/search-engine/contract';
import * as z from 'zod';
import { CatalogueMeta } from './answers.ts';

/** Percentages and ratios of the backtest. A count, such as likes or trades, says nothing about how good it is. */
export const rankedFields = facetFields.filter(
  (field) => facets[field].kind !== 'count' && facets[field].better !== null,
);

/** Where a figure of one strategy is among the same figures of all strategies. */
export const FigurePlace = z
  .object({
    field: FacetName,
    scale: z.enum(scales),
    edges: z.array(z.number()),
    all: z.array(z.number().int()).describe('strategies of the whole catalogue, per bin'),
    bin: z.number().int().describe('the bin of this strategy; an infinite figure is in the last one'),
    known: z.number().int().describe('strategies whose figure is known, with this one'),
    worse: z.number().int().describe('strategies whose known figure is worse; equal ones are not'),
  })
  .meta({ id: 'FigurePlace' });
export type FigurePlace = z.infer<typeof FigurePlace>;

export const StrategyPlaces = z
  .object({
    places: z.array(FigurePlace).describe('one for each figure that is known, in the order of the panel'),
    meta: CatalogueMeta,
  })
  .meta({ id: 'StrategyPlaces' });
export type StrategyPlaces = z.infer<typeof StrategyPlaces>;
