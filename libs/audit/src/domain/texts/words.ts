import { dayOf } from '../dates.ts';

/** A day; what is not a time is shown as it is. */
export const on = (time: string): string => (Number.isNaN(Date.parse(time)) ? time : dayOf(time));

const formats = new Map<string, Intl.NumberFormat>();

const formatOf = (currency: string): Intl.NumberFormat => {
  const known = formats.get(currency);
  if (known) return known;
  const created = /^[A-Z]{3}$/u.test(currency)
    ? new Intl.NumberFormat('en-GB', { style: 'currency', currency, currencyDisplay: 'code' })
    : new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  formats.set(currency, created);
  return created;
};

/**
 * An amount in minor units.
 *
 * @example
 * money(499, 'usd') // '4.99 USD'
 */
export const money = (minor: number, currency: string): string => {
  const code = currency.toUpperCase();
  const format = formatOf(code);
  const amount = minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2);
  const number = format
    .formatToParts(amount)
    .filter(({ type }) => type !== 'currency' && type !== 'literal')
    .map(({ value }) => value)
    .join('');
  return `${number} ${code}`;
};

export const planText = ({ tier, period }: Readonly<{ tier: string; period: string }>): string =>
  `${tier} (${period})`;

/** ` (${text})`, or nothing. */
export const inBrackets = (text: string | null): string => (text === null ? '' : ` (${text})`);
