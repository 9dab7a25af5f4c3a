import { moneyText } from '@tapedeck/kernel';
import { dayOf } from '../dates.ts';

/** A day; what is not a time is shown as it is. */
export const on = (time: string): string => (Number.isNaN(Date.parse(time)) ? time : dayOf(time));

/**
 * An amount in minor units; with its code where that cannot be a currency.
 *
 * @example
 * money(499, 'usd') // '$4.99'
 */
export const money = (minor: number, currency: string): string =>
  /^[A-Za-z]{3}$/u.test(currency)
    ? moneyText(minor, currency)
    : `${(minor / 100).toFixed(2)} ${currency.toUpperCase()}`;

export const planText = ({ tier, period }: Readonly<{ tier: string; period: string }>): string =>
  `${tier} (${period})`;

/** ` (${text})`, or nothing. */
export const inBrackets = (text: string | null): string => (text === null ? '' : ` (${text})`);
