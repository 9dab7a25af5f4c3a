import type {
  ClaimProof,
  DisputeClosed,
  ReturnReason,
  RefundStatus,
  StripeRequest,
  SubscriptionEvent,
} from '@tapedeck/payments/events';
import type { EventTexts } from './event-texts.ts';
import { moneyActionTexts } from './money-action-texts.ts';
import { priceNoticeTexts } from './price-notice-texts.ts';
import { inBrackets, money, on, planText } from './words.ts';

const proofs: Readonly<Record<ClaimProof, string>> = {
  checkout: 'signed in at the checkout',
  browser: 'by the browser that paid',
  mailbox: 'by the code in the mailbox',
  support: 'by support',
};

const refundTexts: Readonly<Record<RefundStatus, string>> = {
  pending: 'is on its way',
  succeeded: 'has succeeded',
  failed: 'has failed',
  canceled: 'was cancelled',
};

const outcomes: Readonly<Record<DisputeClosed['data']['outcome'], string>> = {
  won: 'won',
  lost: 'lost',
  warning_closed: 'closed without a charge back',
  prevented: 'settled before it became one',
};

const requestTexts: { readonly [Kind in StripeRequest['kind']]: string } = {
  cancel: 'cancel at the end of the period',
  resume: 'withdraw the cancellation',
  upgrade: 'upgrade at once',
  downgrade: 'change the plan at the end of the period',
  'keep-plan': 'keep the plan',
  'announced-price': 'renew at the announced price',
  'keep-price': 'keep the price',
  'end-now': 'end the subscription now',
  refund: 'refund',
  pay: 'charge once more',
};

const requestText = (write: StripeRequest): string => {
  const words = requestTexts[write.kind];
  switch (write.kind) {
    case 'upgrade':
    case 'downgrade':
      return `${words}: ${planText(write.plan)}`;
    case 'announced-price':
      return `${words}, not before ${on(write.notBefore)}: ${planText(write.plan)}`;
    case 'refund':
      return `${words} ${write.amount === undefined ? '' : 'a part of '}invoice ${write.invoiceId} (${write.cause})`;
    case 'pay':
      return `${words} invoice ${write.invoiceId}`;
    case 'end-now':
      return `${words} (${write.cause})`;
    default:
      return words;
  }
};

const returnReasons: Readonly<Record<ReturnReason, string>> = {
  'other-price': 'its price is not that of the checkout',
  withdrawn: 'the owner has withdrawn from the contract',
  'second-purchase': 'the account has another subscription',
  'account-closed': 'the account was deleted',
  unclaimed: 'no account has claimed it',
};

const returnTexts = {
  PurchaseReturnBegun: {
    lane: 'payment',
    text: ({ subscriptionId, reason, keeps }) =>
      keeps.length === 0
        ? `Purchase ${subscriptionId} is given back: ${returnReasons[reason]}`
        : `Purchase ${subscriptionId} is ended, and later payments are given back: ${returnReasons[reason]}`,
    stripe: ({ subscriptionId }) => subscriptionId,
  },
  PurchaseReturnCompleted: {
    lane: 'payment',
    text: ({ subscriptionId, amount, currency }) =>
      `Purchase ${subscriptionId} has ended${amount > 0 ? `, and ${money(amount, currency)} has gone back` : ''}`,
    stripe: ({ subscriptionId }) => subscriptionId,
  },
} satisfies Partial<EventTexts<SubscriptionEvent>>;

const findingTexts = {
  MoneyFindingOpened: {
    lane: 'payment',
    text: ({ subscriptionId, kind, amount, currency }) =>
      kind === 'money-without-access'
        ? `Found: ${money(amount, currency)} is paid for ${subscriptionId}, and nobody has access`
        : `Found: access by ${subscriptionId}, and its period is not paid`,
    stripe: ({ subscriptionId }) => subscriptionId,
  },
  MoneyFindingClosed: {
    lane: 'payment',
    text: ({ subscriptionId }) => `Money and access of ${subscriptionId} agree again`,
    stripe: ({ subscriptionId }) => subscriptionId,
  },
  MoneyFindingAccepted: {
    lane: 'admin',
    text: ({ subscriptionId, kind }) =>
      `Accepted as it is: ${kind === 'money-without-access' ? 'money without access' : 'access without money'} of ${subscriptionId}`,
    stripe: ({ subscriptionId }) => subscriptionId,
  },
} satisfies Partial<EventTexts<SubscriptionEvent>>;

const claimTexts = {
  PaymentClaimed: {
    lane: 'payment',
    text: ({ subscriptionId, proof }) => `Purchase ${subscriptionId} claimed ${proofs[proof]}`,
    stripe: ({ subscriptionId }) => subscriptionId,
  },
  PaymentTransferred: {
    lane: 'payment',
    text: ({ subscriptionId, fromAccountId, toAccountId, proof }) =>
      `Purchase ${subscriptionId} transferred ${fromAccountId === null ? '' : `from account ${fromAccountId} `}to account ${toAccountId} ${proofs[proof]}`,
    stripe: ({ subscriptionId }) => subscriptionId,
  },
  PurchaseUnclaimed: {
    lane: 'payment',
    text: ({ plan, refundAt }) =>
      `${planText(plan)} is paid and belongs to no account: it is refunded on ${on(refundAt)} unless it is claimed`,
    stripe: ({ subscriptionId }) => subscriptionId,
  },
  ClaimReminderDue: {
    lane: 'mail',
    text: ({ day, refundAt }) => `Reminder of day ${day} to claim the purchase before ${on(refundAt)}`,
  },
  RenewalNoticeDue: {
    lane: 'mail',
    text: ({ days, renewsAt }) => `Notice of the renewal on ${on(renewsAt)} due, ${days} days before`,
  },
  CardNoticeDue: {
    lane: 'mail',
    text: ({ expiresAt }) => `Notice of a card due that is refused from ${on(expiresAt)} on`,
  },
  ClaimPeriodEnded: {
    lane: 'system',
    text: ({ reason }) =>
      reason === 'refunded'
        ? 'The purchase was not claimed: it is refunded'
        : 'The purchase ended before it was claimed',
  },
  BuyerForgotten: { lane: 'account', text: () => 'Personal data of the buyer deleted' },
} satisfies Partial<EventTexts<SubscriptionEvent>>;

const writes = {
  StripeWriteRequested: { lane: 'system', text: ({ write }) => `Requested at Stripe: ${requestText(write)}` },
  StripeWriteCompleted: { lane: 'system', text: ({ kind }) => `Done at Stripe: ${requestTexts[kind]}` },
  StripeWriteRefused: {
    lane: 'system',
    text: ({ kind, code, write }) =>
      write
        ? `Accepted by Stripe, and not done after all (${code}): ${requestTexts[kind]}`
        : `Refused by Stripe (${code}): ${requestTexts[kind]}`,
  },
  StripeWriteAbandoned: {
    lane: 'admin',
    text: ({ kind }) => `Abandoned, not requested of Stripe any more: ${requestTexts[kind]}`,
  },
  StripeWriteAbandonProposed: {
    lane: 'admin',
    text: ({ kind }) => `Proposed to be abandoned, which needs another admin: ${requestTexts[kind]}`,
  },
  DriftDetected: {
    lane: 'system',
    text: ({ fields }) => `The subscription at Stripe differs from what was known: ${fields.join(', ')}`,
  },
} satisfies Partial<EventTexts<SubscriptionEvent>>;

export const subscriptionTexts: EventTexts<SubscriptionEvent> = {
  ...claimTexts,
  ...returnTexts,
  ...findingTexts,
  ...writes,
  ...moneyActionTexts,
  ...priceNoticeTexts,
  SubscriptionObserved: {
    lane: 'payment',
    text: ({ subscriptionId, status, plan, amount, currency, periodEnd, cancelAtPeriodEnd }) =>
      `Subscription ${subscriptionId} read from Stripe: ${status}, ${plan ? planText(plan) : 'not one of the plans'}, ${money(amount, currency)}, period until ${on(periodEnd)}${cancelAtPeriodEnd ? ', cancelled at its end' : ''}`,
    stripe: ({ subscriptionId }) => subscriptionId,
  },
  PaymentRecorded: {
    lane: 'payment',
    text: ({ amountPaid, currency, invoiceId, periodEnd }) =>
      `${money(amountPaid, currency)} paid by invoice ${invoiceId}, for the time until ${on(periodEnd)}`,
    stripe: ({ invoiceId }) => invoiceId,
  },
  PaymentFailed: {
    lane: 'payment',
    text: ({ invoiceId, attempt, nextAttemptAt, needsAction }) =>
      `Payment of invoice ${invoiceId} failed, attempt ${attempt}${needsAction ? ', the bank wants a confirmation' : ''}${nextAttemptAt === null ? '' : `, next attempt on ${on(nextAttemptAt)}`}`,
    stripe: ({ invoiceId }) => invoiceId,
  },
  InvoiceVoided: {
    lane: 'payment',
    text: ({ invoiceId }) => `Invoice ${invoiceId} is not to be paid any more`,
    stripe: ({ invoiceId }) => invoiceId,
  },
  RefundRecorded: {
    lane: 'payment',
    text: ({ amount, currency, refundId, invoiceId, status }) =>
      `Refund ${refundId} of ${money(amount, currency)}${inBrackets(invoiceId && `invoice ${invoiceId}`)} ${refundTexts[status]}`,
    stripe: ({ refundId }) => refundId,
  },
  DisputeOpened: {
    lane: 'payment',
    text: ({ disputeId, amount, currency, reason, evidenceDueBy }) =>
      `Dispute ${disputeId} about ${money(amount, currency)} opened (${reason})${evidenceDueBy === null ? '' : `, evidence due by ${on(evidenceDueBy)}`}`,
    stripe: ({ disputeId }) => disputeId,
  },
  DisputeClosed: {
    lane: 'payment',
    text: ({ disputeId, outcome }) => `Dispute ${disputeId} ${outcomes[outcome]}`,
    stripe: ({ disputeId }) => disputeId,
  },
  EntitlementChanged: {
    lane: 'payment',
    text: ({ subscriptionId, phase, tier, period, paidUntil }) =>
      `Subscription ${subscriptionId} is ${phase}${tier && period ? `: ${planText({ tier, period })}` : ''}${paidUntil === null ? '' : `, paid until ${on(paidUntil)}`}`,
    stripe: ({ subscriptionId }) => subscriptionId,
  },
};
