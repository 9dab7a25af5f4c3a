import {
  defineEffect,
  isForgotten,
  readable,
  readEvents,
  stateAfter,
  type Effect,
  type EffectContext,
  type EventStore,
  type RecordedEvent,
} from '@tapedeck/eventing';
import { accountStream, identityEvents } from '@tapedeck/identity/events';
import { moneyText, type AccountId } from '@tapedeck/kernel';
import type { Mailer } from '@tapedeck/platform/mail';
import { subscriptionDecider } from '../domain/decide-subscription.ts';
import {
  claimCodeText,
  paymentFailedText,
  purchaseText,
  reminderText,
  returnText,
  transferredText,
  withdrawalText,
  type MailText,
} from '../domain/mail-texts.ts';
import { firstPaymentOf, subscribedPlanOf } from '../domain/entitlement.ts';
import type { Subscription } from '../domain/subscription.ts';
import { checkoutEvents, checkoutStream } from '../domain/checkout.ts';
import {
  subscriptionEvents,
  type ClaimReminderDue,
  type PaymentFailed,
  type PaymentTransferred,
  type PurchaseReturnBegun,
  type PurchaseUnclaimed,
  type SubscriptionEvent,
} from '../domain/subscription-events.ts';
import type { ClaimCodeRequested } from '../domain/claim.ts';

export type MailPorts = Readonly<{
  mailer: Pick<Mailer, 'send'>;
  store: Pick<EventStore, 'readStream'>;
  /** The origin at which browsers reach the product. */
  siteUrl: string;
}>;

type Caused =
  | ClaimCodeRequested
  | PurchaseUnclaimed
  | ClaimReminderDue
  | PaymentFailed
  | PaymentTransferred
  | PurchaseReturnBegun;

type Addressed = Readonly<{ to: string; text: MailText }>;

/** The address that has paid; undefined once it is forgotten. */
const payerOf = async (
  intentId: string | null | undefined,
  { store }: MailPorts,
): Promise<string | undefined> => {
  if (!intentId) return undefined;
  const [started] = await readEvents(store, checkoutStream(intentId), checkoutEvents);
  return started?.type === 'CheckoutStarted' ? readable(started.data.email, undefined) : undefined;
};

/** The present address of an account; undefined once it is forgotten. */
const addressOf = async (account: AccountId, { store }: MailPorts): Promise<string | undefined> => {
  const events = await readEvents(store, accountStream(account), identityEvents);
  const newest = events.findLast(({ type }) => type === 'AccountRegistered' || type === 'EmailChanged');
  return newest && 'email' in newest.data ? readable(newest.data.email, undefined) : undefined;
};

/** The subscription just before the event, so that a mail does not depend on when it is sent. */
const stateBefore = async (
  { stream, version }: RecordedEvent,
  { store }: MailPorts,
): Promise<Subscription> => {
  const events = await readEvents(store, stream, subscriptionEvents);
  const earlier = events.filter((event) => event.version < version);
  return stateAfter(subscriptionDecider, earlier);
};

const toPayer = async (
  intentId: string | null | undefined,
  text: MailText | undefined,
  ports: MailPorts,
): Promise<Addressed | undefined> => {
  const to = text && (await payerOf(intentId, ports));
  return to === undefined ? undefined : { to, text: text as MailText };
};

type Recipient = Readonly<{ accountId: AccountId | null; intentId: string | null | undefined }>;

/** An account is written to where it is now, and a purchase without one where it was paid. */
const toBuyer = async (
  { accountId, intentId }: Recipient,
  text: MailText,
  ports: MailPorts,
): Promise<Addressed | undefined> => {
  if (accountId === null) return toPayer(intentId, text, ports);
  const to = await addressOf(accountId, ports);
  return to === undefined ? undefined : { to, text };
};

/** Of the first failure of a renewal. The buyer sees it on the checkout page when the first payment of all fails. */
const failureMail = async (
  event: RecordedEvent<PaymentFailed>,
  ports: MailPorts,
): Promise<Addressed | undefined> => {
  const { observed, owner, failures, payments } = await stateBefore(event, ports);
  const { invoiceId, nextAttemptAt } = event.data;
  const isKnown = Object.values(failures).some((failure) => failure.invoiceId === invoiceId);
  if (isKnown || Object.keys(payments).length === 0) return undefined;
  const recipient = { accountId: owner?.accountId ?? null, intentId: observed?.intentId };
  return toBuyer(recipient, paymentFailedText(ports.siteUrl, nextAttemptAt), ports);
};

/** Nothing when nothing was paid, except that a withdrawal is always acknowledged. */
const returnMail = async (
  event: RecordedEvent<PurchaseReturnBegun>,
  ports: MailPorts,
): Promise<Addressed | undefined> => {
  const { reason, keeps, begunAt: receivedAt } = event.data;
  const before = await stateBefore(event, ports);
  const { payments, observed } = before;
  const amount = Object.values(payments)
    .filter(({ invoiceId }) => !keeps.includes(invoiceId))
    .reduce((sum, { amountPaid }) => sum + amountPaid, 0);
  const money = amount === 0 ? null : moneyText(amount, observed?.currency ?? 'usd');
  if (reason === 'withdrawn') {
    const boughtAt = firstPaymentOf(before)?.paidAt ?? receivedAt;
    const withdrawal = { plan: subscribedPlanOf(before), boughtAt, receivedAt, amount: money };
    return toBuyer(event.data, withdrawalText(withdrawal), ports);
  }
  if (money === null) return undefined;
  const text = returnText(reason, ports.siteUrl, money);
  return toBuyer(event.data, text, ports);
};

type Events = readonly RecordedEvent<SubscriptionEvent>[];

const isWaiting = (events: Events): boolean =>
  stateAfter(subscriptionDecider, events).unclaimed === 'waiting';

/** Whether the day of the reminder had passed before the purchase became known: the mail about the purchase says the same. */
const wasDueBefore = ({ data: { day } }: RecordedEvent<ClaimReminderDue>, events: Events): boolean => {
  const isPurchase = (event: Events[number]): event is RecordedEvent<PurchaseUnclaimed> =>
    event.type === 'PurchaseUnclaimed';
  const purchase = events.findLast(isPurchase);
  const due = purchase?.data.remindAt.find((reminder) => reminder.day === day);
  return purchase !== undefined && due !== undefined && due.at <= purchase.metadata.occurredAt;
};

const codeMail = (
  { data: { email, code, expiresAt } }: RecordedEvent<ClaimCodeRequested>,
  now: string,
): Addressed | undefined =>
  expiresAt <= now || isForgotten(email) || isForgotten(code)
    ? undefined
    : { to: email, text: claimCodeText(code) };

const mailFor = async (
  event: RecordedEvent<Caused>,
  { now }: EffectContext,
  ports: MailPorts,
): Promise<Addressed | undefined> => {
  const { siteUrl } = ports;
  switch (event.type) {
    case 'ClaimCodeRequested':
      return codeMail(event, now);
    case 'PurchaseUnclaimed': {
      const { intentId, plan, refundAt } = event.data;
      const isDue = isWaiting(await readEvents(ports.store, event.stream, subscriptionEvents));
      const text = isDue ? purchaseText(plan, siteUrl, refundAt) : undefined;
      return toPayer(intentId, text, ports);
    }
    case 'ClaimReminderDue': {
      const { intentId, plan, refundAt } = event.data;
      const events = await readEvents(ports.store, event.stream, subscriptionEvents);
      const isDue = isWaiting(events) && !wasDueBefore(event, events);
      const text = isDue ? reminderText(plan, siteUrl, refundAt) : undefined;
      return toPayer(intentId, text, ports);
    }
    case 'PaymentFailed':
      return failureMail(event, ports);
    case 'PurchaseReturnBegun':
      return returnMail(event, ports);
    case 'PaymentTransferred':
      return toPayer(event.data.intentId, transferredText(siteUrl), ports);
    default:
      event satisfies never;
      return undefined;
  }
};

/** Sends mails to buyers. Their addresses are read from the tape: no read model contains them. */
export const paymentMailsEffect = (ports: MailPorts): Effect =>
  defineEffect<Caused>({
    name: 'payment-mails',
    afterReplay: 'skip',
    types: {
      ClaimCodeRequested: true,
      PurchaseUnclaimed: true,
      ClaimReminderDue: true,
      PaymentFailed: true,
      PaymentTransferred: true,
      PurchaseReturnBegun: true,
    },
    run: async (event, context) => {
      const addressed = await mailFor(event, context, ports);
      if (addressed) await ports.mailer.send({ id: context.key, to: addressed.to, ...addressed.text });
      return [];
    },
  });
