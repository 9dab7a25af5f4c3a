import type { Queues } from '@tapedeck/payments/contract';
import { formatDuration } from '../../../ui/duration.ts';
import { formatTime } from '../../../ui/format.ts';

export type Deadline = Readonly<{ text: string; isUrgent: boolean }>;

const daySeconds = 86_400;
const urgentSeconds = 3 * daySeconds;

/** How long is left until a time, or that it has passed. */
export const timeLeft = (until: string, now: string, past: string): Deadline => {
  const seconds = (Date.parse(until) - Date.parse(now)) / 1_000;
  return seconds <= 0
    ? { text: past, isUrgent: true }
    : { text: `${formatDuration(seconds)} left`, isUrgent: seconds < urgentSeconds };
};

const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/;

/** A value of a subscription as people read it; an em dash for none. */
export const mismatchText = (value: string | null): string => {
  if (value === null) return '—';
  return isTime.test(value) ? formatTime(value) : value;
};

/** @example mismatchField('latestInvoiceId') // 'Latest invoice id' */
export const mismatchField = (field: string): string => {
  const words = field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};

/** Stripe's reasons of a dispute have underscores. */
export const reasonText = (reason: string): string => reason.replaceAll('_', ' ');

const returnTexts: Readonly<Record<Queues['returns']['items'][number]['reason'], string>> = {
  'other-price': 'paid at another price',
  'second-purchase': 'a second subscription',
  withdrawn: 'the buyer has withdrawn',
  'account-closed': 'the account is deleted',
  unclaimed: 'not claimed in time',
};

/** Why a purchase goes back. */
export const returnText = (reason: keyof typeof returnTexts): string => returnTexts[reason];

/** Which of the books says what. */
export const findingText = (kind: Queues['findings']['items'][number]['kind']): string =>
  kind === 'money-without-access' ? 'paid or charged, without access' : 'access, and its period is not paid';

/** @example totalText({ count: 3, sums: [{ currency: 'usd', amount: 999 }], oldestAt: null }, format) // '3 entries about $9.99' */
export const totalText = (
  { count, sums }: Queues['total'],
  money: (amount: number, currency: string) => string,
): string => {
  if (count === 0) return 'Nothing is waiting.';
  const entries = count === 1 ? '1 entry is waiting' : `${count} entries are waiting`;
  if (sums.length === 0) return `${entries}.`;
  return `${entries}, about ${sums.map(({ amount, currency }) => money(amount, currency)).join(' and ')}.`;
};

const refusalTexts: Readonly<Record<string, string>> = {
  balance_insufficient:
    'The balance at Stripe does not cover it: it goes through when more payments arrive or you add money.',
  charge_disputed:
    'The payment is disputed: the bank takes the money back by the dispute. Close the dispute first.',
  REFUND_TOO_LARGE: 'Less than that is left of the payment: somebody has refunded at Stripe. Abandon it.',
  AMOUNT_CHANGED:
    'Another amount is sold than was announced to the member: the price stays. Sell at the announced amount again, then try again, or abandon it and announce the present one.',
  PRICE_WITHDRAWN: 'The announcement was withdrawn: the entry leaves the queue automatically within minutes.',
  PRICE_CHARGED:
    'The renewal was charged at the withdrawn price before Stripe could be asked: refund the difference, and put the former price back at Stripe. Then it leaves the queue automatically.',
  RENEWS_EARLIER:
    'The next renewal is before the one that was announced to the member: it goes through with that renewal.',
  OTHER_PRICE_SCHEDULED: 'Another price is scheduled at Stripe already: look at the subscription there.',
  OTHER_PLAN: 'The subscription has another plan at Stripe: look at it there, or abandon it.',
  SUBSCRIPTION_ENDS: 'The subscription ends with its period: abandon it.',
  refund_failed:
    'The bank has sent the money back, since the card is closed, for example: try again, or pay it in another way, then abandon it and write how.',
  NOT_CONFIRMED: 'Stripe has accepted it, and does not show it: look at it at Stripe.',
  IGNORED:
    'It was ignored on the page of parked events. Stripe may have made it before: look at it there, then try again.',
  HELD: 'A replay has caused it, and Stripe was not asked: have it made, or ignore it, on the page of parked events.',
  resource_missing: 'Stripe does not have the payment any more: look for it at Stripe.',
};

type Refused = Pick<Queues['refused']['items'][number], 'kind' | 'amount' | 'currency'>;

/** What Stripe was asked for. */
export const refusedText = (
  { kind, amount, currency }: Refused,
  money: (amount: number, currency: string) => string,
): string => {
  switch (kind) {
    case 'refund':
      return `Refund of ${money(amount ?? 0, currency)}`;
    case 'end-now':
      return 'End of the subscription';
    case 'announced-price':
      return `Announced price of ${money(amount ?? 0, currency)}`;
    case 'keep-price':
      return 'Withdrawal of the announced price';
    case 'downgrade':
      return 'Scheduled change of plan, which an upgrade has removed that was not paid';
    default:
      return kind satisfies never;
  }
};

/** Why Stripe has refused, and what a person can do. */
export const refusalText = (code: string): string =>
  refusalTexts[code] ?? 'Stripe gives no other reason than the code: look at the payment at Stripe.';
