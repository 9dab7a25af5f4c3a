import { derivedId, daysAfter } from '@tapedeck/kernel';
import { isSamePlan, type Plan } from '@tapedeck/plans/contract';
import { goesOn, subscribedPlanOf } from './entitlement.ts';
import type { Announcement } from './price-change.ts';
import type { PriceNotice } from './price-events.ts';
import { firstRenewalFrom } from './renewals.ts';
import { abandonedRequests } from './abandoned-requests.ts';
import { openRequestOf, requestEvent } from './stripe-requests.ts';
import type { StripeRequest, SubscriptionEvent } from './subscription-events.ts';
import { isFinal, type ObservedSnapshot, type RecordedRequest, type Subscription } from './subscription.ts';

/** Tells the owner once what the subscription costs from a renewal on, if it is to cost something else. */
export type NoticePrice = Readonly<{ type: 'NoticePrice'; announcement: Announcement; now: string }>;

/** The renewal is near: it is to be charged the price that was announced. */
export type ApplyPrice = Readonly<{ type: 'ApplyPrice'; announcementId: string; now: string }>;

/** These announcements were withdrawn. */
export type WithdrawPriceNotice = Readonly<{
  type: 'WithdrawPriceNotice';
  announcementIds: readonly string[];
  now: string;
}>;

/** Later than every other change of the plan that the owner may want before the renewal. */
export const priceIsDueAt = (renewsAt: string): string => daysAfter(renewsAt, -1);

type PriceRequest = Extract<StripeRequest, { kind: 'announced-price' }>;

const isPriceRequest = (write: StripeRequest): write is PriceRequest => write.kind === 'announced-price';

type Identified = readonly [requestId: string, RecordedRequest];

const isUnderWay = ([, { outcome }]: Identified): boolean => outcome === 'requested';

/** Of an announcement, the oldest first. */
const requestsFor = ({ requests }: Subscription, announcementId: string): readonly Identified[] =>
  Object.entries(requests).filter(
    ([, { write }]) => isPriceRequest(write) && write.announcementId === announcementId,
  );

/** Of these, those for the renewal of a notice: a former owner had another one. */
const forRenewal = (
  requests: ReturnType<typeof requestsFor>,
  { renewsAt }: PriceNotice,
): ReturnType<typeof requestsFor> =>
  requests.filter(([, { write }]) => isPriceRequest(write) && write.notBefore === renewsAt);

type Terms = Readonly<{ plan: Plan; currency: string; amount: number }>;

/**
 * The newest snapshot, where the subscription renews at another amount than that of the terms. A member who changes the plan
 * pays what is sold anyway.
 */
const renewsAtOther = (
  state: Subscription,
  { plan, currency, amount }: Terms,
): ObservedSnapshot | undefined => {
  const { observed, owner } = state;
  const subscribed = subscribedPlanOf(state);
  if (!observed || !owner || !subscribed || !isSamePlan(subscribed, plan) || !goesOn(state)) return undefined;
  if (observed.scheduledPlan ?? observed.pendingPlan) return undefined;
  return observed.currency === currency && observed.amount !== amount ? observed : undefined;
};

/** The newest snapshot, where another amount was announced to its owner than it renews at now. */
const renewsOtherwise = (state: Subscription, notice: PriceNotice): ObservedSnapshot | undefined => {
  const { plan, currency, toAmount: amount, accountId } = notice;
  const isNotified = state.owner?.accountId === accountId;
  return isNotified ? renewsAtOther(state, { plan, currency, amount }) : undefined;
};

const isNotified = ({ priceNotice, owner }: Subscription, announcementId: string): boolean =>
  priceNotice?.announcementId === announcementId && priceNotice.accountId === owner?.accountId;

export const noticePrice = (
  { announcement, now }: NoticePrice,
  state: Subscription,
): readonly SubscriptionEvent[] => {
  const { announcementId, announcedAt, plan, currency, amount: toAmount, from, noticeDays } = announcement;
  const { priceNotice: earlier, owner } = state;
  if (isNotified(state, announcementId) || (earlier && earlier.announcedAt > announcedAt)) return [];
  const observed = renewsAtOther(state, { plan, currency, amount: toAmount });
  const replaced = earlier ? requestsFor(state, earlier.announcementId) : [];
  if (!observed || !owner || openRequestOf(state)) return [];
  // Stripe changes the price already, or is asked for it: what was announced before holds for the next renewal.
  if (observed.scheduledPrice || replaced.some(isUnderWay)) return [];
  const afterNotice = daysAfter(now, noticeDays);
  const renewsAt = firstRenewalFrom(observed, plan.period, afterNotice > from ? afterNotice : from);
  const { subscriptionId, amount: fromAmount } = observed;
  const { accountId } = owner;
  const terms = { plan, fromAmount, toAmount, currency, renewsAt, givenAt: now };
  const data = { subscriptionId, accountId, announcementId, announcedAt, ...terms };
  return [...abandonedRequests(state, replaced), { type: 'PriceNoticeGiven', data }];
};

const isGiven = (notice: PriceNotice | null, announcementId: string): notice is PriceNotice =>
  notice !== null && notice.announcementId === announcementId && !notice.isWithdrawn;

/** Under way, waiting for a person, or abandoned by one: it is not requested by itself. */
const isDecided = ([, { outcome }]: Identified): boolean =>
  outcome === 'requested' || outcome === 'refused' || outcome === 'abandoned';

/** What to request of Stripe, so that the next renewal is charged the price that was announced; none before it is near. */
const priceRequest = (
  state: Subscription,
  notice: PriceNotice,
  now: string,
): readonly SubscriptionEvent[] => {
  const { announcementId, plan, toAmount: amount, renewsAt } = notice;
  const observed = renewsOtherwise(state, notice);
  if (!observed || observed.scheduledPrice || openRequestOf(state)) return [];
  // The renewal before it is not recorded yet, or Stripe renews earlier than was announced.
  if (observed.periodEnd < renewsAt || now < priceIsDueAt(renewsAt)) return [];
  const earlier = requestsFor(state, announcementId);
  if (forRenewal(earlier, notice).some(isDecided)) return [];
  const { subscriptionId } = observed;
  const requestId = derivedId('announced price', subscriptionId, announcementId, String(earlier.length));
  const write = { kind: 'announced-price', announcementId, plan, amount, notBefore: renewsAt } as const;
  return [requestEvent(state, requestId, write)];
};

export const applyPrice = (
  { announcementId, now }: ApplyPrice,
  state: Subscription,
): readonly SubscriptionEvent[] => {
  const { priceNotice: notice, observed } = state;
  if (!isGiven(notice, announcementId) || now < priceIsDueAt(notice.renewsAt)) return [];
  const subscriptionId = observed?.subscriptionId ?? '';
  const due: readonly SubscriptionEvent[] = notice.isDue
    ? []
    : [{ type: 'AnnouncedPriceDue', data: { subscriptionId, announcementId } }];
  return [...due, ...priceRequest(state, notice, now)];
};

/** Whether a renewal was charged what is withdrawn, before the withdrawal has arrived. */
const isCharged = (
  observed: ObservedSnapshot | null,
  { plan, toAmount }: PriceNotice,
  requests: readonly Identified[],
): boolean =>
  requests.some(([, { outcome }]) => outcome === 'completed') &&
  observed?.amount === toAmount &&
  observed.plan !== null &&
  isSamePlan(observed.plan, plan);

export const withdrawPriceNotice = (
  { announcementIds, now: withdrawnAt }: WithdrawPriceNotice,
  state: Subscription,
): readonly SubscriptionEvent[] => {
  const { priceNotice: notice, observed } = state;
  if (!notice || notice.isWithdrawn || !announcementIds.includes(notice.announcementId)) return [];
  // Behind a change of the plan it would undo that one.
  if (openRequestOf(state)) return [];
  const subscriptionId = observed?.subscriptionId ?? '';
  const { accountId, announcementId, plan, fromAmount, toAmount } = notice;
  const requests = requestsFor(state, announcementId);
  const isAtStripe = observed?.scheduledPrice !== undefined || requests.some(isUnderWay);
  const isUndone = isAtStripe || isCharged(observed, notice, requests);
  // Of a former price a person may have made another one since the notice.
  const amount = observed && observed.amount !== toAmount ? observed.amount : fromAmount;
  const requestId = derivedId('announced price withdrawn', subscriptionId, announcementId);
  return [
    ...abandonedRequests(state, requests),
    { type: 'PriceNoticeWithdrawn', data: { subscriptionId, accountId, announcementId, withdrawnAt } },
    ...(isUndone ? [requestEvent(state, requestId, { kind: 'keep-price', plan, amount })] : []),
  ];
};

const isBeingUndone = ({ write, outcome }: RecordedRequest): boolean =>
  write.kind === 'keep-price' && (outcome === 'requested' || outcome === 'refused');

/** What was announced to a former owner is undone at Stripe: the present one is notified first, for a renewal of its own. */
export const foreignPrice = (state: Subscription): readonly SubscriptionEvent[] => {
  const { priceNotice: notice, owner, observed } = state;
  if (!notice || !owner || !observed || notice.accountId === owner.accountId) return [];
  // Behind a change of the plan it would undo that one.
  if (isFinal(observed) || observed.amount === notice.toAmount || openRequestOf(state)) return [];
  const requests = requestsFor(state, notice.announcementId);
  const isAtStripe =
    observed.scheduledPrice !== undefined || requests.some(([, one]) => one.outcome === 'requested');
  const known = Object.values(state.requests);
  if (!isAtStripe || known.some(isBeingUndone)) return abandonedRequests(state, requests);
  const count = known.filter(({ write }) => write.kind === 'keep-price').length;
  const { subscriptionId } = observed;
  const requestId = derivedId('announced price of a former owner', subscriptionId, String(count));
  const write = { kind: 'keep-price', plan: notice.plan, amount: observed.amount } as const;
  return [...abandonedRequests(state, requests), requestEvent(state, requestId, write)];
};

/** A refused request that has become pointless: the subscription has ended, or has another plan. */
export const pointlessPriceRequests = (state: Subscription): readonly SubscriptionEvent[] => {
  const { observed } = state;
  if (!observed) return [];
  const refused = Object.entries(state.requests).filter(([, { write, outcome }]) => {
    if (outcome !== 'refused' || !isPriceRequest(write)) return false;
    return isFinal(observed) || (observed.plan !== null && !isSamePlan(observed.plan, write.plan));
  });
  return abandonedRequests(state, refused);
};

/** What the mail of a notice says when it is sent; undefined when it has been replaced or withdrawn, or the price does not change. */
export const priceToAnnounce = (
  { announcementId, renewsAt }: Pick<PriceNotice, 'announcementId' | 'renewsAt'>,
  state: Subscription,
  now: string,
): PriceNotice | undefined => {
  const { priceNotice: notice } = state;
  if (!isGiven(notice, announcementId) || notice.renewsAt !== renewsAt || renewsAt <= now) return undefined;
  return renewsOtherwise(state, notice) && notice;
};

/** What was announced, and is withdrawn; undefined for an owner whom it does not concern any more. */
export const priceToKeep = (before: Subscription, now: Subscription): PriceNotice | undefined => {
  const { priceNotice: notice } = before;
  return notice && renewsOtherwise(now, notice) ? notice : undefined;
};

export type NextPrice = Readonly<{ amount: number; from: string }>;

/** What was announced to the owner and will be charged, and from which renewal on; undefined where the price stays. */
export const announcedPriceOf = (state: Subscription): NextPrice | undefined => {
  const { priceNotice: notice } = state;
  if (!notice || notice.isWithdrawn) return undefined;
  const observed = renewsOtherwise(state, notice);
  const requests = forRenewal(requestsFor(state, notice.announcementId), notice);
  const newest = requests.at(-1)?.[1].outcome;
  if (!observed || newest === 'refused' || newest === 'abandoned') return undefined;
  const { periodEnd } = observed;
  const isLate = notice.isDue && periodEnd > notice.renewsAt;
  return { amount: notice.toAmount, from: isLate ? periodEnd : notice.renewsAt };
};

/** What the next renewal of the same plan is charged, in minor units. */
export const renewalAmountOf = (state: Subscription, observed: ObservedSnapshot): number => {
  const next = announcedPriceOf(state);
  return next && observed.periodEnd >= next.from ? next.amount : observed.amount;
};
