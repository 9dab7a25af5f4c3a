import { describe, expect, it } from '@jest/globals';
import { recordedEvent } from '@tapedeck/eventing/testing';
import { renewed, transfer } from '../testing/price-notices.ts';
import { record, snapshot } from '../testing/snapshots.ts';
import { after, ann, bob, bought, byMail, claim } from '../testing/subscription-history.ts';
import type { SubscriptionCommand } from './decide-subscription.ts';
import { paymentsSeenBy } from './seen-payments.ts';

/** What each of the two accounts sees, with its own payments marked. */
const seenAfter = (...commands: readonly SubscriptionCommand[]): readonly (readonly string[])[] => {
  const events = after(...commands).map((event, index) => recordedEvent(event, { version: index + 1 }));
  return [ann, bob].map((account) =>
    paymentsSeenBy(events, account).map(({ invoiceId, isOwn }) => `${invoiceId}${isOwn ? ' own' : ''}`),
  );
};

describe('the payments that an account sees', () => {
  const paid = record(snapshot(), byMail);
  const byBrowser = { ...claim(bob), proof: 'browser' } as const;

  it('are those that it pays', () => {
    expect(seenAfter(bought, renewed)).toEqual([['in_1 own', 'in_2 own'], []]);
  });

  it('are without an invoice where it has proved to read the mail of the address only', () => {
    expect(seenAfter(paid, claim(), renewed)).toEqual([['in_1', 'in_2'], []]);
  });

  it('are only those of its own time once the payer has taken the purchase over', () => {
    expect(seenAfter(paid, claim(), byBrowser, renewed)).toEqual([['in_1'], ['in_1 own', 'in_2 own']]);
  });

  it('are those on its own card also after support has handed the purchase over', () => {
    expect(seenAfter(bought, transfer, renewed)).toEqual([['in_1 own', 'in_2 own'], ['in_2']]);
  });

  it('are none without an owner', () => {
    expect(seenAfter(paid)).toEqual([[], []]);
  });
});
