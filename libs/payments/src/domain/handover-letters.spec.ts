import { describe, expect, it } from '@jest/globals';
import { stateAfter, type RecordedEvent } from '@tapedeck/eventing/core';
import { recordedEvent } from '@tapedeck/eventing/testing';
import { renewed, transfer } from '../testing/price-notices.ts';
import { day, intentId, record, snapshot } from '../testing/snapshots.ts';
import { after, ann, bob, bought, byMail, claim } from '../testing/subscription-history.ts';
import { subscriptionDecider, type SubscriptionCommand } from './decide-subscription.ts';
import { letterFor, type Announced, type Letter } from './letters.ts';

const paid = record(snapshot(), byMail);
const byBrowser = { ...claim(bob), proof: 'browser' } as const;

/** About the last event of a type, sent when all the commands were executed. */
const lastLetter = (
  type: Announced['type'],
  ...commands: readonly SubscriptionCommand[]
): Letter | undefined => {
  const events = after(...commands).map((event, index) => recordedEvent(event, { version: index + 1 }));
  const isOfType = (event: (typeof events)[number]): event is RecordedEvent<Announced> => event.type === type;
  const event = events.findLast(isOfType);
  if (!event) return undefined;
  const earlier = events.filter(({ version }) => version < event.version);
  const now = stateAfter(subscriptionDecider, events);
  const before = stateAfter(subscriptionDecider, earlier);
  return letterFor(event, { events, now, before, at: day('02-01') }, 'https://tapedeck.example');
};

describe('the mail about a purchase that another account has now', () => {
  const letter = (...commands: readonly SubscriptionCommand[]): Letter | undefined =>
    lastLetter('PaymentTransferred', ...commands);
  const toTyped = { of: 'payer', accountId: null, intentId };

  it('names the code only where a code was sent, to the address that was typed', () => {
    const byCode = letter(paid, { ...claim(), isOwnAddress: false });
    expect(byCode?.address).toEqual(toTyped);
    expect(byCode?.content).toMatchObject({
      subject: 'Your purchase was taken over by another account',
      paragraphs: [
        expect.stringContaining('read e-mail at this address'),
        expect.stringMatching(/within 7 days/),
      ],
    });
  });

  it('names the payment where the payer has taken it over, to the account that had it', () => {
    const taken = letter(paid, claim(), byBrowser);
    expect(taken?.address).toMatchObject({ of: 'buyer', accountId: ann });
    expect(taken?.content.paragraphs[0]).toContain('proved that they paid');
  });

  it('names support, and the card that is still charged, to the account that pays', () => {
    const moved = letter(bought, transfer);
    expect(moved?.address).toMatchObject({ of: 'buyer', accountId: ann });
    expect(moved?.content).toMatchObject({
      subject: 'Your purchase was moved to another account',
      paragraphs: [
        'Our support has moved your Tapedeck subscription to another account.',
        expect.stringContaining('Your card is still charged for it'),
        expect.stringContaining('If you did not ask for that'),
      ],
    });
    const attached = letter(paid, transfer);
    expect(attached?.address).toEqual(toTyped);
    expect(attached?.content.paragraphs).toHaveLength(2);
  });
});

describe('the receipt of a purchase that was handed over', () => {
  const address = (...commands: readonly SubscriptionCommand[]): Letter['address'] | undefined =>
    lastLetter('PaymentRecorded', ...commands)?.address;

  it('goes to the account that pays', () => {
    expect(address(bought, transfer, renewed)).toMatchObject({ of: 'billing', accountId: ann });
  });

  it('goes to the account of a payer who has taken it over, not to the address that was mistyped', () => {
    expect(address(paid, claim(), byBrowser, renewed)).toMatchObject({ of: 'buyer', accountId: bob });
  });

  it('goes to the owner once the account that paid is deleted', () => {
    const close = { type: 'CloseAccount', accountId: ann, isLate: false, now: day('01-15') } as const;
    expect(address(bought, transfer, close, renewed)).toMatchObject({ of: 'buyer', accountId: bob });
  });

  it('goes to an owner who got it from an account that has paid nothing', () => {
    expect(address(paid, claim(), transfer, renewed)).toMatchObject({ of: 'buyer', accountId: bob });
  });

  it('goes to the address that was typed, and is in no list, where support has found the owner', () => {
    expect(address(paid, transfer, renewed)).toEqual({ of: 'payer', accountId: null, intentId });
  });

  it('mentions the invoice to the account that pays only', () => {
    const text = (...commands: readonly SubscriptionCommand[]): string =>
      lastLetter('PaymentRecorded', ...commands)?.content.paragraphs.join(' ') ?? '';
    expect(text(bought, transfer, renewed)).toContain('The invoice is in My Account');
    expect(text(paid, transfer, renewed)).toBe('This is your receipt.');
  });
});
