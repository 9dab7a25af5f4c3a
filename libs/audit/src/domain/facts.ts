import { evolveSealed } from '@tapedeck/eventing/core';
import { evolveSubscription, noSubscription, type Subscription } from '@tapedeck/payments/rules';
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
} as const;

const evolve = evolveSealed(evolveSubscription);

/**
 * The state of a subscription after its events: what `evolveSubscription` gives, in linear time. Each fact that is added to
 * a field is computed by the rule itself, on that field alone.
 */
export const subscriptionAfter: (events: readonly RecordedSubscriptionEvent[]) => Subscription = remember(
  (events) => {
    const facts: Facts = { payments: {}, failures: {}, refunds: {}, disputes: {}, requests: {} };
    let state = noSubscription;
    for (const event of events) {
      const field = growing[event.type as keyof typeof growing] as keyof Facts | undefined;
      if (field !== undefined) Object.assign(facts[field], evolve(noSubscription, event)[field]);
      else if ('requestId' in event.data) {
        const { data } = event;
        const named = 'repeats' in data ? [data.requestId, data.repeats] : [data.requestId];
        const requests = Object.fromEntries(
          named.flatMap((id) => (facts.requests[id] ? [[id, facts.requests[id]]] : [])),
        ) as Subscription['requests'];
        Object.assign(facts.requests, evolve({ ...noSubscription, requests }, event).requests);
      } else state = evolve(state, event);
    }
    return { ...state, ...facts };
  },
);
