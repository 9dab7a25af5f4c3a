import { accountId, derivedId, DomainError, type AccountId, conflict } from '@tapedeck/kernel';
import { isDisputedPayment, openFailures, termsOf } from '../entitlement.ts';
import { openRequestOf } from '../stripe-requests.ts';
import { isFinal, type ObservedSnapshot, type Subscription } from '../subscription.ts';
import type { MoneyAction } from '../money-action-events.ts';
import { refundableAmount } from './refundable.ts';

const unknown = (): DomainError =>
  new DomainError(
    'not-found',
    'SUBSCRIPTION_NOT_FOUND',
    'The member has no such subscription any more: reload the page.',
  );

const ended = (): DomainError =>
  conflict('SUBSCRIPTION_ENDED', 'The subscription has ended: nothing more is charged.');

const underWay = (): DomainError =>
  conflict('CHANGE_UNDER_WAY', 'Another change of the subscription is under way: wait until it is done.');

const assertRefundable = (invoiceId: string, amount: number, state: Subscription): void => {
  const payment = state.payments[invoiceId];
  if (!payment)
    throw new DomainError('not-found', 'PAYMENT_NOT_FOUND', 'This subscription has no such payment.');
  if (isDisputedPayment(state, payment))
    throw conflict(
      'PAYMENT_DISPUTED',
      'The payment is disputed, and the bank decides about the money: wait until the dispute is closed.',
    );
  const left = refundableAmount(state, payment);
  if (left === 0)
    throw conflict('PAYMENT_REFUNDED', 'Nothing is left of this payment: all of it goes back already.');
  if (amount > left)
    throw conflict('REFUND_TOO_LARGE', 'That is more than is left of this payment: enter a smaller amount.');
};

const isEndRequested = ({ requests }: Subscription): boolean =>
  Object.values(requests).some(
    ({ write, outcome }) => write.kind === 'end-now' && (outcome === 'requested' || outcome === 'refused'),
  );

const assertMayEnd = (state: Subscription, observed: ObservedSnapshot): void => {
  if (isFinal(observed)) throw ended();
  if (isEndRequested(state))
    throw conflict(
      'END_UNDER_WAY',
      'The end of this subscription is requested already: wait until it is done.',
    );
};

const assertMayChange = (
  state: Subscription,
  observed: ObservedSnapshot,
  kind: 'cancel' | 'resume',
): void => {
  assertMayEnd(state, observed);
  if (openRequestOf(state)) throw underWay();
  const isSetToEnd = observed.cancelAtPeriodEnd || observed.cancelAt !== null;
  if (kind === 'cancel' && isSetToEnd)
    throw conflict('CANCELLATION_SCHEDULED', 'The subscription is set to end already.');
  if (kind === 'resume' && !isSetToEnd)
    throw conflict('NOT_CANCELLED', 'The subscription is not set to end: there is nothing to resume.');
};

const assertMayRetry = (invoiceId: string, state: Subscription, observed: ObservedSnapshot): void => {
  assertMayEnd(state, observed);
  if (!openFailures(state).some((failure) => failure.invoiceId === invoiceId))
    throw conflict('INVOICE_NOT_OPEN', 'This invoice is not open any more: reload the page.');
  const isRequested = Object.values(state.requests).some(
    ({ write, outcome }) => write.kind === 'pay' && write.invoiceId === invoiceId && outcome === 'requested',
  );
  if (isRequested)
    throw conflict('PAYMENT_UNDER_WAY', 'The payment is being tried already: wait until that is done.');
};

type Page = Readonly<{
  accountId: AccountId;
  /** What is known of the account that would get the purchase. */
  handover?: Readonly<{ hasOtherSubscription: boolean }> | null;
}>;

const assertMayHandOver = (toAccountId: AccountId, state: Subscription, { handover = null }: Page): void => {
  if (handover === null) throw unknown();
  const phase = termsOf(state)?.phase;
  if (phase === 'ended' || phase === 'abandoned')
    throw conflict('PURCHASE_ENDED', 'This purchase has ended or was refunded: it gives nobody access.');
  if (handover.hasOtherSubscription)
    throw conflict(
      'ALREADY_SUBSCRIBED',
      'The account that would get it has a subscription already: end one of the two first.',
    );
  if (state.owner?.accountId === toAccountId)
    throw conflict('SAME_ACCOUNT', 'The purchase belongs to this account already: choose another member.');
  if (Object.values(state.requests).some(({ outcome }) => outcome === 'requested')) throw underWay();
};

/** Of the member, or without an owner where it is given to the member. @throws DomainError */
const assertOwner = (action: MoneyAction, { owner, unclaimed }: Subscription, { accountId }: Page): void => {
  if (action.kind !== 'attach') {
    if (owner?.accountId !== accountId) throw unknown();
    return;
  }
  if (owner)
    throw conflict(
      'PURCHASE_CLAIMED',
      'This purchase has an owner by now: transfer it from that member’s page.',
    );
  if (unclaimed !== 'waiting')
    throw conflict('PURCHASE_NOT_CLAIMABLE', 'This purchase does not wait for an owner any more.');
};

/** @throws DomainError when the action is not possible on what is recorded */
export const assertPossible = (action: MoneyAction, state: Subscription, page: Page): ObservedSnapshot => {
  const { observed, isForgotten, purchaseReturn } = state;
  if (!observed) throw unknown();
  assertOwner(action, state, page);
  if (isForgotten)
    throw conflict(
      'ACCOUNT_DELETED',
      'The owner or the payer has deleted the account: what is left to do is done at Stripe.',
    );
  if (purchaseReturn)
    throw conflict('RETURN_UNDER_WAY', 'This purchase is given back as a whole: that needs nothing more.');
  switch (action.kind) {
    case 'refund':
      assertRefundable(action.invoiceId, action.amount, state);
      return observed;
    case 'cancel':
    case 'resume':
      assertMayChange(state, observed, action.kind);
      return observed;
    case 'end':
      assertMayEnd(state, observed);
      return observed;
    case 'retry':
      assertMayRetry(action.invoiceId, state, observed);
      return observed;
    case 'attach':
    case 'transfer':
      assertMayHandOver(action.toAccountId, state, page);
      return observed;
    default:
      return action satisfies never;
  }
};

const wholeKinds = ['cancel', 'resume', 'end', 'transfer'] as const;
export type WholeKind = (typeof wholeKinds)[number];

const sampleOf = (kind: WholeKind): MoneyAction => {
  if (kind === 'end') return { kind, refund: 'nothing' };
  return kind === 'transfer' ? { kind, toAccountId: accountId(derivedId('another account')) } : { kind };
};

/** What can be done with a subscription as a whole; whether another account may get it, only its own rules say. */
export const possibleKinds = (state: Subscription, account: AccountId): readonly WholeKind[] =>
  wholeKinds.filter((kind) => {
    try {
      assertPossible(sampleOf(kind), state, {
        accountId: account,
        handover: { hasOtherSubscription: false },
      });
      return true;
    } catch (error) {
      if (error instanceof DomainError) return false;
      throw error;
    }
  });
