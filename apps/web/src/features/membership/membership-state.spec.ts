import { describe, expect, it } from '@jest/globals';
import { membershipStateOf } from './membership-state.ts';

describe('membershipStateOf', () => {
  it('separates a membership that ends from one that renews', () => {
    const end = '2027-03-03T00:00:00.000Z';
    expect(membershipStateOf({ status: 'active', endsAt: null })).toBe('active');
    expect(membershipStateOf({ status: 'active', endsAt: end })).toBe('ending');
    expect(membershipStateOf({ status: 'grace', endsAt: end })).toBe('grace');
    expect(membershipStateOf({ status: 'none', endsAt: null })).toBe('free');
    expect(membershipStateOf({ status: 'pending', endsAt: null })).toBe('processing');
  });
});
