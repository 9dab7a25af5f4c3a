import { defineEvents } from '@tapedeck/eventing/core';
import type { AccountId } from '@tapedeck/kernel';
import type { SavedSearchEvent } from './domain/saved-searches.ts';

export type { SavedSearchEvent } from './domain/saved-searches.ts';

export const savedSearchEvents = defineEvents<SavedSearchEvent>({
  SearchSaved: { version: 1, personal: ['name', 'query'], subject: 'accountId' },
  SearchRenamed: { version: 1, personal: ['name'], subject: 'accountId' },
  SearchSeen: { version: 1 },
  SearchDeleted: { version: 1 },
});

export const savedSearchesStream = (account: AccountId): string => `savedSearches-${account}`;
