import * as z from 'zod';

export { maxFavourites, maxTagLength, maxTags } from './domain/limits.ts';

/** A first limit on the request; the rule is `maxTags`. */
export const Tags = z.array(z.string()).max(100);

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
});

export const Favourite = z
  .object({
    urlId: z.string(),
    tags: z.array(z.string()),
    /** Send it as `If-Match` to change these tags only if nobody else has. */
    etag: z.string(),
    /** Null when the strategy is no longer in the catalogue. */
    strategy: FavouriteStrategy.nullable(),
  })
  .meta({ id: 'Favourite' });
export type Favourite = z.infer<typeof Favourite>;

export const FavouriteList = z.array(Favourite).meta({ id: 'FavouriteList' });
export type FavouriteList = z.infer<typeof FavouriteList>;

export const AddFavouriteBody = z
  .object({ urlId: z.string(), tags: Tags.default([]) })
  .meta({ id: 'AddFavouriteBody' });
export type AddFavouriteBody = z.infer<typeof AddFavouriteBody>;

export const ChangeTagsBody = z.object({ tags: Tags }).meta({ id: 'ChangeTagsBody' });
export type ChangeTagsBody = z.infer<typeof ChangeTagsBody>;

/** What the stream says right after a command; the list follows through the projection. */
export const FavouriteChanged = z
  .object({ urlId: z.string(), tags: z.array(z.string()) })
  .meta({ id: 'FavouriteChanged' });
export type FavouriteChanged = z.infer<typeof FavouriteChanged>;

export const favouriteRoutes = {
  list: '/api/member/favorites',
  one: (urlId: string) => `/api/member/favorites/${urlId}`,
  tags: (urlId: string) => `/api/member/favorites/${urlId}/tags`,
} as const;
