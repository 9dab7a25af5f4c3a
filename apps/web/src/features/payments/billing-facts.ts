import type { Billing } from '@tapedeck/payments/contract';
import { formatDay, formatMoney } from '../../ui/format.ts';

export type Subscription = NonNullable<Billing['subscription']>;
/** What is known of each subscription of a member. */
export type Terms = Omit<Billing['others'][number], 'startedAt'>;
export type Fact = readonly [name: string, value: string];

export const per = { monthly: 'a month', annual: 'a year' } as const;

type Price = Pick<Terms, 'amount' | 'currency' | 'period' | 'addsTaxes'>;

/** Behind an amount to which Stripe adds taxes. */
export const taxesText = ({ addsTaxes }: Pick<Terms, 'addsTaxes'>): string =>
  addsTaxes ? ' plus taxes' : '';

/** Such as `$9.99 a month plus taxes`. */
export const subscriptionPrice = ({ amount, currency, period, addsTaxes }: Price): string =>
  `${formatMoney(amount, currency)} ${per[period]}${taxesText({ addsTaxes })}`;

/** Such as `Pro (monthly)`. */
export const planName = ({ tier, period }: Pick<Terms, 'tier' | 'period'>): string => `${tier} (${period})`;

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
export const announcedText = (
  price: Price & Pick<Terms, 'announcedPrice'>,
  subject = 'Your plan',
): string | undefined => {
  const { announcedPrice, currency } = price;
  if (announcedPrice === null) return undefined;
  const next = `${formatMoney(announcedPrice.amount, currency)}${taxesText(price)}`;
  return `${subject} costs ${subscriptionPrice(price)}. From ${formatDay(announcedPrice.from)} it costs ${next}.`;
};

/** Plan, amounts and dates of the subscription, as lines. */
export const billingFacts = (subscription: Subscription): readonly Fact[] => {
  const { currency, nextAmount, nextChargeAt, endsAt, card, isDue } = subscription;
  // Of an unpaid renewal the notice above says what comes next.
  const next = nextAmount !== null && nextChargeAt !== null && endsAt === null && !isDue;
  const nextPrice = next ? `${formatMoney(nextAmount, currency)}${taxesText(subscription)}` : '';
  return [
    ['Plan', `${subscription.tier}, ${subscription.period}`],
    ['Price', subscriptionPrice(subscription)],
    ...(next ? ([['Next charge', `${nextPrice} on ${formatDay(nextChargeAt)}`]] as const) : []),
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
