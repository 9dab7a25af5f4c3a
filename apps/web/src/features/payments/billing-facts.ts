import type { Billing } from '@tapedeck/payments/contract';
import { formatDay, formatMoney } from '../../ui/format.ts';

export type Subscription = NonNullable<Billing['subscription']>;
export type Fact = readonly [name: string, value: string];

export const per = { monthly: 'a month', annual: 'a year' } as const;

const brands: Readonly<Record<string, string>> = {
  amex: 'American Express',
  mastercard: 'Mastercard',
  visa: 'Visa',
};

/** The name of a brand; a new one as Stripe writes it. */
const brandText = (brand: string): string => brands[brand] ?? brand;

export const isCardExpiring = ({
  card,
  nextChargeAt,
}: Pick<Subscription, 'card' | 'nextChargeAt'>): boolean => {
  if (!card || !nextChargeAt) return false;
  // A card is valid to the end of its last month.
  return Date.parse(nextChargeAt) >= Date.UTC(card.expYear, card.expMonth, 1);
};

/** What was announced to the member of the price; undefined while it stays. */
export const announcedText = ({
  amount,
  currency,
  period,
  announcedPrice,
}: Pick<Subscription, 'amount' | 'currency' | 'period' | 'announcedPrice'>): string | undefined =>
  announcedPrice === null
    ? undefined
    : `Your plan costs ${formatMoney(amount, currency)} ${per[period]}. From ${formatDay(announcedPrice.from)} it costs ${formatMoney(announcedPrice.amount, currency)}.`;

/** Plan, amounts and dates of the subscription, as lines. */
export const billingFacts = (subscription: Subscription): readonly Fact[] => {
  const { tier, period, amount, currency, nextAmount, nextChargeAt, endsAt, card, pastDueSince } =
    subscription;
  // Of an unpaid renewal the notice above says what comes next.
  const next = nextAmount !== null && nextChargeAt !== null && endsAt === null && pastDueSince === null;
  return [
    ['Plan', `${tier}, ${period}`],
    ['Price', `${formatMoney(amount, currency)} ${per[period]}`],
    ...(next
      ? ([['Next charge', `${formatMoney(nextAmount, currency)} on ${formatDay(nextChargeAt)}`]] as const)
      : []),
    ...(card
      ? ([
          [
            'Card',
            `${brandText(card.brand)} ending in ${card.last4}, expires ${card.expMonth}/${card.expYear}`,
          ],
        ] as const)
      : []),
  ];
};
