import { evolveSubscription, noSubscription, type Subscription } from '@tapedeck/payments/rules';
import type { SubscriptionEvent } from '@tapedeck/payments/events';
import type { RecordedSubscriptionEvent } from './history.ts';
import { remember } from './remember.ts';

type Facts = {
  -readonly [Field in 'payments' | 'failures' | 'refunds' | 'disputes' | 'requests']: Record<
    string,
    Subscription[Field][string]
  >;
};

/** The names of the fields that grow with every event of a type. */
const growing = {
  PaymentRecorded: 'payments',
  PaymentFailed: 'failures',
  RefundRecorded: 'refunds',
  DisputeOpened: 'disputes',
  DisputeClosed: 'disputes',
  StripeWriteRequested: 'requests',
} as const;

/**
 * The state of a subscription after its events: what `evolveSubscription` gives, in linear time. Each fact that is added to
 * a field is computed by the rule itself, on that field alone.
 */
export const subscriptionAfter = remember((events: readonly RecordedSubscriptionEvent[]): Subscription => {
  const facts: Facts = { payments: {}, failures: {}, refunds: {}, disputes: {}, requests: {} };
  let state = noSubscription;
  for (const recorded of events) {
    // Sealed fields are only copied.
    const event = recorded as unknown as SubscriptionEvent;
    const field = growing[event.type as keyof typeof growing] as keyof Facts | undefined;
    if (field !== undefined) Object.assign(facts[field], evolveSubscription(noSubscription, event)[field]);
    else if (event.type === 'StripeWriteCompleted' || event.type === 'StripeWriteRefused') {
      const { requestId } = event.data;
      const request = facts.requests[requestId];
      const known = { ...noSubscription, requests: request ? { [requestId]: request } : {} };
      Object.assign(facts.requests, evolveSubscription(known, event).requests);
    } else state = evolveSubscription(state, event);
  }
  return { ...state, ...facts };
});
