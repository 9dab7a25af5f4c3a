import { subscriptionSubject, type SubscriptionEvent } from './subscription-events.ts';
import type { RecordedRequest, Subscription } from './subscription.ts';

/** What waits for a person is not to be done any more. */
export const abandonedRequests = (
  { observed }: Subscription,
  requests: readonly (readonly [requestId: string, RecordedRequest])[],
): readonly SubscriptionEvent[] => {
  const subscriptionId = observed?.subscriptionId ?? '';
  const personalSubject = subscriptionSubject(subscriptionId);
  return requests
    .filter(([, { outcome }]) => outcome === 'refused' || outcome === 'requested')
    .map(([requestId, { write }]) => ({
      type: 'StripeWriteAbandoned',
      data: { subscriptionId, requestId, kind: write.kind, reason: null, personalSubject },
    }));
};
