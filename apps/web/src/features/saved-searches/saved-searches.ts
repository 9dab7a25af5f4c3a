import { maxSearchNameLength, type SavedSearch } from '@tapedeck/saved-searches/contract';

/** What another feature, which knows filters, says about the address of a search. */
export type SearchDescription = Readonly<{
  /** Equal for equal searches, however their addresses are written and whatever their page. */
  address: string;
  /** Filters and order in one line. */
  text: string;
  /** A short name. */
  name: string;
}>;
export type DescribeSearch = (address: string) => SearchDescription;

/** The description's name, shortened to the allowed length. */
export const suggestedName = ({ name }: Pick<SearchDescription, 'name'>): string =>
  name.length <= maxSearchNameLength ? name : `${name.slice(0, maxSearchNameLength - 1).trimEnd()}…`;

/** The saved search that is equal to the described one. */
export const findSaved = (
  searches: readonly SavedSearch[],
  { address }: Pick<SearchDescription, 'address'>,
  describe: DescribeSearch,
): SavedSearch | undefined => searches.find(({ query }) => describe(query).address === address);

/** Searches whose new matches are unknown count as 0. */
export const totalNewMatches = (searches: readonly SavedSearch[]): number =>
  searches.reduce((sum, { newMatches }) => sum + (newMatches ?? 0), 0);

/** Those with the most new matches first, the others in their order. */
export const newestFirst = (searches: readonly SavedSearch[]): readonly SavedSearch[] =>
  [...searches].sort((a, b) => (b.newMatches ?? 0) - (a.newMatches ?? 0));
