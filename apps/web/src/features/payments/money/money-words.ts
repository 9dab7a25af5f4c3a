import type { ActionPreview, MoneySubscription, WantedAction } from '@tapedeck/payments/contract';
import { formatDay, formatMoney } from '../../../ui/format.ts';

const digitsOf = (currency: string): number =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ??
  0;

/** Commas only between thousands: `1,50` is no amount. */
const amountPattern = /^(\d{1,7}|\d{1,3}(?:,\d{3}){1,2})(?:\.(\d*))?$/;

/**
 * A typed amount in minor units; null for anything else than an amount above 0.
 *
 * @example
 * minorUnits('4.99', 'usd') // 499
 */
export const minorUnits = (text: string, currency: string): number | null => {
  const digits = digitsOf(currency);
  const match = amountPattern.exec(text.trim());
  const [, whole = '', part = ''] = match ?? [];
  if (!match || part.length > digits) return null;
  const amount = Number(`${whole.replaceAll(',', '')}${part.padEnd(digits, '0')}`);
  return amount > 0 ? amount : null;
};

/** What to type instead of an amount that cannot be read; empty where there is nothing to say about its form. */
export const amountFormHint = (text: string, currency: string): string => {
  if (!text.includes(',') || minorUnits(text, currency) !== null) return '';
  return digitsOf(currency) === 0 ? 'Leave out the comma.' : 'Write decimals with a point, such as 1.50.';
};

/** The text that is typed for an amount. @example typedAmount(499, 'usd') // '4.99' */
export const typedAmount = (amount: number, currency: string): string => {
  const digits = digitsOf(currency);
  return (amount / 10 ** digits).toFixed(digits);
};

type Access = ActionPreview['access'][number]['before'];

const accessText = ({ tier, status, until }: Access): string => {
  const kind = status === 'grace' ? `${tier}, in grace,` : tier;
  return until === null ? kind : `${kind} until ${formatDay(until)}`;
};

/** What an action does to the access of an account. */
export const accessChange = ({
  before,
  after,
}: Pick<ActionPreview['access'][number], 'before' | 'after'>): string => {
  const [was, is] = [accessText(before), accessText(after)];
  return was === is ? `stays ${is}` : `${was}, then ${is}`;
};

const isNow = (endsAt: string, { expiresAt }: ActionPreview): boolean => endsAt <= expiresAt;

/** What becomes of the subscription. */
export const endText = (preview: ActionPreview): string => {
  const { endsAt } = preview;
  if (endsAt === null) return 'goes on';
  return isNow(endsAt, preview) ? 'ends at once' : `ends on ${formatDay(endsAt)}`;
};

const doTexts: Readonly<Record<WantedAction['kind'], string>> = {
  refund: 'Refund',
  cancel: 'End with the period',
  resume: 'Resume',
  end: 'End now',
  retry: 'Charge',
  attach: 'Attach',
  transfer: 'Transfer',
};

/** The button that confirms an action: it says what is done. */
export const confirmText = ({
  action,
  refunded,
  charged,
  currency,
  needsApproval,
}: ActionPreview): string => {
  const amount = charged ?? refunded;
  const what = {
    ...doTexts,
    refund: `Refund ${formatMoney(amount, currency)}`,
    end: amount > 0 ? `End now and refund ${formatMoney(amount, currency)}` : doTexts.end,
    retry: `Charge ${formatMoney(amount, currency)}`,
  }[action.kind];
  return needsApproval ? `Propose: ${what.charAt(0).toLowerCase()}${what.slice(1)}` : what;
};

const phaseTexts: Readonly<Record<string, string>> = {
  pending: 'not paid yet',
  active: 'active',
  'past-due': 'payment failed',
  suspended: 'suspended',
  ended: 'ended',
  abandoned: 'never paid',
};

export const phaseText = (phase: string): string => phaseTexts[phase] ?? phase;

const requestTexts: Readonly<Record<string, string>> = {
  refund: 'Refund',
  'end-now': 'End of the subscription',
  pay: 'Charge',
};

/** What Stripe was asked for and has not done. */
export const requestText = (
  { kind, amount, code }: MoneySubscription['requests'][number],
  currency: string,
): string => {
  const what = `${requestTexts[kind] ?? 'Change'}${amount === null ? '' : ` of ${formatMoney(amount, currency)}`}`;
  return code === null ? `${what} is under way.` : `${what} was refused by Stripe (${code}).`;
};
