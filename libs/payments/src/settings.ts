import { defineSettings, type ConfigOf } from '@tapedeck/platform/config';
import { limitedTo } from '@tapedeck/platform/rate-limit';
import { amount, days } from '@tapedeck/platform/setting-values';
import {
  catalogueCurrency,
  paidPlans,
  priceOf,
  type BillingPeriod,
  type PaidTier,
  type Plan,
} from '@tapedeck/plans/contract';
import type { ApiConfig } from '@tapedeck/platform/settings';
import type { StripeApiConfig, StripeConfig } from '@tapedeck/stripe/settings';
import * as z from 'zod';

const paying = ['api', 'projector'] as const;

type PlanName = `${Uppercase<PaidTier>}_${Uppercase<BillingPeriod>}`;

/** Such as `PRO_MONTHLY`, in the names of a plan's settings. */
export const planName = ({ tier, period }: Plan): PlanName =>
  // What the type says of `toUpperCase`.
  `${tier.toUpperCase() as Uppercase<PaidTier>}_${period.toUpperCase() as Uppercase<BillingPeriod>}`;

const priceOfPlan = ({ tier, period }: Plan) =>
  ({
    schema: z.string().regex(/^[A-Za-z0-9_]{1,100}$/, 'must be the id of a price in Stripe'),
    readBy: paying,
    description: `the id of the price in Stripe of ${tier}, ${period}; its amount is compared at the start`,
    placeholder: `price_${tier.toLowerCase()}_${period}`,
  }) as const;

const amountOf = (what: string, byDefault: number) =>
  ({
    schema: amount,
    byDefault: String(byDefault),
    readBy: paying,
    description: `what ${what} costs, in the smallest unit of the currency`,
  }) as const;

// One entry for each plan that is sold.
const priceSettings = Object.fromEntries(
  paidPlans.map((plan) => [`STRIPE_PRICE_${planName(plan)}`, priceOfPlan(plan)]),
) as Readonly<Record<`STRIPE_PRICE_${PlanName}`, ReturnType<typeof priceOfPlan>>>;
const amountSettings = Object.fromEntries(
  paidPlans.map((plan) => [
    `${planName(plan)}_AMOUNT`,
    amountOf(`${plan.tier}, ${plan.period},`, priceOf(plan).amount),
  ]),
) as Readonly<Record<`${PlanName}_AMOUNT`, ReturnType<typeof amountOf>>>;

const introAmount = paidPlans.map((plan) => priceOf(plan).introAmount ?? 0).find((one) => one > 0) ?? 0;

export const paymentsSettings = defineSettings({
  ...priceSettings,
  ...amountSettings,
  INTRO_AMOUNT: amountOf('the first month with the introductory price', introAmount),
  CURRENCY: {
    schema: z.string().regex(/^[a-z]{3}$/, 'must be a currency code in lower case, such as usd'),
    byDefault: catalogueCurrency,
    readBy: paying,
    description: 'the currency of all prices',
  },
  UNCLAIMED_REFUND_DAYS: {
    schema: days,
    byDefault: '30',
    readBy: paying,
    description: 'when an unclaimed purchase is refunded (docs/product-decisions.md#grace-refunds-disputes)',
  },
  RATE_LIMIT_CHECKOUT: { ...limitedTo('5/min'), description: 'checkouts begun, of one client' },
  RATE_LIMIT_CHECKOUT_EMAIL: {
    ...limitedTo('3/h'),
    description: 'checkouts begun, for one e-mail address',
  },
  RATE_LIMIT_CLAIM_CODE: {
    ...limitedTo('10/h'),
    description: 'codes for claiming a purchase, of one client',
  },
  RATE_LIMIT_CLAIM_CODE_EMAIL: {
    ...limitedTo('5/h'),
    description: 'codes for claiming a purchase, for one e-mail address',
  },
  RATE_LIMIT_LINK_PAYMENT: { ...limitedTo('20/h'), description: 'purchases linked' },
});

/** The prices and what is needed to ask Stripe for them. */
export type PricesConfig = ConfigOf<typeof paymentsSettings, 'projector'> & StripeConfig;

/** What the module knows of the configuration of the API. */
export type PaymentsApiConfig = ApiConfig & ConfigOf<typeof paymentsSettings, 'api'> & StripeApiConfig;

/** What it knows of that of the projector. */
export type PaymentsProjectorConfig = PricesConfig &
  Pick<ApiConfig, 'SMTP_URL' | 'MAIL_FROM' | 'publicOrigin'>;
