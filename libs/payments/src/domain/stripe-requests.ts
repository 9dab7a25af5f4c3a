import { DomainError, type AccountId, conflict } from '@tapedeck/kernel';
import { changeKind, isSamePlan, type Plan } from '@tapedeck/plans/contract';
import { isFullyRefunded, isTakenByBank, subscribedPlanOf, termsOf } from './entitlement.ts';
import { subscriptionSubject, type StripeRequest, type SubscriptionEvent } from './subscription-events.ts';
import {
  isFinal,
  isPaidByAnother,
  type ObservedSnapshot,
  type Subscription,
  type RecordedRequest,
} from './subscription.ts';

export type RequestStripeChange = Readonly<{
  type: 'RequestStripeChange';
  requestId: string;
  request: StripeRequest;
  comment: string | null;
  /** The member who wants it; null for support and due dates. */
  by: AccountId | null;
}>;

export type CompleteStripeRequest = Readonly<{ type: 'CompleteStripeRequest'; requestId: string }>;
export type RefuseStripeRequest = Readonly<{
  type: 'RefuseStripeRequest';
  requestId: string;
  code: string;
  fixUrl: string | null;
}>;

/** Stripe has refused to give money back or to end a subscription: it is requested once more. */
export type RepeatStripeRequest = Readonly<{
  type: 'RepeatStripeRequest';
  requestId: string;
  /** The refused one. */
  repeats: string;
  comment: string | null;
}>;

/** It is no longer tried, and its outcome is not known: the newest snapshot decides. */
export type ResolveStripeRequest = Readonly<{ type: 'ResolveStripeRequest'; requestId: string }>;

export const requestEvent = (
  { observed, isForgotten }: Subscription,
  requestId: string,
  request: StripeRequest,
  {
    comment = null,
    repeats,
    actionId,
  }: Readonly<{ comment?: string | null; repeats?: string; actionId?: string }> = {},
): SubscriptionEvent => {
  const subscriptionId = observed?.subscriptionId ?? '';
  const personalSubject = subscriptionSubject(subscriptionId);
  return {
    type: 'StripeWriteRequested',
    data: {
      subscriptionId,
      requestId,
      write: request,
      ...(repeats === undefined ? {} : { repeats }),
      ...(actionId === undefined ? {} : { actionId }),
      comment: isForgotten ? null : comment,
      personalSubject,
    },
  };
};

const unknown = (): DomainError =>
  new DomainError(
    'not-found',
    'SUBSCRIPTION_NOT_FOUND',
    'Your account has no such subscription: choose a plan first.',
  );

type PriceChange = Extract<StripeRequest, { kind: 'announced-price' | 'keep-price' }>;
type PlanChange = Exclude<StripeRequest, PriceChange | { kind: 'end-now' | 'refund' | 'pay' }>;

/** What an announcement changes, and its withdrawal. */
export const isPriceChange = (request: StripeRequest): request is PriceChange =>
  request.kind === 'announced-price' || request.kind === 'keep-price';

/** Changes that a member makes exclude each other; what support or a due date wants does not wait for them. */
export const isPlanChange = (request: StripeRequest): request is PlanChange =>
  !isPriceChange(request) &&
  request.kind !== 'end-now' &&
  request.kind !== 'refund' &&
  request.kind !== 'pay';

/**
 * What gives money back, ends what is not paid, or keeps a price that was promised is tried until it is done; the rest is
 * not made hours later.
 */
export const isTriedUntilDone = ({ kind }: StripeRequest): boolean =>
  kind === 'end-now' || kind === 'refund' || kind === 'keep-price';

/** A scheduled change that an upgrade in vain has removed: the product requests it again, and no member waits for it. */
export const isRestored = (write: StripeRequest): boolean =>
  write.kind === 'downgrade' && write.restores !== undefined;

/** What was refused can be requested once more, as it waits in a queue. */
const isRepeatable = (write: StripeRequest): boolean =>
  isTriedUntilDone(write) || write.kind === 'announced-price' || isRestored(write);

export const openRequestOf = ({ requests }: Subscription): RecordedRequest | undefined =>
  Object.values(requests).find((one) => one.outcome === 'requested' && isPlanChange(one.write));

/** Whether what was scheduled before can be scheduled again: it renews, and nothing else is to come. */
export const mayRestore = (state: Subscription): boolean => {
  const { observed } = state;
  if (!observed || isFinal(observed) || observed.cancelAtPeriodEnd || openRequestOf(state)) return false;
  return (observed.pendingPlan ?? observed.scheduledPlan ?? observed.cancelAt) === null;
};

export const paidByAnother = (): DomainError =>
  conflict(
    'PAID_BY_ANOTHER',
    'This plan is charged to the card with which it was bought. Buy a plan yourself, and this one ends with its period.',
  );

/**
 * An upgrade is charged to the card of the purchase.
 * @throws DomainError PAID_BY_ANOTHER when the account has not proved to be the one who has paid
 */
export const assertOwnCard = (state: Subscription): void => {
  if (isPaidByAnother(state)) throw paidByAnother();
};

const assertMayChangePlan = (state: Subscription, observed: ObservedSnapshot, plan: Plan): void => {
  if (termsOf(state)?.phase !== 'active') {
    throw conflict('PAYMENT_DUE', 'The last payment has failed: pay it first, then change the plan.');
  }
  if (observed.cancelAtPeriodEnd || observed.cancelAt !== null) {
    throw conflict('CANCELLATION_SCHEDULED', 'Your subscription is cancelled: resume it first.');
  }
  if (observed.pendingPlan) {
    throw conflict('UPGRADE_NOT_PAID', 'An upgrade waits for its payment: pay or wait until it lapses.');
  }
  const current = subscribedPlanOf(state);
  if (current && isSamePlan(current, plan) && !observed.scheduledPlan) {
    throw conflict('PLAN_UNCHANGED', 'You have this plan already: choose another one.');
  }
};

const assertKind = (state: Subscription, plan: Plan, kind: 'upgrade' | 'downgrade'): void => {
  const current = subscribedPlanOf(state);
  const actual = current ? changeKind(current, plan) : 'none';
  if (actual === kind) return;
  throw conflict(
    'OTHER_KIND_OF_CHANGE',
    `This change is not ${kind === 'upgrade' ? 'an upgrade' : 'a downgrade'}: reload the page.`,
  );
};

const hasResult = (observed: ObservedSnapshot, request: PlanChange): boolean => {
  const { plan, scheduledPlan, cancelAtPeriodEnd, cancelAt } = observed;
  switch (request.kind) {
    case 'cancel':
      return cancelAtPeriodEnd || cancelAt !== null || isFinal(observed);
    case 'resume':
      return !cancelAtPeriodEnd && cancelAt === null;
    case 'upgrade':
      return plan !== null && isSamePlan(plan, request.plan);
    case 'downgrade':
      return [plan, scheduledPlan].some((known) => known && isSamePlan(known, request.plan));
    case 'keep-plan':
      return scheduledPlan === null;
    default:
      return request satisfies never;
  }
};

/** The code of a withdrawn price that was charged nevertheless: a person gives the difference back. */
export const priceCharged = 'PRICE_CHARGED';

/** Whether its renewal was charged the price that was withdrawn, before Stripe was asked to keep the former one. */
const isChargedOtherwise = (
  observed: ObservedSnapshot,
  { plan, amount }: Extract<StripeRequest, { kind: 'keep-price' }>,
): boolean =>
  plan !== undefined &&
  observed.plan !== null &&
  isSamePlan(observed.plan, plan) &&
  observed.amount !== amount;

const hasPrice = (observed: ObservedSnapshot, request: PriceChange): boolean =>
  request.kind === 'keep-price'
    ? observed.scheduledPrice === undefined && !isChargedOtherwise(observed, request)
    : observed.scheduledPrice !== undefined || observed.amount === request.amount;

/** Whether Stripe already has what the request asks for. @throws DomainError when it is not possible now */
const isDone = (state: Subscription, observed: ObservedSnapshot, request: StripeRequest): boolean => {
  switch (request.kind) {
    case 'cancel':
    case 'resume':
    case 'keep-plan':
      return hasResult(observed, request);
    case 'upgrade':
      assertOwnCard(state);
      assertMayChangePlan(state, observed, request.plan);
      assertKind(state, request.plan, 'upgrade');
      if (termsOf(state)?.isDisputed === true) {
        throw conflict(
          'PAYMENT_DISPUTED',
          'A payment is disputed: nothing new can be bought until the dispute is closed.',
        );
      }
      return false;
    case 'downgrade':
      if (observed.scheduledPlan && isSamePlan(observed.scheduledPlan, request.plan)) return true;
      assertMayChangePlan(state, observed, request.plan);
      assertKind(state, request.plan, 'downgrade');
      return false;
    case 'announced-price':
    case 'keep-price':
      return hasPrice(observed, request);
    case 'end-now':
      return false;
    case 'pay':
      return state.payments[request.invoiceId] !== undefined;
    case 'refund': {
      const payment = state.payments[request.invoiceId];
      if (!payment) {
        throw new DomainError('not-found', 'PAYMENT_NOT_FOUND', 'This subscription has no such payment.');
      }
      return isFullyRefunded(state, payment);
    }
    default:
      return request satisfies never;
  }
};

/** An upgrade removes what was scheduled before it. */
const withReplaced = (request: StripeRequest, { scheduledPlan }: ObservedSnapshot): StripeRequest => {
  if (request.kind !== 'upgrade' || !scheduledPlan) return request;
  const { tier, period } = scheduledPlan;
  return { ...request, replaces: { tier, period } };
};

export const requestStripeChange = (
  command: RequestStripeChange,
  state: Subscription,
): readonly SubscriptionEvent[] => {
  const { observed, owner, requests } = state;
  const { requestId, request, comment, by } = command;
  if (requests[requestId]) return [];
  if (!observed || (by !== null && owner?.accountId !== by)) throw unknown();
  if (isFinal(observed) && request.kind !== 'refund') {
    if (request.kind === 'end-now') return [];
    throw conflict('SUBSCRIPTION_ENDED', 'Your subscription has ended: choose a plan to subscribe again.');
  }
  if (isPlanChange(request) && openRequestOf(state)) {
    throw conflict('CHANGE_UNDER_WAY', 'Another change is under way: wait until it is done.');
  }
  if (isDone(state, observed, request)) return [];
  return [requestEvent(state, requestId, withReplaced(request, observed), { comment })];
};

const openRequest = (state: Subscription, requestId: string): RecordedRequest | undefined => {
  const request = state.requests[requestId];
  if (!request) throw new DomainError('not-found', 'WRITE_UNKNOWN', 'There is no such request to Stripe.');
  return request.outcome === 'requested' ? request : undefined;
};

const subscriptionIdOf = ({ observed }: Subscription): string => observed?.subscriptionId ?? '';

export const refuseStripeRequest = (
  { requestId, code, fixUrl }: RefuseStripeRequest,
  state: Subscription,
): readonly SubscriptionEvent[] => {
  const request = openRequest(state, requestId);
  if (!request) return [];
  const data = { subscriptionId: subscriptionIdOf(state), requestId, kind: request.write.kind, code, fixUrl };
  return [{ type: 'StripeWriteRefused', data }];
};

/** Whether Stripe has done it, by whatever way: a person has refunded there, or an upgrade was paid later. What the bank has taken is gone. */
const isSatisfied = (state: Subscription, write: StripeRequest): boolean => {
  const { observed, payments } = state;
  if (isPlanChange(write)) return observed !== null && hasResult(observed, write);
  if (isPriceChange(write)) return observed !== null && hasPrice(observed, write);
  if (write.kind === 'end-now') return observed !== null && isFinal(observed);
  const payment = payments[write.invoiceId];
  if (write.kind === 'pay') return payment !== undefined;
  return payment !== undefined && (isFullyRefunded(state, payment) || isTakenByBank(state, payment));
};

/** Why what Stripe has accepted is not done; undefined where it is, or shows later. */
const unconfirmed = (state: Subscription, write: StripeRequest): string | undefined => {
  const { observed } = state;
  const showsAtOnce = !isTriedUntilDone(write) || write.kind === 'keep-price';
  if (!observed || !showsAtOnce || isSatisfied(state, write)) return undefined;
  const isCharged = write.kind === 'keep-price' && isChargedOtherwise(observed, write);
  return isCharged ? priceCharged : 'NOT_CONFIRMED';
};

export const completeStripeRequest = (
  { requestId }: CompleteStripeRequest,
  state: Subscription,
): readonly SubscriptionEvent[] => {
  const request = openRequest(state, requestId);
  if (!request) return [];
  const { write } = request;
  // What Stripe has accepted need not be what it has now: an end on a certain day outlives a withdrawn cancellation.
  const code = unconfirmed(state, write);
  if (code !== undefined)
    return refuseStripeRequest({ type: 'RefuseStripeRequest', requestId, code, fixUrl: null }, state);
  const data = { subscriptionId: subscriptionIdOf(state), requestId, kind: write.kind };
  return [{ type: 'StripeWriteCompleted', data }];
};

export const repeatStripeRequest = (
  { requestId, repeats, comment }: RepeatStripeRequest,
  state: Subscription,
): readonly SubscriptionEvent[] => {
  const { requests } = state;
  const refused = requests[repeats];
  if (!refused) throw new DomainError('not-found', 'WRITE_UNKNOWN', 'There is no such request to Stripe.');
  if (requests[requestId] || refused.outcome !== 'refused' || !isRepeatable(refused.write)) return [];
  if (isRestored(refused.write) && !mayRestore(state)) return [];
  const { actionId } = refused;
  const about = { comment, repeats, ...(actionId === undefined ? {} : { actionId }) };
  return [requestEvent(state, requestId, refused.write, about)];
};

/** What was refused, and is done: it waits for nobody any more. */
export const satisfiedRequests = (state: Subscription): readonly SubscriptionEvent[] =>
  Object.entries(state.requests)
    .filter(([, { outcome, write }]) => outcome === 'refused' && isSatisfied(state, write))
    .map(([requestId, { write }]) => ({
      type: 'StripeWriteCompleted',
      data: { subscriptionId: subscriptionIdOf(state), requestId, kind: write.kind },
    }));

/** Only of what is not tried until it is done. */
export const resolveStripeRequest = (
  { requestId }: ResolveStripeRequest,
  state: Subscription,
): readonly SubscriptionEvent[] => {
  const request = openRequest(state, requestId)?.write;
  const { observed } = state;
  if (!request || !observed || isTriedUntilDone(request)) return [];
  return isSatisfied(state, request)
    ? completeStripeRequest({ type: 'CompleteStripeRequest', requestId }, state)
    : refuseStripeRequest(
        { type: 'RefuseStripeRequest', requestId, code: 'OUTCOME_UNKNOWN', fixUrl: null },
        state,
      );
};
