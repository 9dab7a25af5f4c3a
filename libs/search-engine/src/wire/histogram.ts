import * as z from 'zod';
import { scales } from '../catalogue/facet-row.ts';
import { facetRecord } from '../catalogue/facets.ts';
import { FacetName } from './fields.ts';

/** `counts` are with all other filters, `all` without any; the first and the last bin are open-ended. */
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

export const FilterRanges = z.object(facetRecord(() => FieldRange)).meta({ id: 'FilterRanges' });
export type FilterRanges = z.infer<typeof FilterRanges>;
