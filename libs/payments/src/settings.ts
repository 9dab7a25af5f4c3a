import { defineSettings, type ConfigOf } from '@tapedeck/platform/config';
import { limitedTo } from '@tapedeck/platform/rate-limit';
import { amount, days } from '@tapedeck/platform/setting-values';
import {
  catalogueCurrency,
  paidPlans,
  planKey,
  planOfKey,
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
export const planName = (plan: Plan): PlanName =>
  // What the type says of `toUpperCase`.
  planKey(plan).toUpperCase() as PlanName;

const pricePattern = /^[A-Za-z0-9_]{1,100}$/;

const priceOfPlan = ({ tier, period }: Plan) =>
  ({
    schema: z.string().regex(pricePattern, 'must be the id of a price in Stripe'),
    readBy: paying,
    description: `the id of the price in Stripe at which ${tier}, ${period}, is sold; its amount is compared at the start`,
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

type FormerPrice = Plan & Readonly<{ priceId: string }>;

const formerPrice = z.string().transform((entry, context): FormerPrice => {
  const [priceId = '', key = '', ...rest] = entry.split('=').map((part) => part.trim());
  const plan = planOfKey(key);
  if (plan && pricePattern.test(priceId) && rest.length === 0) return { ...plan, priceId };
  const keys = paidPlans.map(planKey).join(', ');
  context.addIssue(`must be price_id=plan, separated by commas, with plan one of ${keys}; not "${entry}"`);
  return z.NEVER;
});

const formerPrices = z
  .string()
  .transform((text) => text.split(',').filter((entry) => entry.trim() !== ''))
  .pipe(z.array(formerPrice));

const introAmount = paidPlans.map((plan) => priceOf(plan).introAmount ?? 0).find((one) => one > 0) ?? 0;

export const paymentsSettings = defineSettings({
  ...priceSettings,
  ...amountSettings,
  STRIPE_FORMER_PRICES: {
    schema: formerPrices,
    byDefault: '',
    readBy: paying,
    otherwise: 'none',
    description:
      'prices in Stripe at which plans are sold no more, such as `price_1=pro_monthly,price_2=elite_annual`; not needed for a price whose metadata has `tapedeck_plan`',
  },
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
  WITHDRAWAL_DAYS: {
    schema: days,
    byDefault: '14',
    readBy: ['api'],
    description:
      'for how many days after a purchase its owner can withdraw from the contract, with all of the payment back; 0: not at all (the law of the EU demands 14)',
  },
  PRICE_NOTICE_DAYS: {
    schema: days,
    byDefault: '30',
    readBy: ['api'],
    description:
      'at least so many days before the first renewal at a new price its member is notified of it (docs/operations.md#prices-at-stripe)',
  },
  APPROVAL_ABOVE_AMOUNT: {
    schema: amount,
    byDefault: '10000',
    readBy: ['api'],
    description:
      'above this sum, in the smallest unit of the currency, a refund or an immediate end by support needs the approval of another admin',
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
