import { goldenSnapshots } from '@tapedeck/eventing/testing';
import { accountId } from '@tapedeck/kernel';
import { strategyId } from '@tapedeck/strategies/events';
import { favouritesDecider } from './decide.ts';

const account = accountId('0e0d6a2e-8f0c-5d8e-9a53-3f1d6d1f3a10');
const first = { accountId: account, urlId: strategyId('S3LKflwr') };
const second = { accountId: account, urlId: strategyId('AAAAAAAA') };

goldenSnapshots(favouritesDecider, new URL('golden-snapshots/favourites.v1.json', import.meta.url), [
  { type: 'FavouriteAdded', data: { ...first, revision: 1, tags: ['swing', 'btc'] } },
  { type: 'FavouriteAdded', data: { ...second, revision: 1, tags: [] } },
  { type: 'FavouriteRemoved', data: { ...second, revision: 2 } },
  { type: 'FavouriteAdded', data: { ...second, revision: 3, tags: ['a\nb', 'ü'] } },
  { type: 'FavouriteTagsChanged', data: { ...first, revision: 2, tags: ['swing'] } },
]);
