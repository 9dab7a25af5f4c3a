import { moneyText, type MailContent } from '@tapedeck/kernel';
import type { BillingPeriod } from '@tapedeck/plans/contract';
import { mailLinks, nameOf } from './mail-texts.ts';
import type { PriceNotice } from './price-events.ts';
import { dayText } from './texts.ts';

const per: Readonly<Record<BillingPeriod, string>> = { monthly: 'a month', annual: 'a year' };

type Notice = Pick<PriceNotice, 'plan' | 'fromAmount' | 'toAmount' | 'currency' | 'renewsAt'>;

const priceText = (amount: number, { plan, currency }: Notice): string =>
  `${moneyText(amount, currency)} ${per[plan.period]}`;

/** Before the first renewal at another price. */
export const priceNoticeText = (notice: Notice, siteUrl: string): MailContent => {
  const { plan, fromAmount, toAmount, renewsAt } = notice;
  const day = dayText(renewsAt);
  return {
    kind: 'price-notice',
    subject: `The price of ${nameOf(plan)} changes on ${day}`,
    heading: 'The price of your plan changes',
    paragraphs: [
      `${nameOf(plan)} costs you ${priceText(fromAmount, notice)} today. From ${day} on it costs ${priceText(toAmount, notice)}: the renewal on that day is the first one at this price.`,
      'Nothing is charged before then because of this, and if you want to continue, there is nothing to do.',
      `If you do not want to continue at this price, press "Cancel subscription" in My Account before ${day}. You keep what you have paid for until then, and nothing more is charged.`,
    ],
    facts: [
      ['Plan', nameOf(plan)],
      ['Price today', priceText(fromAmount, notice)],
      ['New price', priceText(toAmount, notice)],
      ['From', day],
    ],
    button: mailLinks(siteUrl).account,
  };
};

export const priceNoticeWithdrawnText = (notice: Notice, siteUrl: string): MailContent => {
  const { plan, fromAmount, toAmount, renewsAt } = notice;
  return {
    kind: 'price-notice-withdrawn',
    subject: `The price of ${nameOf(plan)} stays as it is`,
    heading: 'The price of your plan stays as it is',
    paragraphs: [
      `We wrote to you that ${nameOf(plan)} costs ${priceText(toAmount, notice)} from ${dayText(renewsAt)} on. That is withdrawn: you continue to pay ${priceText(fromAmount, notice)}.`,
      'There is nothing to do.',
    ],
    button: mailLinks(siteUrl).account,
  };
};
