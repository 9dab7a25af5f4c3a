import { DomainError, type AccountId, conflict } from '@tapedeck/kernel';
import { refundedAmount } from '../entitlement.ts';
import { maySettle } from '../refusals.ts';
import type { SubscriptionEvent } from '../subscription-events.ts';
import { isRestored, priceCharged } from '../stripe-requests.ts';
import type { RecordedRequest, Subscription } from '../subscription.ts';
import { actionSubject } from './plan-action.ts';

/**
 * What Stripe has refused is not to be done any more: of support, of an announcement, a restored change, or what the bank has sent back and was paid
 * in another way.
 */
export type AbandonStripeRequest = Readonly<{
  type: 'AbandonStripeRequest';
  requestId: string;
  reason: string;
  by: AccountId;
  isAdmin: boolean;
  /** Above this sum a second person is needed for what is owed, in minor units. */
  limit: number;
}>;

const forbidden = (code: string, message: string): DomainError => new DomainError('forbidden', code, message);

/** Neither begun by support, nor of a price that a person has to put right, nor a change that is scheduled again. */
const isOwed = ({ write, refusal }: RecordedRequest): boolean =>
  write.kind !== 'announced-price' &&
  refusal?.code !== priceCharged &&
  !isRestored(write) &&
  !('cause' in write && write.cause === 'support');

/** What the product owes is abandoned only where the bank does not take it. */
export const mayAbandon = (request: RecordedRequest): boolean =>
  request.outcome === 'refused' &&
  (!isOwed(request) || (request.write.kind === 'refund' && maySettle(request.refusal?.code ?? '')));

const assertMayAbandon = (request: RecordedRequest): void => {
  if (request.outcome !== 'refused')
    throw conflict(
      'WRITE_NOT_REFUSED',
      'This is not refused any more: reload the page to see what has become of it.',
    );
  if (!mayAbandon(request))
    throw conflict(
      'WRITE_IS_OWED',
      'This was not begun by support, and cannot be abandoned: remove the reason of the refusal, then try again.',
    );
};

/** What is left of the payment that a request gives back, in minor units. */
const amountOf = ({ write }: RecordedRequest, state: Subscription): number => {
  const payment = write.kind === 'refund' ? state.payments[write.invoiceId] : undefined;
  return payment ? payment.amountPaid - refundedAmount(state, payment) : 0;
};

const assertSecondPerson = (proposedBy: AccountId, { by, isAdmin }: AbandonStripeRequest): void => {
  if (proposedBy === by)
    throw forbidden('OWN_PROPOSAL', 'You have proposed this yourself: another admin has to approve it.');
  if (!isAdmin) throw forbidden('FOR_ADMINS', 'Someone else proposed this: an admin has to decide about it.');
};

/** What is owed above the limit is proposed by one person, and abandoned by another one. */
export const abandonStripeRequest = (
  command: AbandonStripeRequest,
  state: Subscription,
): readonly SubscriptionEvent[] => {
  const { requestId, reason, by, limit } = command;
  const request = state.requests[requestId];
  if (!request) throw new DomainError('not-found', 'WRITE_UNKNOWN', 'There is no such request to Stripe.');
  if (request.outcome === 'abandoned') return [];
  assertMayAbandon(request);
  const data = {
    subscriptionId: state.observed?.subscriptionId ?? '',
    requestId,
    kind: request.write.kind,
    reason: state.isForgotten ? null : reason,
    personalSubject: actionSubject(state),
  };
  if (!isOwed(request) || amountOf(request, state) <= limit) return [{ type: 'StripeWriteAbandoned', data }];
  const { abandonProposedBy } = request;
  if (abandonProposedBy === undefined) return [{ type: 'StripeWriteAbandonProposed', data: { ...data, by } }];
  assertSecondPerson(abandonProposedBy, command);
  return [{ type: 'StripeWriteAbandoned', data }];
};
