import { defineProjection } from '@tapedeck/eventing';
import type { StripeEventReceived } from '../domain/stripe-event.ts';

/** Events of Stripe by what they are about. The outbox contains those that are not handled yet. */
export const stripeInbox = defineProjection<StripeEventReceived>({
  name: 'stripe_inbox',
  version: 1,
  database: 'tapedeck',
  replay: { isSource: true },
  types: { StripeEventReceived: true },
  tables: [
    {
      name: 'stripe_inbox',
      key: ['event_id'],
      columns: {
        event_id: 'text not null',
        type: 'text not null',
        object_id: 'text',
        customer_id: 'text',
        subscription_id: 'text',
        source: 'text not null',
        created_at: 'timestamptz not null',
        received_at: 'timestamptz not null',
      },
      indexes: ['(customer_id)', '(subscription_id)', '(received_at)'],
    },
  ],
  fold: (events) =>
    events.map(({ data, metadata }) => ({
      op: 'put',
      table: 'stripe_inbox',
      key: { event_id: data.eventId },
      row: {
        type: data.type,
        object_id: data.objectId,
        customer_id: data.customerId,
        subscription_id: data.subscriptionId,
        source: data.source,
        created_at: data.createdAt,
        received_at: metadata.occurredAt,
      },
    })),
});
