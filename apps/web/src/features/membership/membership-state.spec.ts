import { describe, expect, it } from '@jest/globals';
import { graceText, membershipStateOf } from './membership-state.ts';

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

describe('graceText', () => {
  const failed = {
    hasFailedPayment: true,
    failureReason: null,
    nextAttemptAt: '2026-12-25T10:00:00.000Z',
    graceUntil: '2027-01-06T00:00:00.000Z',
  };

  it('says in one sentence when the payment is tried again and how long access lasts', () => {
    expect(graceText(failed)).toEqual({
      problem: 'The last payment did not go through.',
      dates: 'We try again on Dec 25, 2026; access until Jan 6, 2027.',
    });
  });

  it('says why the payment failed where that is known', () => {
    expect(graceText({ ...failed, failureReason: 'the card has expired' }).problem).toBe(
      'The last payment did not go through: the card has expired.',
    );
  });

  it('says only how long access lasts when no attempt is known, and of no failure that is not known', () => {
    expect(graceText({ ...failed, nextAttemptAt: null }).dates).toBe('Access until Jan 6, 2027.');
    const silent = { ...failed, nextAttemptAt: null, hasFailedPayment: false };
    expect(graceText(silent).problem).toBe('The renewal is not confirmed yet.');
  });
});
