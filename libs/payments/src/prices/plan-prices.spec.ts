import { describe, expect, it } from '@jest/globals';
import { paidPlans, planKey, priceOf, type Plan } from '@tapedeck/plans/contract';
import type { CouponSnapshot, PriceSnapshot } from '@tapedeck/stripe/port';
import { assertPrices, type PlanPrice } from './plan-prices.ts';

const idOf = (plan: Plan): string => `price_${planKey(plan)}`;
const prices: readonly PlanPrice[] = paidPlans.map((plan) => ({
  ...plan,
  priceId: idOf(plan),
  amount: priceOf(plan).amount,
  currency: 'usd',
  introAmount: priceOf(plan).introAmount,
  variable: `STRIPE_PRICE_${planKey(plan).toUpperCase()}`,
}));

const atStripe = (plan: PlanPrice): PriceSnapshot => ({
  priceId: plan.priceId,
  amount: plan.amount,
  currency: plan.currency,
  interval: plan.period === 'monthly' ? 'month' : 'year',
  intervalCount: 1,
  isActive: true,
});
const intro: CouponSnapshot = { amountOff: 500, currency: 'usd', duration: 'once', isValid: true };
const ofPro = (plan: Plan): boolean => planKey(plan) === 'pro_monthly';

/** With one price of Pro, monthly, and one coupon as Stripe has them. */
const compared = (
  price: Partial<PriceSnapshot> | null = {},
  coupon: Partial<CouponSnapshot> | null = {},
): ReturnType<typeof assertPrices> =>
  assertPrices(prices, 'pro_intro', {
    readPrice: async (id) => {
      const plan = prices.find(({ priceId }) => priceId === id);
      if (!plan || (ofPro(plan) && price === null)) return null;
      return { ...atStripe(plan), ...(ofPro(plan) ? price : {}) };
    },
    readCoupon: async () => (coupon === null ? null : { ...intro, ...coupon }),
  });

describe('the configured prices', () => {
  it('are accepted when Stripe charges them', async () => {
    expect(await compared()).toEqual([]);
  });

  it.each([
    ['which Stripe does not have', null],
    ['which charges 1999 usd per 1 month instead of 999 usd per month', { amount: 1_999 }],
    ['which charges 999 eur per 1 month instead of 999 usd per month', { currency: 'eur' }],
    ['which charges 999 usd per 1 year instead of 999 usd per month', { interval: 'year' }],
    ['which charges 999 usd per 3 month instead of 999 usd per month', { intervalCount: 3 }],
  ])('name the variable of a price %s', async (problem, price) => {
    await expect(compared(price)).rejects.toMatchObject({
      code: 'PRICE_WRONG',
      message: expect.stringContaining(`STRIPE_PRICE_PRO_MONTHLY is price_pro_monthly, ${problem}:`),
    });
  });

  it('include one that is archived: its members keep it, and nobody else can buy it', async () => {
    expect((await compared({ isActive: false })).map(planKey)).toEqual(['pro_monthly']);
  });

  it('differ from each other', async () => {
    const twice = prices
      .filter(ofPro)
      .flatMap((plan) => [plan, { ...plan, variable: 'STRIPE_PRICE_ELITE_MONTHLY' }]);
    const stripe = {
      readPrice: async () => (twice[0] ? atStripe(twice[0]) : null),
      readCoupon: async () => intro,
    };
    await expect(assertPrices(twice, undefined, stripe)).rejects.toMatchObject({
      message: expect.stringContaining('as another plan is'),
    });
  });
});

describe('the coupon of the introductory price', () => {
  it.each([
    ['which Stripe does not have', null],
    ['which cannot be given any more', { isValid: false }],
    ['whose duration is forever instead of once', { duration: 'forever' }],
    ['which takes 100 usd off instead of 500 usd', { amountOff: 100 }],
    ['which takes a percentage off instead of 500 usd', { amountOff: null, currency: null }],
  ])('is refused at the start when it is one %s', async (problem, coupon) => {
    await expect(compared({}, coupon)).rejects.toMatchObject({
      code: 'PRICE_WRONG',
      message: expect.stringContaining(`STRIPE_INTRO_COUPON is pro_intro, ${problem}:`),
    });
  });
});
