import { goldenEvents } from '@tapedeck/eventing/testing';
import { stripeEvents } from '../events.ts';
import type { StripeEventReceived } from './stripe-event.ts';

const customerId = 'cus_Na6dX7aXxi11N4';
const invoiceId = 'in_1MtHbELkdIwHu7ix';

goldenEvents(new URL('golden/', import.meta.url), stripeEvents, {
  StripeEventReceived: {
    eventId: 'evt_1NG8Du2eZvKYlo2C',
    type: 'invoice.paid',
    apiVersion: '2026-10-28.endive',
    livemode: false,
    account: null,
    createdAt: '2026-11-22T10:00:00.000Z',
    objectType: 'invoice',
    objectId: invoiceId,
    customerId,
    subscriptionId: 'sub_1MowQVLkdIwHu7ix',
    invoiceId,
    chargeId: null,
    checkoutSessionId: null,
    intentId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    source: 'webhook',
    body: '{"id":"evt_1NG8Du2eZvKYlo2C"}',
    personalSubject: `stripeCustomer:${customerId}`,
  },
} satisfies Readonly<{ StripeEventReceived: StripeEventReceived['data'] }>);
