import type { PaymentsClientConfig } from '@tapedeck/payments/contract';
import { priceOf, type PaidTier, type Plan } from '@tapedeck/plans/contract';
import { formatMoney } from '../../ui/format.ts';

export type PlanOffers = Readonly<PaymentsClientConfig['plans']>;

const periodWords = { monthly: 'month', annual: 'year' } as const;

/** What the server charges for a plan; undefined until it has said so. */
const offerOf = ({ tier, period }: Plan, offers: PlanOffers): PlanOffers[number] | undefined =>
  offers.find((offer) => offer.tier === tier && offer.period === period);

/** Such as `$9.99 a month`; empty until the server has said the price. */
export const priceText = (plan: Plan, offers: PlanOffers): string => {
  const offer = offerOf(plan, offers);
  return offer ? `${formatMoney(offer.amount, offer.currency)} a ${periodWords[plan.period]}` : '';
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

/** Undefined until the server has said what it charges. */
export const shownPrice = (plan: Plan, offers: PlanOffers): ShownPrice | undefined => {
  const offer = offerOf(plan, offers);
  if (!offer) return undefined;
  const { amount, currency, introAmount } = offer;
  const { original, note } = priceOf(plan);
  const word = periodWords[plan.period];
  const full = formatMoney(amount, currency);
  const now = introAmount === null ? full : formatMoney(introAmount, currency);
  const price = `${full} a ${word}`;
  return {
    original: original === null ? null : formatMoney(original, currency),
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
  if (!month || !year || month.currency !== year.currency) return null;
  const saved = month.amount * 12 - year.amount;
  return saved > 0 ? formatMoney(saved, year.currency) : null;
};
