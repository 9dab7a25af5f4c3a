import * as z from 'zod';
import { maxFavourites } from './domain/limits.ts';
import { favouriteSorts } from './wire/order.ts';

export { maxFavourites, maxTagLength, maxTags } from './domain/limits.ts';
export * from './wire/favourite.ts';
export * from './wire/order.ts';

/** A first limit on the request; the rule is `maxTags`. */
export const Tags = z.array(z.string()).max(100);

export const AddFavouriteBody = z
  .object({
    urlId: z.string(),
    tags: Tags.default([]),
    addedAt: z.iso
      .datetime()
      // PostgreSQL has no year 0.
      .refine((time) => time >= '2000', 'must be a time since 2000')
      .optional()
      .describe('takes a removal back: the favourite returns to its place in the list'),
  })
  .meta({ id: 'AddFavouriteBody' });
export type AddFavouriteBody = z.infer<typeof AddFavouriteBody>;

export const ChangeTagsBody = z.object({ tags: Tags }).meta({ id: 'ChangeTagsBody' });
export type ChangeTagsBody = z.infer<typeof ChangeTagsBody>;

export const TagFavouritesBody = z
  .object({
    urlIds: z.array(z.string()).min(1).max(maxFavourites),
    add: Tags.default([]),
    remove: Tags.default([]),
  })
  .meta({ id: 'TagFavouritesBody' });
export type TagFavouritesBody = z.infer<typeof TagFavouritesBody>;

/** What the stream says right after a command; the list follows through the projection. */
export const FavouriteChanged = z
  .object({ urlId: z.string(), tags: z.array(z.string()) })
  .meta({ id: 'FavouriteChanged' });
export type FavouriteChanged = z.infer<typeof FavouriteChanged>;

export const FavouritesExportQuery = z.object({
  /** Any of these; all favourites without one. */
  tag: z.union([z.string().transform((tag) => [tag]), z.array(z.string())]).default([]),
  sort_by: z.enum(favouriteSorts).default('added_at'),
  sort_order: z.enum(['asc', 'desc']).default('desc'),
});
export type FavouritesExportQuery = z.infer<typeof FavouritesExportQuery>;

export const favouriteRoutes = {
  list: '/api/member/favorites',
  one: (urlId: string) => `/api/member/favorites/${urlId}`,
  tags: (urlId: string) => `/api/member/favorites/${urlId}/tags`,
  tagsOfMany: '/api/member/favorites/tags',
  export: '/api/member/favorites/export.csv',
} as const;

/** In the stream of changes (`platformRoutes.changes`): the account's favourites have changed. */
export const favouritesTopic = 'favourites';

/** The addresses of its screens. */
export const favouriteScreens = ['/favorites'] as const;
