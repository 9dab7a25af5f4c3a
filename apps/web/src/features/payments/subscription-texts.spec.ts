import { describe, expect, it } from '@jest/globals';
import type { Terms } from './billing-facts.ts';
import { cancellationText, deletionTexts, renewalText } from './subscription-texts.ts';

const price = { amount: 999, currency: 'usd', addsTaxes: false, announcedPrice: null };
const paid = { isPeriodPaid: true, isDue: false, nextAttemptAt: null, isPaidByAnother: false };
const dates = { nextChargeAt: '2027-01-23T00:00:00.000Z', endsAt: null };
const pro: Terms = { subscriptionId: 'sub_1', tier: 'Pro', period: 'monthly', ...price, ...dates, ...paid };
const elite: Terms = { ...pro, subscriptionId: 'sub_2', tier: 'Elite', period: 'annual' };
const ending: Terms = { ...elite, nextChargeAt: null, endsAt: '2027-03-01T00:00:00.000Z' };
const unpaid: Terms = {
  ...pro,
  isPeriodPaid: false,
  isDue: true,
  nextAttemptAt: '2026-12-25T00:00:00.000Z',
};
const alone = { others: [], graceUntil: null };
const free = 'After that your account is Free; your favorites and your profile stay.';
const undo = 'You can undo this until the subscription ends.';

describe('what a cancellation means', () => {
  it('is the end of the paid period, after which nothing is charged', () => {
    expect(cancellationText(pro, alone)).toBe(
      `You keep Pro until Jan 23, 2027, and nothing more is charged for it. ${free} ${undo}`,
    );
  });

  it('is the end of the grace while the renewal is unpaid, which may still be charged', () => {
    expect(cancellationText(unpaid, { ...alone, graceUntil: '2027-01-06T00:00:00.000Z' })).toBe(
      `You keep Pro until Jan 6, 2027. The unpaid invoice may still be charged: we try again on Dec 25, 2026. Once it is paid, you keep Pro until Jan 23, 2027. ${free} ${undo}`,
    );
  });

  it('promises no access where the end of the grace is not known', () => {
    expect(cancellationText({ ...unpaid, nextAttemptAt: null }, alone)).toBe(
      `The unpaid invoice may still be charged. Once it is paid, you keep Pro until Jan 23, 2027. ${free} ${undo}`,
    );
  });

  it.each([
    ['continues', elite, 'Your subscription to Elite (annual) continues.'],
    ['ends', ending, 'Your subscription to Elite (annual) ends on Mar 1, 2027.'],
  ])('is not the end of the account’s access where another subscription %s', (_what, other, text) => {
    const said = cancellationText(pro, { others: [other], graceUntil: null });
    expect(said).toContain(text);
    expect(said).not.toContain('Free');
  });
});

describe('the state of a further subscription', () => {
  it.each([
    ['when it renews', pro, 'renews on Jan 23, 2027'],
    ['when it ends', ending, 'ends on Mar 1, 2027'],
    ['that it is unpaid', unpaid, 'unpaid: the last payment did not go through'],
    ['who pays it', { ...pro, isPaidByAnother: true }, 'paid by somebody else, renews on Jan 23, 2027'],
  ])('says %s', (_what, subscription, text) => {
    expect(renewalText(subscription)).toBe(text);
  });
});

describe('what the deletion of an account ends', () => {
  const known = { subscription: pro, others: [], withdrawable: [] };

  it('is every subscription of the account', () => {
    expect(deletionTexts(known)).toEqual([
      'Your Pro subscription ends at once: access stops and nothing more is charged. What you have paid is not refunded.',
    ]);
    expect(deletionTexts({ ...known, others: [elite] })).toEqual([
      'Your subscriptions to Pro (monthly) and Elite (annual) end at once: access stops and nothing more is charged. What you have paid is not refunded.',
    ]);
    expect(deletionTexts({ ...known, subscription: null })).toEqual([]);
  });

  it('may be a subscription where billing is not known', () => {
    expect(deletionTexts(undefined)).toEqual([expect.stringMatching(/^We could not find out whether /)]);
  });

  it('comes after a withdrawal where one is possible', () => {
    const withdrawal = 'You can still withdraw from the contract: do that first, and the payment goes back.';
    expect(deletionTexts({ ...known, withdrawable: [{ amount: 999 }] }).at(-1)).toBe(withdrawal);
    expect(deletionTexts({ ...known, withdrawable: [{ amount: 0 }] })).toHaveLength(1);
  });
});
