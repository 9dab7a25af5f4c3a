import type { RecordedEvent } from '@tapedeck/eventing/core';
import { moneyText, type AccountId } from '@tapedeck/kernel';
import {
  paymentPurpose,
  type ClaimProof,
  type DisputeClosed,
  type PaymentClaimed,
  type PaymentFailed,
  type PaymentRecorded,
  type PaymentTransferred,
  type RefundRecorded,
  type SubscriptionEvent,
} from '@tapedeck/payments/events';
import type { Plan } from '@tapedeck/plans/contract';
import { on } from './history-text.ts';

type Recorded = RecordedEvent<SubscriptionEvent>;

const claims: readonly string[] = ['PaymentClaimed', 'PaymentTransferred'];

const ownerAfter = ({ type, data }: Recorded): AccountId | null => {
  if (type === 'PaymentClaimed') return data.accountId;
  return type === 'PaymentTransferred' ? data.toAccountId : null;
};

/**
 * The events of a subscription that concern an account: those of the time in which it has owned it. What was paid before
 * the first claim belongs to the first owner.
 */
export const eventsOfOwner = (events: readonly Recorded[], account: AccountId): readonly Recorded[] => {
  const changes = events.filter(({ type }) => claims.includes(type));
  return events.filter(({ version }) => {
    const owner = changes.findLast((change) => change.version <= version) ?? changes[0];
    return owner !== undefined && ownerAfter(owner) === account;
  });
};

const nameOf = (plan: Plan | null): string =>
  plan === null ? 'another product' : `${plan.tier} (${plan.period})`;

const paidText = ({ amountPaid, currency, plan, reason }: PaymentRecorded['data']): string => {
  const purpose = paymentPurpose(reason);
  const what = [nameOf(plan), ...(purpose === undefined ? [] : [purpose])].join(', ');
  return amountPaid === 0
    ? `Nothing to pay for ${what}`
    : `Paid ${moneyText(amountPaid, currency)} for ${what}`;
};

const failedText = ({ nextAttemptAt, needsAction }: PaymentFailed['data']): string => {
  if (needsAction) return 'A payment waits for you to confirm it with your bank';
  return nextAttemptAt === null
    ? 'A payment failed, and it is not tried again'
    : `A payment failed: it is tried again on ${on(nextAttemptAt)}`;
};

const refundText = (
  { amount, currency, status }: RefundRecorded['data'],
  payment: PaymentRecorded['data'] | undefined,
): string => {
  const sum = moneyText(amount, currency);
  const what = payment ? `${sum} for ${nameOf(payment.plan)}` : sum;
  switch (status) {
    case 'pending':
      return `A refund of ${what} is on its way`;
    case 'succeeded':
      return `Refunded ${what}`;
    case 'failed':
      return `The refund of ${what} failed: the payment stands`;
    case 'canceled':
      return `The refund of ${what} was cancelled: the payment stands`;
  }
};

const closings: Readonly<Record<DisputeClosed['data']['outcome'], string>> = {
  won: 'The dispute is closed: the payment stands',
  lost: 'The dispute is closed: your bank has taken the payment back',
  prevented: 'The question of your bank is settled: the payment stands',
  warning_closed: 'The inquiry of your bank is closed: the payment stands',
};

const claimTexts: Readonly<Record<ClaimProof, string | null>> = {
  // A purchase while signed in needs no claim.
  checkout: null,
  browser: 'You claimed your purchase',
  mailbox: 'You claimed your purchase by the code that was sent to its address',
  support: 'Support assigned the purchase to your account',
};

const transferText = ({ fromAccountId, proof }: PaymentTransferred['data']): string => {
  const from = fromAccountId === null ? 'with another e-mail address' : 'by another account';
  return proof === 'support'
    ? `Support assigned a purchase that was paid ${from} to your account`
    : `You took over a purchase that was paid ${from}`;
};

const claimText = ({ proof }: PaymentClaimed['data']): string | null => claimTexts[proof];

/** What an event of a subscription means to its owner; null for one that means nothing. */
const textOf = (event: Recorded, payments: ReadonlyMap<string, PaymentRecorded['data']>): string | null => {
  switch (event.type) {
    case 'PaymentRecorded':
      return paidText(event.data);
    case 'PaymentFailed':
      return failedText(event.data);
    case 'RefundRecorded':
      return refundText(event.data, payments.get(event.data.invoiceId ?? ''));
    case 'DisputeOpened':
      return `Your bank was asked to take back a payment of ${moneyText(event.data.amount, event.data.currency)}`;
    case 'DisputeClosed':
      return closings[event.data.outcome];
    case 'PaymentClaimed':
      return claimText(event.data);
    case 'PaymentTransferred':
      return transferText(event.data);
    default:
      return null;
  }
};

/** When it happened; what becomes known late is listed where it belongs. */
const timeOf = ({ type, data, metadata }: Recorded): string => {
  if (type === 'PaymentRecorded') return data.paidAt;
  if (type === 'DisputeOpened') return data.openedAt;
  return type === 'RefundRecorded' && data.status === 'pending' ? data.refundedAt : metadata.occurredAt;
};

export type PaymentLine = Readonly<{ event: Recorded; at: string; text: string }>;

/** What an account has paid, got back and claimed with a subscription. */
export const paymentLines = (events: readonly Recorded[], account: AccountId): readonly PaymentLine[] => {
  const payments = new Map(
    events.flatMap(({ type, data }) => (type === 'PaymentRecorded' ? [[data.invoiceId, data] as const] : [])),
  );
  return eventsOfOwner(events, account).flatMap((event) => {
    const text = textOf(event, payments);
    return text === null ? [] : [{ event, at: timeOf(event), text }];
  });
};
