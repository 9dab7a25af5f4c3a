import { goldenEvents } from '@tapedeck/eventing/testing';
import { accountId } from '@tapedeck/kernel';
import { strategyId } from '@tapedeck/strategies/events';
import { favouriteEvents } from '../events.ts';
import type { FavouriteEvent } from './favourites.ts';

type Samples = {
  readonly [Type in FavouriteEvent['type']]: Extract<FavouriteEvent, { type: Type }>['data'];
};

const about = {
  accountId: accountId('0e0d6a2e-8f0c-5d8e-9a53-3f1d6d1f3a10'),
  urlId: strategyId('S3LKflwr'),
};

goldenEvents(new URL('golden/', import.meta.url), favouriteEvents, {
  FavouriteAdded: { ...about, revision: 1, tags: ['swing', 'btc'] },
  FavouriteTagsChanged: { ...about, revision: 2, tags: ['swing'] },
  FavouriteRemoved: { ...about, revision: 3 },
  FavouriteRestored: { ...about, revision: 4, tags: ['swing'], addedAt: '2027-02-03T18:03:59.123Z' },
} satisfies Samples);
