import { describe, expect, it } from '@jest/globals';
import { situationOf } from './situation.ts';

describe('situationOf', () => {
  it('separates a membership that ends from one that renews', () => {
    const end = '2027-03-03T00:00:00.000Z';
    expect(situationOf({ status: 'active', endsAt: null })).toBe('active');
    expect(situationOf({ status: 'active', endsAt: end })).toBe('ending');
    expect(situationOf({ status: 'grace', endsAt: end })).toBe('grace');
    expect(situationOf({ status: 'none', endsAt: null })).toBe('free');
    expect(situationOf({ status: 'pending', endsAt: null })).toBe('processing');
  });
});
