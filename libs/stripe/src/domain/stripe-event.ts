import type { Decider } from '@tapedeck/eventing';
import type { StripeEventReceived } from './stripe-event-events.ts';

/** A stream has one event: what Stripe sends again is the same. */
export type StripeEventState = 'unknown' | 'received';

export type ReceiveStripeEvent = Readonly<{ type: 'ReceiveStripeEvent'; event: StripeEventReceived['data'] }>;

export const stripeEventDecider: Decider<StripeEventState, ReceiveStripeEvent, StripeEventReceived> = {
  initialState: 'unknown',
  decide: ({ event }, state) => (state === 'received' ? [] : [{ type: 'StripeEventReceived', data: event }]),
  evolve: () => 'received',
};
