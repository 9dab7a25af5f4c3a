import { describe, expect, it } from '@jest/globals';
import { transfer } from '../testing/price-notices.ts';
import { day, openedDispute, record, snapshot } from '../testing/snapshots.ts';
import {
  after,
  ann,
  bob,
  bought,
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

  it('leaves nothing of the payer to the account before, and no dispute that bars it', () => {
    const disputed = record(
      snapshot('active', { observedAt: day('01-03') }, { disputes: [openedDispute('dp_1')] }),
    );
    expect(after(paid, claim(), disputed, byBrowser).slice(-2)).toMatchObject([
      { type: 'EntitlementChanged', data: { accountId: ann, proof: 'mailbox', isDisputed: false } },
      { type: 'EntitlementChanged', data: { accountId: bob, proof: 'browser', isDisputed: true } },
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

describe('a purchase that support has handed over', () => {
  const back = { ...transfer, toAccountId: ann } as const;
  const byCheckout = { ...claim(ann), proof: 'checkout' } as const;

  it('is not upgraded on the card of whoever has paid', () => {
    expect(entitlementAfter(bought, transfer)).toMatchObject({ accountId: bob, phase: 'active' });
    expect(() => requestsAfter(bought, transfer, request(upgrade, bob))).toThrow(/charged to the card/);
    const waiting = record(snapshot(), byMail);
    expect(() => requestsAfter(waiting, transfer, request(upgrade, bob))).toThrow(/charged to the card/);
  });

  it('is wholly that of its payer again when support gives it back', () => {
    expect(requestsAfter(bought, transfer, back, request(upgrade, ann))).toHaveLength(1);
  });

  it('is not taken back by its payer, as support has decided', () => {
    expect(() => typesAfter(bought, transfer, byCheckout)).toThrow(/Another account has claimed/);
  });

  it('becomes that of its owner wholly when the owner proves to have paid', () => {
    const byBrowser = { ...claim(bob), proof: 'browser' } as const;
    const waiting = record(snapshot(), byMail);
    expect(requestsAfter(waiting, transfer, byBrowser, request(upgrade, bob))).toHaveLength(1);
  });
});
