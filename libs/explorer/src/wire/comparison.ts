import * as z from 'zod';
import { StrategyListItem } from './answers.ts';

/** Strategies in one comparison. */
export const maxCompared = 4;

/** `ids=AAAAAAA1,BBBBBBB2`. */
export const CompareQuery = z.object({
  ids: z
    .string()
    .transform((text) => [...new Set(text.split(',').filter((id) => id !== ''))])
    .pipe(z.array(z.string().regex(/^[A-Za-z0-9]{8}$/, 'must be ids of strategies')).max(maxCompared)),
});
export type CompareQuery = z.infer<typeof CompareQuery>;

export const ComparedStrategy = StrategyListItem.extend({
  symbol: z.string().nullable(),
  pine_version: z.number().nullable(),
  backtesting_range_start: z.string().nullable(),
  backtesting_range_end: z.string().nullable(),
}).meta({ id: 'ComparedStrategy' });
export type ComparedStrategy = z.infer<typeof ComparedStrategy>;

export const ComparedStrategies = z
  .object({
    strategies: z.array(ComparedStrategy).describe('those in the catalogue, in the requested order'),
  })
  .meta({ id: 'ComparedStrategies' });
export type ComparedStrategies = z.infer<typeof ComparedStrategies>;
