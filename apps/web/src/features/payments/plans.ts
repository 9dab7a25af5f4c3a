import type { BillingPeriod, PaidTier, PaymentsClientConfig, Plan } from '@tapedeck/payments/contract';
import { formatMoney } from '../../ui/format.ts';

export type PlanOffers = Readonly<PaymentsClientConfig['plans']>;

type PlanTexts = Readonly<{
  name: 'Free' | PaidTier;
  text: string;
  isPopular: boolean;
  before: string;
  features: readonly Readonly<{ name: string; isComing?: true }>[];
}>;

/** Everything that the pricing section says of a plan, except amounts. */
export const planTexts: readonly PlanTexts[] = [
  {
    name: 'Free',
    text: 'To learn what your strategy depends on.',
    isPopular: false,
    before: 'Includes',
    features: [
      { name: 'Unlimited optimizations' },
      { name: 'Multiple timeframes' },
      { name: 'One parameter' },
      { name: 'Adjustable backtest speed' },
      { name: 'Historical results' },
      { name: 'Community access' },
    ],
  },
  {
    name: 'Pro',
    text: 'To search every setting at once.',
    isPopular: true,
    before: 'Everything in Free, and',
    features: [
      { name: 'Unlimited symbols' },
      { name: 'Unlimited parameters' },
      { name: 'CSV export' },
      { name: 'Favorites' },
      { name: 'Community member roles' },
    ],
  },
  {
    name: 'Elite',
    text: 'To start from what others have tested.',
    isPopular: false,
    before: 'Everything in Pro, and',
    features: [
      { name: 'New strategies' },
      { name: 'Member strategies' },
      { name: 'Member optimization results' },
      { name: 'Strategy Explorer (5000+)' },
      { name: 'Strategy source code' },
      { name: 'Trading bots', isComing: true },
    ],
  },
];

type Price = Readonly<{
  /** Minor units. */
  amount: number;
  introAmount: number | null;
  /** Struck through. */
  original: string | null;
  note: string | null;
}>;

const prices: Readonly<Record<PaidTier, Readonly<Record<BillingPeriod, Price>>>> = {
  Pro: {
    monthly: { amount: 999, introAmount: 499, original: '$9.99', note: null },
    annual: { amount: 7_499, introAmount: null, original: '$119.88', note: 'save 25%' },
  },
  Elite: {
    monthly: { amount: 1_999, introAmount: null, original: null, note: '$49.99 in 2026' },
    annual: { amount: 17_999, introAmount: null, original: '$239.88', note: 'save 25%' },
  },
};

const periodWords = { monthly: 'month', annual: 'year' } as const;

/** What is charged: from the server where it is known, so that the screen and the charge are the same. */
const offerOf = (
  { tier, period }: Plan,
  offers: PlanOffers,
): Readonly<{ amount: number; currency: string; introAmount: number | null }> =>
  offers.find((offer) => offer.tier === tier && offer.period === period) ?? {
    ...prices[tier][period],
    currency: 'usd',
  };

export const priceText = (plan: Plan, offers: PlanOffers): string => {
  const { amount, currency } = offerOf(plan, offers);
  return `${formatMoney(amount, currency)} a ${periodWords[plan.period]}`;
};

export type ShownPrice = Readonly<{
  original: string | null;
  now: string;
  after: string;
  note: string | null;
  /** What a press on the button leads to. */
  button: string;
  /** The terms of renewal, one sentence. */
  renewal: string;
}>;

export const shownPrice = (plan: Plan, offers: PlanOffers): ShownPrice => {
  const { amount, currency, introAmount } = offerOf(plan, offers);
  const { original, note } = prices[plan.tier][plan.period];
  const word = periodWords[plan.period];
  const full = formatMoney(amount, currency);
  const now = introAmount === null ? full : formatMoney(introAmount, currency);
  const price = `${full} a ${word}`;
  return {
    original,
    note,
    now,
    after: introAmount === null ? `a ${word}` : `first month, then ${price}`,
    button: introAmount === null ? `Pay ${full}/${word}` : `Pay ${now}, then ${full}/${word}`,
    renewal:
      introAmount === null
        ? `Renews at ${price} until you cancel.`
        : `${now} is the price of a first purchase. Renews at ${price} until you cancel.`,
  };
};

/** What a year by annual payment costs less than twelve months; null when the prices are of different currencies. */
export const annualSaving = (tier: PaidTier, offers: PlanOffers): string | null => {
  const [month, year] = [
    offerOf({ tier, period: 'monthly' }, offers),
    offerOf({ tier, period: 'annual' }, offers),
  ];
  const saved = month.amount * 12 - year.amount;
  return month.currency === year.currency && saved > 0 ? formatMoney(saved, year.currency) : null;
};
