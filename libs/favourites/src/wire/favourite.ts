import * as z from 'zod';

export const FavouriteStrategy = z.object({
  title: z.string(),
  author: z.string().nullable(),
  total_pandl_percent: z.string().nullable(),
  max_drawdown_percent: z.string().nullable(),
  profit_factor_numeric: z.string().nullable(),
  sharpe_ratio_numeric: z.string().nullable(),
  total_trades: z.string().nullable(),
  likes: z.number().nullable(),
  views: z.number().nullable(),
  revised_at: z
    .string()
    .nullable()
    .describe('ISO 8601 UTC; null unless it was revised since it was imported'),
});
export type FavouriteStrategy = z.infer<typeof FavouriteStrategy>;

export const Favourite = z
  .object({
    urlId: z.string(),
    tags: z.array(z.string()),
    /** ISO 8601 UTC. */
    addedAt: z.string(),
    /** Send it as `If-Match` to change these tags only if they are still these. */
    etag: z.string(),
    /** Null when the strategy is no longer in the catalogue. */
    strategy: FavouriteStrategy.nullable(),
  })
  .meta({ id: 'Favourite' });
export type Favourite = z.infer<typeof Favourite>;

export const FavouriteList = z.array(Favourite).meta({ id: 'FavouriteList' });
export type FavouriteList = z.infer<typeof FavouriteList>;
