import type { DomainEvent } from '@tapedeck/eventing';
import type { AccountId } from '@tapedeck/kernel';
import type { StrategyId } from '@tapedeck/strategies/events';

type FavouriteData = {
  accountId: AccountId;
  urlId: StrategyId;
  /** Counts the changes of this favourite from 1, removals included: the version of its ETag. */
  revision: number;
};

export type FavouriteAdded = DomainEvent<'FavouriteAdded', FavouriteData & { tags: readonly string[] }>;
export type FavouriteTagsChanged = DomainEvent<
  'FavouriteTagsChanged',
  FavouriteData & { tags: readonly string[] }
>;
export type FavouriteRemoved = DomainEvent<'FavouriteRemoved', FavouriteData>;
export type FavouriteEvent = FavouriteAdded | FavouriteTagsChanged | FavouriteRemoved;

export type Favourite = Readonly<{ tags: readonly string[]; revision: number }>;

/** The favourites of one account; a removed one keeps its revision, so that an old ETag never matches again. */
export type Favourites = Readonly<{
  present: ReadonlyMap<string, Favourite>;
  removed: ReadonlyMap<string, number>;
}>;

export const noFavourites: Favourites = { present: new Map(), removed: new Map() };

/** Copies both maps once and not for each event: the stream of a busy account has thousands. */
export const evolveAll = (state: Favourites, events: readonly FavouriteEvent[]): Favourites => {
  const present = new Map(state.present);
  const removed = new Map(state.removed);
  for (const event of events) {
    const { urlId, revision } = event.data;
    switch (event.type) {
      case 'FavouriteAdded':
      case 'FavouriteTagsChanged':
        present.set(urlId, { tags: event.data.tags, revision });
        removed.delete(urlId);
        break;
      case 'FavouriteRemoved':
        present.delete(urlId);
        removed.set(urlId, revision);
        break;
      default:
        return event satisfies never;
    }
  }
  return { present, removed };
};
