import { defineEvents } from '@tapedeck/eventing/core';
import type { AccountId } from '@tapedeck/kernel';
import type { FavouriteEvent } from './domain/favourites.ts';

export type * from './domain/favourites.ts';

export const favouriteEvents = defineEvents<FavouriteEvent>({
  FavouriteAdded: { version: 1, personal: ['tags'], subject: 'accountId' },
  FavouriteTagsChanged: { version: 1, personal: ['tags'], subject: 'accountId' },
  FavouriteRemoved: { version: 1 },
});

export const favouritesStream = (account: AccountId): string => `favourites-${account}`;
