import { describe, expect, it } from '@jest/globals';
import type { EffectContext, RecordedEvent } from '@tapedeck/eventing';
import { eventId, newId } from '@tapedeck/kernel';
import type { StripeEventReceived } from '@tapedeck/stripe/events';
import type { SubscriptionSnapshot } from '@tapedeck/stripe/port';
import { day, snapshot, subscriptionId } from '../testing/snapshots.ts';
import { stripeEventsEffect } from './stripe-events.ts';

const customerId = 'cus_1';

const received = (type: string, given: Partial<StripeEventReceived['data']> = {}): RecordedEvent => ({
  id: eventId(newId()),
  type: 'StripeEventReceived',
  schemaVersion: 1,
  stream: 'stripeEvent-evt_1',
  version: 1,
  position: 1n,
  recordedAt: day('01-01'),
  metadata: {
    actorId: 'stripe',
    actorKind: 'stripe',
    occurredAt: day('01-01'),
    correlationId: 'evt_1',
    causationId: 'evt_1',
  },
  data: {
    type,
    customerId,
    subscriptionId,
    chargeId: null,
    invoiceId: null,
    objectId: null,
    checkoutSessionId: null,
    ...given,
  },
});

const context: EffectContext = {
  read: async (target) => target.decider.initialState,
  key: 'key',
  now: day('01-02'),
  attempt: 1,
  signal: new AbortController().signal,
};

/** The effect, with a Stripe of one subscription that remembers what was read. */
const effectWith = (found: SubscriptionSnapshot) => {
  const reads: string[] = [];
  const warnings: unknown[] = [];
  const effect = stripeEventsEffect({
    unclaimedRefundDays: 30,
    subscriptionsOfCustomer: async () => [],
    logger: { warn: (details: unknown) => void warnings.push(details) },
    stripe: {
      readSubscription: async (id, scope) => {
        reads.push(`${id} ${scope}`);
        return found;
      },
      readSession: async () => undefined,
      subscriptionOf: async (id) => (id.startsWith('new_') ? undefined : subscriptionId),
    },
  });
  return { effect, reads, warnings };
};

describe('the effect of the events of Stripe', () => {
  const found = snapshot('active', { intentId: null, latestInvoiceId: 'in_new' });

  it('warns of an object of a kind that is not known, and leaves it to the sweep', async () => {
    const { effect, reads, warnings } = effectWith(found);
    const refund = received('refund.created', { subscriptionId: null, objectId: 'new_1' });
    expect(await effect.runTogether?.([refund], context)).toEqual([]);
    expect(reads).toEqual([]);
    expect(warnings).toEqual([{ type: 'refund.created', object: 'new_1' }]);
  });

  it('reads a subscription once for all events about it that wait together, and records it once', async () => {
    const { effect, reads } = effectWith(found);
    const events = [
      received('customer.subscription.created'),
      received('invoice.paid', { invoiceId: 'in_new' }),
      received('charge.refunded', { subscriptionId: null, chargeId: 'ch_1' }),
    ];
    const dispatches = await effect.runTogether?.(events, context);
    expect(reads).toEqual([`${subscriptionId} all`]);
    expect(dispatches).toMatchObject([{ command: { type: 'RecordSubscription', snapshot: found } }]);
  });

  it('records a subscription at a price of ours also when its checkout is not on the tape, as after the restore of a backup', async () => {
    const { effect } = effectWith(snapshot());
    const dispatches = await effect.run(received('customer.subscription.updated'), context);
    expect(dispatches).toMatchObject([{ command: { type: 'RecordSubscription', buyer: null } }]);
  });

  it('records none at a price that is not ours, whatever its metadata name', async () => {
    const { effect } = effectWith(snapshot('active', { plan: null }));
    expect(await effect.run(received('customer.subscription.updated'), context)).toEqual([]);
  });

  it.each([
    ['an older invoice', received('invoice.updated', { invoiceId: 'in_old' })],
    ['a refund', received('charge.refunded')],
  ])('reads all of the money when one of the events is about %s', async (_, event) => {
    const { effect, reads } = effectWith(found);
    await effect.runTogether?.([received('customer.subscription.updated'), event], context);
    expect(reads.at(-1)).toBe(`${subscriptionId} all`);
  });

  it.each([
    ['checkout.session.completed', true],
    ['invoice.paid', true],
    ['charge.dispute.created', true],
    ['charge.refund.updated', true],
    ['charge.succeeded', false],
    ['invoice.upcoming', false],
    ['invoice_payment.paid', false],
    ['payment_intent.succeeded', false],
    ['customer.created', false],
  ])('knows by the type whether an event concerns it: %s %s', (type, concerns) => {
    expect(effectWith(found).effect.concerns?.(received(type))).toBe(concerns);
  });
});
