import type { PaymentsClientConfig } from '@tapedeck/payments/contract';
import { catalogueCurrency, priceOf, type Plan } from '@tapedeck/plans/contract';
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

type Beside = Readonly<{
  /** Struck through. */
  original: string | null;
  note: string | null;
}>;

export type ShownPrice = Beside &
  Readonly<{
    now: string;
    after: string;
    /** What a press on the button leads to. */
    button: string;
    /** The terms of renewal, one sentence. */
    renewal: string;
  }>;

/** What the catalogue says beside its own price: it is not true of another one. */
const besidePrice = (plan: Plan, { amount, currency, introAmount }: PlanOffers[number]): Beside => {
  const price = priceOf(plan);
  if (amount !== price.amount || currency !== catalogueCurrency) return { original: null, note: null };
  const { original, note } = price;
  const isHigher = original !== null && original > (introAmount ?? amount);
  return { original: isHigher ? formatMoney(original, currency) : null, note };
};

/** Undefined until the server has said what it charges. */
export const shownPrice = (plan: Plan, offers: PlanOffers): ShownPrice | undefined => {
  const offer = offerOf(plan, offers);
  if (!offer) return undefined;
  const { amount, currency, introAmount } = offer;
  const word = periodWords[plan.period];
  const full = formatMoney(amount, currency);
  const now = introAmount === null ? full : formatMoney(introAmount, currency);
  const price = `${full} a ${word}`;
  return {
    ...besidePrice(plan, offer),
    now,
    after: introAmount === null ? `a ${word}` : `first month, then ${price}`,
    button: introAmount === null ? `Pay ${full}/${word}` : `Pay ${now}, then ${full}/${word}`,
    renewal:
      introAmount === null
        ? `Renews at ${price} until you cancel.`
        : `${now} is the price of a first purchase. Renews at ${price} until you cancel.`,
  };
};
