import type { Favourite } from '@tapedeck/favourites/contract';
import type { SavedSearch } from '@tapedeck/saved-searches/contract';

/** By the hour of the day, on the member's own clock. */
export const greetingAt = (hour: number): string =>
  hour >= 5 && hour < 12 ? 'Good morning' : hour >= 12 && hour < 18 ? 'Good afternoon' : 'Good evening';

const words = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'] as const;
const inWords = (count: number): string => words[count] ?? count.toLocaleString('en-US');

const recentDays = 7;
const dayMs = 86_400_000;

const revisedSince = (favourites: readonly Favourite[], since: number): number =>
  favourites.filter(({ strategy }) => strategy?.revised_at && Date.parse(strategy.revised_at) >= since)
    .length;

/** What is new in the strategies that the member follows, in one sentence. */
export const morningLine = (
  favourites: readonly Favourite[],
  searches: readonly Pick<SavedSearch, 'newMatches'>[],
  now: number,
): string => {
  const revised = revisedSince(favourites, now - recentDays * dayMs);
  const matches = searches.reduce((sum, { newMatches }) => sum + (newMatches ?? 0), 0);
  const revisedText = `${inWords(revised)} ${revised === 1 ? 'strategy you follow was' : 'strategies you follow were'} revised in the last ${recentDays} days`;
  const matching = matches === 1 ? 'matches your saved searches' : 'match your saved searches';
  if (revised > 0 && matches > 0) {
    return `${revisedText}, and ${inWords(matches).toLowerCase()} new ${matches === 1 ? 'one' : 'ones'} ${matching}.`;
  }
  if (revised > 0) return `${revisedText}.`;
  if (matches > 0) return `${inWords(matches)} new ${matches === 1 ? 'strategy' : 'strategies'} ${matching}.`;
  if (favourites.length > 0) return 'Nothing is new in the strategies that you follow.';
  return 'Star strategies in the explorer, and this page says when they are revised.';
};
