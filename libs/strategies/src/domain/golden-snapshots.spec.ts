import { goldenSnapshots } from '@tapedeck/eventing/testing';
import { strategyDecider } from './decide.ts';
import { emptyRecord } from './strategy-record.ts';

const record = { ...emptyRecord, url_id: 'S3LKflwr', title: 'Alligator', likes: 3 };
const revised = { ...record, likes: 4 };

goldenSnapshots(strategyDecider, new URL('golden-snapshots/strategy.v1.json', import.meta.url), [
  { type: 'StrategyImported', data: { record, contentHash: 'h1' } },
  { type: 'StrategyRevised', data: { record: revised, contentHash: 'h2' } },
  {
    type: 'StrategyAmended',
    data: { record: { ...revised, title: 'Alligator II' }, changed: ['title'], reason: 'typing error' },
  },
]);
