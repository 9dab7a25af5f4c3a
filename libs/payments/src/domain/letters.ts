import type { RecordedEvent } from '@tapedeck/eventing/core';
import { moneyText, type MailContent } from '@tapedeck/kernel';
import { billingAddressOf, presentPayerOf, type Address, type Buyer } from './billing-address.ts';
import {
  expiringCardText,
  paymentFailedText,
  receiptFacts,
  receiptText,
  refundFailedText,
  refundText,
  renewalText,
} from './billing-mail-texts.ts';
import { declineClause } from './decline-texts.ts';
import { firstPaymentOf, subscribedPlanOf } from './entitlement.ts';
import { priceNoticeText, priceNoticeWithdrawnText } from './price-mail-texts.ts';
import { priceToAnnounce, priceToKeep } from './price-notice.ts';
import { amountBack } from './purchase-return.ts';
import {
  purchaseText,
  reminderText,
  returnText,
  transferredText,
  withdrawalText,
  type MoneyBack,
} from './mail-texts.ts';
import {
  cardToAnnounce,
  isFailureNoticeDue,
  isReceiptDue,
  refundToAnnounce,
  renewalToAnnounce,
} from './notices.ts';
import type {
  CardNoticeDue,
  ClaimReminderDue,
  PaymentFailed,
  PaymentRecorded,
  PaymentTransferred,
  PriceNoticeGiven,
  PriceNoticeWithdrawn,
  PurchaseReturnBegun,
  PurchaseUnclaimed,
  RefundRecorded,
  RenewalNoticeDue,
  SubscriptionEvent,
} from './subscription-events.ts';
import type { PaidInvoice, Subscription } from './subscription.ts';

/** The events of a subscription after which a mail may be sent. */
export type Announced =
  | PurchaseUnclaimed
  | ClaimReminderDue
  | PaymentRecorded
  | PaymentFailed
  | RefundRecorded
  | RenewalNoticeDue
  | CardNoticeDue
  | PaymentTransferred
  | PurchaseReturnBegun
  | PriceNoticeGiven
  | PriceNoticeWithdrawn;

export type Letter = Readonly<{ content: MailContent; address: Address }>;

type Events = readonly RecordedEvent<SubscriptionEvent>[];

/** The stream up to the sending, the subscription by all of it and by what was before the event, and the instant. */
export type History = Readonly<{ events: Events; now: Subscription; before: Subscription; at: string }>;

/** The present owner, or who has paid. */
const buyerOf = ({ owner, observed }: Subscription): Buyer => ({
  accountId: owner?.accountId ?? null,
  intentId: owner?.intentId ?? observed?.intentId,
});

const toBuyer = (content: MailContent, now: Subscription): Letter => ({
  content,
  address: { of: 'buyer', ...buyerOf(now) },
});

const toBilling = (content: MailContent, now: Subscription): Letter => ({
  content,
  address: billingAddressOf(now),
});

const toPayer = (content: MailContent, intentId: string): Letter => ({
  content,
  address: { of: 'payer', intentId, accountId: null },
});

const receiptLetter = (paid: PaidInvoice, now: Subscription, siteUrl: string): Letter | undefined =>
  isReceiptDue(now, paid)
    ? toBilling(receiptText(paid, siteUrl, presentPayerOf(now) !== null), now)
    : undefined;

const purchaseLetter = (
  { intentId, plan, refundAt }: PurchaseUnclaimed['data'],
  now: Subscription,
  siteUrl: string,
): Letter | undefined => {
  const paid = firstPaymentOf(now);
  if (now.unclaimed === 'waiting')
    return toPayer(purchaseText(plan, siteUrl, refundAt, paid && receiptFacts(paid)), intentId);
  return paid && receiptLetter(paid, now, siteUrl);
};

/** Whether the day of the reminder had passed before the purchase became known: the mail about the purchase says the same. */
const wasDueBefore = ({ day }: ClaimReminderDue['data'], events: Events): boolean => {
  const isPurchase = (event: Events[number]): event is RecordedEvent<PurchaseUnclaimed> =>
    event.type === 'PurchaseUnclaimed';
  const purchase = events.findLast(isPurchase);
  const due = purchase?.data.remindAt.find((reminder) => reminder.day === day);
  return purchase !== undefined && due !== undefined && due.at <= purchase.metadata.occurredAt;
};

/** The first payment of a purchase without an owner is in the mail that says how to claim it. */
const isInPurchaseMail = ({ version }: RecordedEvent, { events, before }: History): boolean =>
  Object.keys(before.payments).length === 0 &&
  events.some((event) => event.type === 'PurchaseUnclaimed' && event.version > version);

const isRepeated = ({ version, data }: RecordedEvent<RenewalNoticeDue>, { events }: History): boolean =>
  events.some(
    (event) =>
      event.type === 'RenewalNoticeDue' &&
      event.version < version &&
      event.data.days === data.days &&
      event.data.renewsAt === data.renewsAt,
  );

const renewalLetter = (
  event: RecordedEvent<RenewalNoticeDue>,
  history: History,
  siteUrl: string,
): Letter | undefined => {
  const { now, at } = history;
  const renewal = isRepeated(event, history) ? undefined : renewalToAnnounce(event.data, now, at);
  return renewal && toBuyer(renewalText(renewal, siteUrl), now);
};

const failureLetter = (
  failure: PaymentFailed['data'],
  { before, now }: History,
  siteUrl: string,
): Letter | undefined => {
  if (!isFailureNoticeDue(failure, before, now)) return undefined;
  const { nextAttemptAt } = failure;
  return toBuyer(paymentFailedText({ reason: declineClause(failure, now), nextAttemptAt }, siteUrl), now);
};

const refundLetter = (
  refund: RefundRecorded['data'],
  { before, now }: History,
  siteUrl: string,
): Letter | undefined => {
  const notice = refundToAnnounce(refund, before, now);
  if (!notice) return undefined;
  return toBilling(notice.kind === 'refund' ? refundText(notice, siteUrl) : refundFailedText(refund), now);
};

/** Null where nothing goes back. */
const backOf = (before: Subscription, keeps: readonly string[]): MoneyBack | null => {
  const { amount, isRest, isDisputed } = amountBack(before, keeps);
  if (amount === 0) return null;
  const ofUndisputed = isRest ? 'rest' : 'all';
  return {
    amount: moneyText(amount, before.observed?.currency ?? 'usd'),
    part: isDisputed ? 'undisputed' : ofUndisputed,
  };
};

/** Nothing when nothing goes back, except that a withdrawal is always acknowledged. */
const returnLetter = (
  { reason, keeps, accountId, intentId, begunAt: receivedAt }: PurchaseReturnBegun['data'],
  before: Subscription,
  siteUrl: string,
): Letter | undefined => {
  const back = backOf(before, keeps);
  const address = { of: 'buyer', accountId, intentId } as const;
  if (reason === 'withdrawn') {
    const boughtAt = firstPaymentOf(before)?.paidAt ?? receivedAt;
    const plan = subscribedPlanOf(before);
    const { isDisputed } = amountBack(before, keeps);
    return { content: withdrawalText({ plan, boughtAt, receivedAt, back, isDisputed }), address };
  }
  return back === null ? undefined : { content: returnText(reason, siteUrl, back), address };
};

/** To whoever had it before: the account, or the address that was typed for it. */
const transferLetter = (
  { intentId, fromAccountId: accountId, proof }: PaymentTransferred['data'],
  { payer }: Subscription,
  siteUrl: string,
): Letter => {
  const isStillCharged = proof === 'support' && accountId !== null && payer?.accountId === accountId;
  const content = transferredText(siteUrl, { proof, isStillCharged });
  return { content, address: { of: accountId === null ? 'payer' : 'buyer', accountId, intentId } };
};

/** The mail that an event causes, if it still says something new. */
export const letterFor = (
  event: RecordedEvent<Announced>,
  history: History,
  siteUrl: string,
): Letter | undefined => {
  const { events, now, before, at } = history;
  switch (event.type) {
    case 'PurchaseUnclaimed':
      return purchaseLetter(event.data, now, siteUrl);
    case 'ClaimReminderDue': {
      const { plan, refundAt, intentId } = event.data;
      const isDue = now.unclaimed === 'waiting' && !wasDueBefore(event.data, events);
      return isDue ? toPayer(reminderText(plan, siteUrl, refundAt), intentId) : undefined;
    }
    case 'PaymentRecorded':
      return isInPurchaseMail(event, history) ? undefined : receiptLetter(event.data, now, siteUrl);
    case 'PaymentFailed':
      return failureLetter(event.data, history, siteUrl);
    case 'RefundRecorded':
      return refundLetter(event.data, history, siteUrl);
    case 'RenewalNoticeDue':
      return renewalLetter(event, history, siteUrl);
    case 'CardNoticeDue': {
      const card = cardToAnnounce(event.data, now, at);
      return card && toBuyer(expiringCardText(card, siteUrl), now);
    }
    case 'PriceNoticeGiven': {
      const notice = priceToAnnounce(event.data, now, at);
      return notice && toBuyer(priceNoticeText(notice, siteUrl), now);
    }
    case 'PriceNoticeWithdrawn': {
      const notice = priceToKeep(before, now);
      return notice && toBuyer(priceNoticeWithdrawnText(notice, siteUrl), now);
    }
    case 'PurchaseReturnBegun':
      return returnLetter(event.data, before, siteUrl);
    case 'PaymentTransferred':
      return transferLetter(event.data, before, siteUrl);
    default:
      return event satisfies never;
  }
};
