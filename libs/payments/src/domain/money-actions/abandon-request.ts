import { DomainError } from '@tapedeck/kernel';
import type { SubscriptionEvent } from '../subscription-events.ts';
import type { Subscription } from '../subscription.ts';
import { isRestored, priceCharged } from '../stripe-requests.ts';
import { actionSubject } from './plan-action.ts';

/** What support wanted, or an announcement, and Stripe has refused, is not to be done any more. */
export type AbandonStripeRequest = Readonly<{
  type: 'AbandonStripeRequest';
  requestId: string;
  reason: string;
}>;

/** Only what a person has begun, or has to put right, can be abandoned by a person: the product owes the rest. */
export const abandonStripeRequest = (
  { requestId, reason }: AbandonStripeRequest,
  state: Subscription,
): readonly SubscriptionEvent[] => {
  const request = state.requests[requestId];
  if (!request) throw new DomainError('not-found', 'WRITE_UNKNOWN', 'There is no such request to Stripe.');
  const { write, outcome, refusal } = request;
  if (outcome === 'abandoned') return [];
  if (outcome !== 'refused')
    throw new DomainError(
      'conflict',
      'WRITE_NOT_REFUSED',
      'This is not refused any more: reload the page to see what has become of it.',
    );
  const isBegunBySupport = 'cause' in write && write.cause === 'support';
  const isOfPrice = write.kind === 'announced-price' || refusal?.code === priceCharged;
  if (!isBegunBySupport && !isOfPrice && !isRestored(write))
    throw new DomainError(
      'conflict',
      'WRITE_IS_OWED',
      'This was not begun by support, and cannot be abandoned: remove the reason of the refusal, then try again.',
    );
  const subscriptionId = state.observed?.subscriptionId ?? '';
  const kept = state.isForgotten ? null : reason;
  const data = { subscriptionId, requestId, kind: write.kind, reason: kept };
  return [{ type: 'StripeWriteAbandoned', data: { ...data, personalSubject: actionSubject(state) } }];
};
