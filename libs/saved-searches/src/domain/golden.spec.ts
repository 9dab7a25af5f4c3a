import { goldenEvents } from '@tapedeck/eventing/testing';
import { accountId } from '@tapedeck/kernel';
import { savedSearchEvents } from '../events.ts';
import { searchId } from './saved-searches.ts';
import type { SavedSearchEvent } from './saved-searches.ts';

type Samples = {
  readonly [Type in SavedSearchEvent['type']]: Extract<SavedSearchEvent, { type: Type }>['data'];
};

const about = {
  accountId: accountId('0e0d6a2e-8f0c-5d8e-9a53-3f1d6d1f3a10'),
  searchId: searchId('5f0c3c1e-2f52-5b44-8f0e-0a4b6b2c9d11'),
};

goldenEvents(new URL('golden/', import.meta.url), savedSearchEvents, {
  SearchSaved: {
    ...about,
    name: 'Calm trends',
    query: 'search=supertrend&max_max_drawdown_percent=20',
    seenPosition: '4812',
  },
  SearchRenamed: { ...about, name: 'Calm' },
  SearchSeen: { ...about, seenPosition: '5120' },
  SearchDeleted: about,
} satisfies Samples);
