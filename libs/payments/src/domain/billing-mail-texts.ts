import { moneyText, type MailContent } from '@tapedeck/kernel';
import { isSamePlan, type Plan } from '@tapedeck/plans/contract';
import { mailLinks, nameOf, refundDays } from './mail-texts.ts';
import { paymentPurpose } from './payment-purpose.ts';
import type { PaidInvoice, Refund } from './subscription.ts';
import { dayText } from './texts.ts';

type Receipt = Pick<
  PaidInvoice,
  'amountPaid' | 'currency' | 'plan' | 'reason' | 'paidAt' | 'periodStart' | 'periodEnd'
>;

/** What a receipt lists, as names and values. */
export const receiptFacts = (paid: Receipt): NonNullable<MailContent['facts']> => {
  const purpose = paymentPurpose(paid.reason);
  return [
    ['Amount', moneyText(paid.amountPaid, paid.currency)],
    ['Paid on', dayText(paid.paidAt)],
    ...(paid.plan ? [['Plan', nameOf(paid.plan)] as const] : []),
    ...(purpose === undefined
      ? []
      : [['For', purpose.replace(/^./, (first) => first.toUpperCase())] as const]),
    ['Period', `${dayText(paid.periodStart)} to ${dayText(paid.periodEnd)}`],
  ];
};

/** `hasInvoice`: whether the account may see the invoice. */
export const receiptText = (paid: Receipt, siteUrl: string, hasInvoice: boolean): MailContent => ({
  kind: 'receipt',
  subject: paid.plan ? `Your receipt for ${nameOf(paid.plan)}` : 'Your receipt from Tapedeck',
  heading: 'Thank you for your payment',
  paragraphs: [
    hasInvoice
      ? 'This is your receipt. The invoice is in My Account, under Payments.'
      : 'This is your receipt.',
  ],
  facts: receiptFacts(paid),
  button: { ...mailLinks(siteUrl).account, label: 'See your payments' },
});

type FailedRenewal = Readonly<{
  /** Why, as the rest of a sentence. */
  reason: string;
  nextAttemptAt: string | null;
}>;

/** Of the first failure of a renewal: the first day of its grace. */
export const paymentFailedText = (
  { reason, nextAttemptAt }: FailedRenewal,
  siteUrl: string,
): MailContent => ({
  kind: 'payment-failed',
  subject: 'Your payment has failed',
  heading: 'Your payment has failed',
  paragraphs: [
    `The renewal of your Tapedeck subscription could not be charged: ${reason}. You keep your access for some days.`,
    nextAttemptAt === null
      ? 'Pay it now with any card, and nothing changes for you.'
      : `We try again on ${dayText(nextAttemptAt)}. Pay it now with any card, and nothing changes for you.`,
  ],
  button: mailLinks(siteUrl).pay,
});

export type Renewal = Readonly<{
  plan: Plan;
  /** The plan that it changes to on that day, or the same. */
  nextPlan: Plan;
  /** Minor units; null where it is not known. */
  amount: number | null;
  currency: string;
  renewsAt: string;
}>;

const chargeText = ({ amount, currency, renewsAt }: Renewal): string =>
  amount === null
    ? `The price of the plan is charged on ${dayText(renewsAt)}.`
    : `${moneyText(amount, currency)} will be charged on ${dayText(renewsAt)}.`;

/** Before a subscription by the year renews. */
export const renewalText = (renewal: Renewal, siteUrl: string): MailContent => {
  const { plan, nextPlan, renewsAt } = renewal;
  const isChange = !isSamePlan(plan, nextPlan);
  const what = isChange
    ? `Your plan changes to ${nameOf(nextPlan)} on ${dayText(renewsAt)}`
    : `${nameOf(plan)} renews on ${dayText(renewsAt)}`;
  return {
    kind: 'renewal-notice',
    subject: what,
    heading: isChange ? 'Your plan changes soon' : 'Your plan renews soon',
    paragraphs: [`${what}. ${chargeText(renewal)}`, 'If you want to continue, there is nothing to do.'],
    button: mailLinks(siteUrl).account,
    notes: [`You can change the plan or cancel in My Account until ${dayText(renewsAt)}.`],
  };
};

const cardName = ({ brand, last4 }: Readonly<{ brand: string; last4: string }>): string =>
  `${brand.slice(0, 1).toUpperCase()}${brand.slice(1)} card ending in ${last4}`;

export type ExpiringCard = Readonly<{ brand: string; last4: string; nextChargeAt: string }>;

export const expiringCardText = (card: ExpiringCard, siteUrl: string): MailContent => ({
  kind: 'card-expiring',
  subject: 'Your card expires at the end of this month',
  heading: 'Your card expires this month',
  paragraphs: [
    `The ${cardName(card)} pays for your Tapedeck subscription, and expires at the end of this month. The next charge is on ${dayText(card.nextChargeAt)}.`,
    'Open the billing portal in My Account and enter a new card, so that the renewal does not fail.',
  ],
  button: mailLinks(siteUrl).account,
});

type RefundMail = Readonly<{
  refund: Pick<Refund, 'amount' | 'currency'>;
  /** The payment that it is of; null where that is not known. */
  payment: Readonly<{ plan: Plan | null; paidAt: string; isAll: boolean }> | null;
}>;

export const refundText = ({ refund, payment }: RefundMail, siteUrl: string): MailContent => {
  const amount = moneyText(refund.amount, refund.currency);
  const part = payment?.isAll === false ? 'A part' : 'All';
  const of = payment
    ? `${part} of your payment of ${dayText(payment.paidAt)}${payment.plan ? ` for ${nameOf(payment.plan)}` : ''} goes back to your card: ${amount}.`
    : `We are refunding ${amount} to your card.`;
  return {
    kind: 'refund',
    subject: `We are refunding ${amount}`,
    heading: `We are refunding ${amount}`,
    paragraphs: [`${of} ${refundDays}`],
    button: { ...mailLinks(siteUrl).account, label: 'See your payments' },
  };
};

/** The bank has not taken a refund that was announced. */
export const refundFailedText = ({ amount, currency }: Pick<Refund, 'amount' | 'currency'>): MailContent => ({
  kind: 'refund-failed',
  subject: 'Your refund did not arrive',
  heading: 'Your refund did not arrive',
  paragraphs: [
    `Your bank has not accepted the refund of ${moneyText(amount, currency)}, for example because the card was closed.`,
    'Write to billing@tapedeck.example, so that we can pay it in another way.',
  ],
});
