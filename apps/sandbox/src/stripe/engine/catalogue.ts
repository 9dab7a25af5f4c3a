import {
  catalogueCurrency,
  paidPlans,
  paidTiers,
  planKey,
  priceOf as priceOfPlan,
  type PaidTier,
} from '@tapedeck/plans/contract';
import { priceId } from '../prices.ts';
import { invalid } from './failure.ts';
import type { Coupon, Plan, Price, Product, WebhookEndpoint } from './objects.ts';
import type { Change } from './tables.ts';
import { apiVersion } from './transaction.ts';

/** Before every purchase, so that the same folder always gives the same objects. */
const catalogueCreated = Date.UTC(2026, 0, 1) / 1_000;

/** An active one without a default price. */
export const productOf = (id: string, name: string, created: number): Product => ({
  id,
  object: 'product',
  active: true,
  created,
  default_price: null,
  description: null,
  images: [],
  livemode: false,
  marketing_features: [],
  metadata: {},
  name,
  package_dimensions: null,
  shippable: null,
  statement_descriptor: null,
  tax_code: null,
  tax_details: null,
  type: 'service',
  unit_label: null,
  updated: created,
  url: null,
});

const product = (id: string, name: string, defaultPrice: string): Product => ({
  ...productOf(id, name, catalogueCreated),
  default_price: defaultPrice,
});

export type NewPrice = Readonly<{
  id: string;
  product: string;
  unitAmount: number;
  currency: string;
  interval: 'month' | 'year';
  created: number;
}>;

/** An active one without names. */
export const priceOf = ({ id, product, unitAmount, currency, interval, created }: NewPrice): Price => ({
  id,
  object: 'price',
  active: true,
  billing_scheme: 'per_unit',
  created,
  currency,
  custom_unit_amount: null,
  livemode: false,
  lookup_key: null,
  metadata: {},
  nickname: null,
  product,
  recurring: {
    interval,
    interval_count: 1,
    meter: null,
    trial_period_days: null,
    usage_type: 'licensed',
  },
  tax_behavior: 'unspecified',
  tiers_mode: null,
  transform_quantity: null,
  type: 'recurring',
  unit_amount: unitAmount,
  unit_amount_decimal: String(unitAmount),
});

/** Only what is sold already may go on at an archived price. */
export const assertActive = ({ active }: Price, parameter: string): void => {
  if (!active)
    throw invalid('The price specified is inactive. This field only accepts active prices.', parameter);
};

export const planOf = (of: Price): Plan => ({
  id: of.id,
  object: 'plan',
  active: of.active,
  amount: of.unit_amount,
  amount_decimal: of.unit_amount_decimal,
  billing_scheme: 'per_unit',
  created: of.created,
  currency: of.currency,
  interval: of.recurring.interval,
  interval_count: of.recurring.interval_count,
  livemode: false,
  metadata: of.metadata,
  meter: null,
  nickname: of.nickname,
  product: of.product,
  tiers_mode: null,
  transform_usage: null,
  trial_period_days: null,
  usage_type: 'licensed',
});

export type NewCoupon = Pick<Coupon, 'id' | 'amount_off' | 'percent_off' | 'duration' | 'name' | 'created'>;

/** In US dollars, for all products. */
export const couponOf = (coupon: NewCoupon): Coupon => ({
  ...coupon,
  object: 'coupon',
  currency: coupon.amount_off === null ? null : 'usd',
  duration_in_months: null,
  livemode: false,
  max_redemptions: null,
  metadata: {},
  redeem_by: null,
  times_redeemed: 0,
  valid: true,
});

const introCoupon: Coupon = {
  ...couponOf({
    id: 'pro_intro',
    amount_off: 500,
    percent_off: null,
    duration: 'once',
    name: 'First month of Pro',
    created: catalogueCreated,
  }),
  applies_to: { products: ['prod_pro'] },
};

const endpoint = (url: string): WebhookEndpoint => ({
  id: 'we_sandbox',
  object: 'webhook_endpoint',
  api_version: apiVersion,
  application: null,
  created: catalogueCreated,
  description: null,
  enabled_events: ['*'],
  livemode: false,
  metadata: {},
  status: 'enabled',
  url,
});

const idOf = (tier: PaidTier): string => tier.toLowerCase();

/** The plans as Stripe's objects, with ids that never change. */
export const catalogue = (webhookUrl: string): readonly Change[] => [
  ...paidTiers.map((tier): Change => {
    const id = `prod_${idOf(tier)}`;
    return ['product', id, product(id, tier, priceId({ tier, period: 'monthly' }))];
  }),
  ...paidPlans.map((plan): Change => {
    const { tier, period } = plan;
    const id = priceId(plan);
    const price = priceOf({
      id,
      product: `prod_${idOf(tier)}`,
      unitAmount: priceOfPlan(plan).amount,
      currency: catalogueCurrency,
      interval: period === 'monthly' ? 'month' : 'year',
      created: catalogueCreated,
    });
    return ['price', id, { ...price, lookup_key: planKey(plan), nickname: `${tier} ${period}` }];
  }),
  ['coupon', introCoupon.id, introCoupon],
  ['endpoint', 'we_sandbox', endpoint(webhookUrl)],
];
