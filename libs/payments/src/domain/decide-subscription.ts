import { commandTarget, type Decider, type SnapshotForm } from '@tapedeck/eventing/core';
import { derivedId } from '@tapedeck/kernel';
import {
  claimPurchase,
  refundUnclaimed,
  remindOfClaim,
  transferPurchase,
  type ClaimPurchase,
  type RefundUnclaimed,
  type RemindOfClaim,
  type TransferPurchase,
} from './claim-purchase.ts';
import { entitlementOf, lostDisputeOf, refundedPeriodOf } from './entitlement.ts';
import {
  closeAccount,
  failedReturns,
  returnCompleted,
  returnPurchase,
  returnRequests,
  type CloseAccount,
  type ReturnPurchase,
} from './purchase-return.ts';
import { pointlessDowngrades, restoredDowngrade } from './lapsed-upgrade.ts';
import { acceptFinding, checkMoney, type AcceptFinding, type CheckMoney } from './money-findings.ts';
import { abandonStripeRequest, type AbandonStripeRequest } from './money-actions/abandon-request.ts';
import {
  approveMoneyAction,
  expireMoneyAction,
  rejectMoneyAction,
  takeMoneyAction,
  type ApproveMoneyAction,
  type ExpireMoneyAction,
  type RejectMoneyAction,
  type TakeMoneyAction,
} from './money-actions/take-action.ts';
import {
  applyPrice,
  foreignPrice,
  noticePrice,
  pointlessPriceRequests,
  withdrawPriceNotice,
  type ApplyPrice,
  type NoticePrice,
  type WithdrawPriceNotice,
} from './price-notice.ts';
import { recordSubscription, type RecordSubscription } from './record-subscription.ts';
import { subscriptionEvents, subscriptionSubject, type SubscriptionEvent } from './subscription-events.ts';
import { contentText, evolve, isFinal, noSubscription, type Subscription } from './subscription.ts';
import {
  completeStripeRequest,
  refuseStripeRequest,
  repeatStripeRequest,
  requestEvent,
  requestStripeChange,
  resolveStripeRequest,
  satisfiedRequests,
  type CompleteStripeRequest,
  type RefuseStripeRequest,
  type RepeatStripeRequest,
  type RequestStripeChange,
  type ResolveStripeRequest,
} from './stripe-requests.ts';

import { withdrawFromContract, type WithdrawFromContract } from './withdrawal.ts';
/** Sent when their time has come: whether there is something to say is decided when the mail is sent. */
export type NoticeRenewal = Readonly<{
  type: 'NoticeRenewal';
  subscriptionId: string;
  invoiceId: string;
  days: number;
  renewsAt: string;
}>;
export type NoticeCard = Readonly<{ type: 'NoticeCard'; subscriptionId: string; expiresAt: string }>;

export type SubscriptionCommand =
  | RecordSubscription
  | ClaimPurchase
  | TransferPurchase
  | RequestStripeChange
  | CompleteStripeRequest
  | RefuseStripeRequest
  | RepeatStripeRequest
  | ResolveStripeRequest
  | RemindOfClaim
  | NoticeRenewal
  | NoticeCard
  | RefundUnclaimed
  | ReturnPurchase
  | CloseAccount
  | NoticePrice
  | ApplyPrice
  | WithdrawPriceNotice
  | CheckMoney
  | AcceptFinding
  | WithdrawFromContract
  | TakeMoneyAction
  | ApproveMoneyAction
  | RejectMoneyAction
  | ExpireMoneyAction
  | AbandonStripeRequest;

const eventsOf = (command: SubscriptionCommand, state: Subscription): readonly SubscriptionEvent[] => {
  switch (command.type) {
    case 'RecordSubscription':
      return recordSubscription(command, state);
    case 'ClaimPurchase':
      return claimPurchase(command, state);
    case 'TransferPurchase':
      return transferPurchase(command, state);
    case 'RequestStripeChange':
      return requestStripeChange(command, state);
    case 'CompleteStripeRequest':
      return completeStripeRequest(command, state);
    case 'RefuseStripeRequest':
      return refuseStripeRequest(command, state);
    case 'RepeatStripeRequest':
      return repeatStripeRequest(command, state);
    case 'ResolveStripeRequest':
      return resolveStripeRequest(command, state);
    case 'RemindOfClaim':
      return remindOfClaim(command, state);
    case 'NoticeRenewal': {
      const { type: _type, ...notice } = command;
      return [{ type: 'RenewalNoticeDue', data: notice }];
    }
    case 'NoticeCard': {
      const { type: _type, ...notice } = command;
      return [{ type: 'CardNoticeDue', data: notice }];
    }
    case 'RefundUnclaimed':
      return refundUnclaimed(command, state);
    case 'ReturnPurchase':
      return returnPurchase(command, state);
    case 'CloseAccount':
      return closeAccount(command, state);
    case 'NoticePrice':
      return noticePrice(command, state);
    case 'ApplyPrice':
      return applyPrice(command, state);
    case 'WithdrawPriceNotice':
      return withdrawPriceNotice(command, state);
    case 'CheckMoney':
      return checkMoney(command, state);
    case 'AcceptFinding':
      return acceptFinding(command, state);
    case 'WithdrawFromContract':
      return withdrawFromContract(command, state);
    case 'TakeMoneyAction':
      return takeMoneyAction(command, state);
    case 'ApproveMoneyAction':
      return approveMoneyAction(command, state);
    case 'RejectMoneyAction':
      return rejectMoneyAction(command, state);
    case 'ExpireMoneyAction':
      return expireMoneyAction(command, state);
    case 'AbandonStripeRequest':
      return abandonStripeRequest(command, state);
    default:
      return command satisfies never;
  }
};

/** A subscription that pays for nothing any more is ended at Stripe too, for whichever cause asks for it first. */
const automaticEnd = (state: Subscription): readonly SubscriptionEvent[] => {
  const { observed } = state;
  const isRequested = Object.values(state.requests).some(
    ({ write, outcome }) => write.kind === 'end-now' && outcome !== 'abandoned',
  );
  if (!observed || isFinal(observed) || isRequested) return [];
  const endBecause = (cause: 'refund' | 'dispute-lost', of: string): readonly SubscriptionEvent[] => {
    const requestId = derivedId('end now', observed.subscriptionId, cause, of);
    return [requestEvent(state, requestId, { kind: 'end-now', cause })];
  };
  const lost = lostDisputeOf(state);
  if (lost) return endBecause('dispute-lost', lost.disputeId);
  const refunded = refundedPeriodOf(state);
  return refunded?.isFinal === true ? endBecause('refund', refunded.invoiceId) : [];
};

const newEntitlement = (state: Subscription): readonly SubscriptionEvent[] => {
  const entitlement = entitlementOf(state);
  const isPublished = contentText(entitlement ?? null) === contentText(state.published);
  return entitlement && !isPublished ? [{ type: 'EntitlementChanged', data: entitlement }] : [];
};

/** In this order: what Stripe is to do, what it has done or need not do, what it has not done after all, what it is not to charge, what comes after an upgrade in vain, that a return is over, and what the owner is entitled to, if that is another now. */
const consequences = [
  returnRequests,
  automaticEnd,
  satisfiedRequests,
  failedReturns,
  pointlessPriceRequests,
  pointlessDowngrades,
  foreignPrice,
  restoredDowngrade,
  returnCompleted,
  newEntitlement,
] as const;

const consequencesOf = (state: Subscription): readonly SubscriptionEvent[] =>
  consequences.reduce<readonly SubscriptionEvent[]>(
    (events, consequence) => [...events, ...consequence(events.reduce(evolve, state))],
    [],
  );

const decide = (command: SubscriptionCommand, state: Subscription): readonly SubscriptionEvent[] => {
  const events = eventsOf(command, state);
  return events.length === 0 ? [] : [...events, ...consequencesOf(events.reduce(evolve, state))];
};

const snapshot: SnapshotForm<Subscription> = {
  version: 5,
  toEntries: (state) => [state],
  // `toEntries` of the same version has written it.
  fromEntries: ([state]) => state as unknown as Subscription,
  subjectOf: (stream) => subscriptionSubject(stream.slice('subscription-'.length)),
};

export const subscriptionDecider: Decider<Subscription, SubscriptionCommand, SubscriptionEvent> = {
  initialState: noSubscription,
  decide,
  evolve,
  snapshot,
};

export const subscriptions = commandTarget(subscriptionDecider, subscriptionEvents);
