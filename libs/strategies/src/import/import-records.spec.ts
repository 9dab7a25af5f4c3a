import { describe, expect, it } from '@jest/globals';
import { parseRecord } from '../parsing/parse-record.ts';
import { contentOf } from './import-records.ts';

describe('contentOf', () => {
  it('gives the same hash whatever the order of the fields', () => {
    const a = parseRecord({
      url_id: 'S3LKflwr',
      title: 'Alligator',
      strategy_inputs: [{ name: 'n', default: 1 }],
    });
    const b = parseRecord({
      strategy_inputs: [{ default: 1, name: 'n' }],
      title: 'Alligator',
      url_id: 'S3LKflwr',
    });
    expect(contentOf(a)).toEqual(contentOf(b));
    expect(contentOf({ ...a, likes: 1 }).contentHash).not.toBe(contentOf(a).contentHash);
  });
});
