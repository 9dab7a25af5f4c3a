import { goldenSnapshots } from '@tapedeck/eventing/testing';
import { accountId } from '@tapedeck/kernel';
import { savedSearchesDecider } from './decide.ts';
import { searchId } from './saved-searches.ts';

const account = accountId('0e0d6a2e-8f0c-5d8e-9a53-3f1d6d1f3a10');
const first = { accountId: account, searchId: searchId('5f0c3c1e-2f52-5b44-8f0e-0a4b6b2c9d11') };
const second = { accountId: account, searchId: searchId('5f0c3c1e-2f52-5b44-8f0e-0a4b6b2c9d12') };

goldenSnapshots(savedSearchesDecider, new URL('golden-snapshots/saved-searches.v1.json', import.meta.url), [
  { type: 'SearchSaved', data: { ...first, name: 'Calm', query: 'search=trend', seenPosition: '12' } },
  { type: 'SearchSaved', data: { ...second, name: 'Loud', query: '', seenPosition: '13' } },
  { type: 'SearchRenamed', data: { ...first, name: 'Calm trends' } },
  { type: 'SearchDeleted', data: second },
  { type: 'SearchSeen', data: { ...first, seenPosition: '20' } },
]);
