import * as z from 'zod';
import { maxSavedSearches, maxSearchNameLength } from './domain/limits.ts';

export { maxSearchNameLength, maxSavedSearches };

/** The explorer's address without `page`: filters and order. */
const SearchAddress = z.string().max(2_000);
const SearchName = z.string().trim().min(1, 'must not be empty').max(maxSearchNameLength);

export const SaveSearchBody = z
  .object({ name: SearchName, query: SearchAddress })
  .meta({ id: 'SaveSearchBody' });
export type SaveSearchBody = z.infer<typeof SaveSearchBody>;
export const RenameSearchBody = z.object({ name: SearchName }).meta({ id: 'RenameSearchBody' });
export type RenameSearchBody = z.infer<typeof RenameSearchBody>;

export const SavedSearch = z
  .object({
    id: z.string(),
    name: z.string(),
    query: z.string(),
    savedAt: z.string(),
    newMatches: z
      .number()
      .int()
      .nullable()
      .describe('added since the search was last seen; null: not known now'),
  })
  .meta({ id: 'SavedSearch' });
export type SavedSearch = z.infer<typeof SavedSearch>;

export const SavedSearchList = z.array(SavedSearch).meta({ id: 'SavedSearchList' });
export type SavedSearchList = z.infer<typeof SavedSearchList>;

/** What the stream says right after a command; the list follows through the projection. */
export const SearchChanged = z
  .object({ id: z.string(), name: z.string(), query: z.string() })
  .meta({ id: 'SearchChanged' });
export type SearchChanged = z.infer<typeof SearchChanged>;

export const savedSearchRoutes = {
  searches: '/api/member/searches',
  search: (id: string) => `/api/member/searches/${id}`,
  /** Marks its matches as seen: new ones count from now. */
  seen: (id: string) => `/api/member/searches/${id}/seen`,
} as const;
