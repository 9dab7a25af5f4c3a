import { defineEvents, type DomainEvent, type Personal, readable } from '@tapedeck/eventing/core';
import type { AccountId } from '@tapedeck/kernel';
import type { StrategyId } from '@tapedeck/strategies/events';
import { Map as ImmutableMap } from 'immutable';

type FavouriteData = {
  accountId: AccountId;
  urlId: StrategyId;
  /**
   * The version of the favourite's ETag: grows with each of its changes. When it is added, it is larger than that of every
   * removal before.
   */
  revision: number;
};

/** What a member wrote. */
type Tags = { tags: Personal<readonly string[]> };

export type FavouriteAdded = DomainEvent<'FavouriteAdded', FavouriteData & Tags>;
export type FavouriteTagsChanged = DomainEvent<'FavouriteTagsChanged', FavouriteData & Tags>;
export type FavouriteRemoved = DomainEvent<'FavouriteRemoved', FavouriteData>;
/** A removal was taken back: the favourite is again what it was, also in the order of the list. */
export type FavouriteRestored = DomainEvent<
  'FavouriteRestored',
  FavouriteData & Tags & { /** When it was added at first. */ addedAt: string }
>;
export type FavouriteEvent = FavouriteAdded | FavouriteTagsChanged | FavouriteRemoved | FavouriteRestored;

export const favouriteEvents = defineEvents<FavouriteEvent>({
  FavouriteAdded: { version: 1, personal: ['tags'], subject: 'accountId' },
  FavouriteTagsChanged: { version: 1, personal: ['tags'], subject: 'accountId' },
  FavouriteRemoved: { version: 1 },
  FavouriteRestored: { version: 1, personal: ['tags'], subject: 'accountId' },
});

export const favouritesStream = (account: AccountId): string => `favourites-${account}`;

export type Favourite = Readonly<{ tags: readonly string[]; revision: number }>;

/** The favourites of one account. */
export type Favourites = Readonly<{
  present: ImmutableMap<StrategyId, Favourite>;
  /** The highest revision of a removal; 0 before the first one. Thus an old ETag never matches again. */
  lastRemoval: number;
}>;

export const noFavourites: Favourites = { present: ImmutableMap(), lastRemoval: 0 };

export const evolve = ({ present, lastRemoval }: Favourites, event: FavouriteEvent): Favourites => {
  const { urlId, revision } = event.data;
  switch (event.type) {
    case 'FavouriteAdded':
    case 'FavouriteRestored':
    case 'FavouriteTagsChanged':
      return { present: present.set(urlId, { tags: readable(event.data.tags, []), revision }), lastRemoval };
    case 'FavouriteRemoved':
      return { present: present.delete(urlId), lastRemoval: Math.max(lastRemoval, revision) };
    default:
      return event satisfies never;
  }
};
