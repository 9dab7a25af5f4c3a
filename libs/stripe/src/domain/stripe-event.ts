import {
  commandTarget,
  defineEvents,
  type Decider,
  type DomainEvent,
  type Personal,
} from '@tapedeck/eventing/core';

/** A webhook, as it arrived. What it says is a hint: its objects are read again from Stripe. */
export type StripeEventReceived = DomainEvent<
  'StripeEventReceived',
  {
    eventId: string;
    /** Stripe's type, such as `invoice.paid`, known to us or not. */
    type: string;
    apiVersion: string | null;
    livemode: boolean;
    account: string | null;
    /** Stripe's time of the event: whole seconds, never used for order. */
    createdAt: string;
    objectType: string | null;
    objectId: string | null;
    customerId: string | null;
    subscriptionId: string | null;
    invoiceId: string | null;
    chargeId: string | null;
    /** Missing in older events. */
    paymentIntentId?: string | null;
    checkoutSessionId: string | null;
    intentId: string | null;
    /** How it came: by webhook, or found by a reconciliation or a replay. */
    source: 'webhook' | 'reconciliation' | 'replay';
    /**
     * The body, byte for byte; Stripe's objects contain names, addresses and parts of card numbers. Null when the buyer was
     * deleted before.
     */
    body: Personal<string | null>;
    personalSubject: string;
  }
>;

export const stripeEvents = defineEvents<StripeEventReceived>({
  StripeEventReceived: { version: 1, personal: ['body'], subject: 'personalSubject' },
});

export const stripeEventStream = (eventId: string): string => `stripeEvent-${eventId}`;

/** The key of personal data of a customer: forgetting the buyer deletes it. */
export const customerSubject = (customerId: string): string => `stripeCustomer:${customerId}`;

/** A stream has one event: what Stripe sends again is the same. */
export type StripeEventState = 'unknown' | 'received';

export type ReceiveStripeEvent = Readonly<{ type: 'ReceiveStripeEvent'; event: StripeEventReceived['data'] }>;

export const stripeEventDecider: Decider<StripeEventState, ReceiveStripeEvent, StripeEventReceived> = {
  initialState: 'unknown',
  decide: ({ event }, state) => (state === 'received' ? [] : [{ type: 'StripeEventReceived', data: event }]),
  evolve: () => 'received',
};

export const stripeInbox = commandTarget(stripeEventDecider, stripeEvents);
