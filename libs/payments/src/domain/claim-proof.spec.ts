import { describe, expect, it } from '@jest/globals';
import { record, snapshot } from '../testing/snapshots.ts';
import {
  after,
  bob,
  byMail,
  claim,
  entitlementAfter,
  request,
  requestsAfter,
  typesAfter,
  upgrade,
} from '../testing/subscription-history.ts';

describe('a purchase that was claimed by its mailbox', () => {
  const paid = record(snapshot(), byMail);
  const byBrowser = { ...claim(bob), proof: 'browser' } as const;

  it('says so, and cannot be upgraded on the card of whoever has paid', () => {
    expect(entitlementAfter(paid, claim())).toMatchObject({ proof: 'mailbox' });
    expect(() => requestsAfter(paid, claim(), request(upgrade))).toThrow(/charged to the card/);
  });

  it('goes to the account that proves to have paid', () => {
    expect(after(paid, claim(), byBrowser).slice(-3)).toMatchObject([
      { type: 'PaymentTransferred', data: { toAccountId: bob, proof: 'browser' } },
      { type: 'EntitlementChanged', data: { phase: 'ended', endReason: 'transferred' } },
      { type: 'EntitlementChanged', data: { accountId: bob, phase: 'active', proof: 'browser' } },
    ]);
  });

  it('does not go back to the mailbox', () => {
    expect(() => typesAfter(paid, byBrowser, claim())).toThrow(/Another account has claimed/);
  });

  it('becomes that of its owner wholly when the owner proves to have paid', () => {
    const own = { ...claim(), proof: 'browser' } as const;
    expect(entitlementAfter(paid, claim(), own)).toMatchObject({ proof: 'browser' });
    expect(requestsAfter(paid, claim(), own, request(upgrade))).toHaveLength(1);
  });
});
