import * as z from 'zod';

const counts = z.array(z.number().int());
const edges = z.array(z.number()).describe('bin edges, ascending; the first and the last bin are open-ended');

/** Counts of the whole catalogue, for visitors: enough for two sliders that filter each other. */
export const Teaser = z
  .object({
    total: z.number().int().describe('all strategies'),
    demo: z.boolean().describe('true while the demo catalogue is in'),
    sharpeRatio: z.object({ edges }).describe('20 bins, the rows of the table'),
    maxDrawdownPercent: z.object({ edges }).describe('40 bins, the columns of the table'),
    counts: z.array(counts).describe('for each row, the strategies in each column'),
    withoutSharpeRatio: counts.describe('for each column, the strategies whose Sharpe ratio is unknown'),
    withoutDrawdown: counts.describe('for each row, the strategies whose drawdown is unknown'),
  })
  .meta({ id: 'Teaser' });
export type Teaser = z.infer<typeof Teaser>;
