import { describe, expect, it } from '@jest/globals';
import type { SealedEvent } from '@tapedeck/eventing/core';
import { accountId, derivedId } from '@tapedeck/kernel';
import { describeEvent, type AuditedEvent } from './event-text.ts';

const member = accountId(derivedId('described member'));
const bySystem = { actorId: 'system', actorKind: 'system' };

const textOf = (type: string, data: object, actor = bySystem) =>
  // The data of one type as it is stored.
  describeEvent({ type, data } as unknown as SealedEvent<AuditedEvent>, actor);

describe('an event in plain words', () => {
  it('names amounts with their currency in its own decimals, days, and the object at Stripe', () => {
    const paid = {
      amountPaid: 1_234_550,
      currency: 'usd',
      invoiceId: 'in_1',
      periodEnd: '2027-03-03T10:00:00.000Z',
    };
    expect(textOf('PaymentRecorded', paid)).toEqual({
      lane: 'payment',
      text: '$12,345.50 paid by invoice in_1, for the time until Mar 3, 2027',
      stripeObject: 'in_1',
    });
    expect(textOf('PaymentRecorded', { ...paid, amountPaid: 500, currency: 'jpy' }).text).toContain('¥500');
    expect(textOf('PaymentRecorded', { ...paid, currency: 'odd!', periodEnd: 'soon' }).text).toContain(
      '12345.50 ODD! paid by invoice in_1, for the time until soon',
    );
  });

  it('says what Stripe sent and how it came', () => {
    const event = { type: 'invoice.paid', eventId: 'evt_1', source: 'reconciliation' };
    expect(textOf('StripeEventReceived', event)).toEqual({
      lane: 'payment',
      text: 'Found at Stripe by the reconciliation: invoice.paid (evt_1)',
      stripeObject: 'evt_1',
    });
  });

  it('is in the lane of the admins when staff did it to the account of somebody else', () => {
    const removed = { accountId: member, urlId: 'S1', revision: 1 };
    const lane = (actorId: string, actorKind: string): string =>
      textOf('FavouriteRemoved', removed, { actorId, actorKind }).lane;
    expect([lane(member, 'member'), lane(member, 'admin'), lane(derivedId('somebody'), 'admin')]).toEqual([
      'account',
      'account',
      'admin',
    ]);
    expect(
      textOf('ComplimentaryAccessGranted', { accountId: member, tier: 'Pro', until: null }),
    ).toMatchObject({
      lane: 'admin',
      text: 'Pro granted without an end',
    });
  });
});
