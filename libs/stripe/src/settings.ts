import { defineSettings, type ConfigOf } from '@tapedeck/platform/config';
import { httpUrl, httpUrlOrNone, yesOrNo } from '@tapedeck/platform/setting-values';
import * as z from 'zod';

const paying = ['api', 'projector'] as const;

export const stripeSettings = defineSettings({
  STRIPE_SECRET_KEY: {
    schema: z
      .string()
      .regex(/^(?:sk|rk)_(?:test|live)_\w+$/, 'must be a secret key of Stripe, such as sk_live_…'),
    readBy: paying,
    isSecret: true,
    description: 'the key of Stripe',
    placeholder: 'sk_test_none',
  },
  STRIPE_WEBHOOK_SECRET: {
    schema: z
      .string()
      .transform((given) =>
        given
          .split(',')
          .map((secret) => secret.trim())
          .filter((secret) => secret !== ''),
      )
      .refine((secrets) => secrets.length === 1 || secrets.length === 2, {
        message: 'must be one secret, or the old and the new one separated by a comma',
      }),
    readBy: ['api'],
    isSecret: true,
    description:
      'the secret of the webhook endpoint `/api/stripe/webhook`; two secrets separated by a comma while it is changed',
    placeholder: 'whsec_none',
  },
  STRIPE_API_URL: {
    schema: httpUrl.optional(),
    readBy: paying,
    isOutsideService: true,
    otherwise: 'Stripe',
    description: 'another address of its API: that of a stand-in',
    placeholder: 'http://127.0.0.1:1',
  },
  STRIPE_MAX_REQUESTS_PER_SECOND: {
    schema: z.coerce.number().int().min(1).max(100_000),
    byDefault: '20',
    readBy: paying,
    description:
      'how many requests one process sends to Stripe in a second; Stripe allows 100 in all with a live key, and 25 with a test key',
  },
  STRIPE_DASHBOARD_URL: {
    schema: httpUrlOrNone,
    byDefault: '',
    readBy: ['api'],
    otherwise: "Stripe's dashboard",
    description: 'one page for all links to objects of Stripe: that of a stand-in',
  },
  STRIPE_INTRO_COUPON: {
    schema: z
      .string()
      .regex(/^[A-Za-z0-9_]{1,100}$/, 'must be the id of a coupon in Stripe')
      .optional(),
    readBy: paying,
    otherwise: 'no introductory price',
    description:
      'the coupon that takes the difference off the first month of Pro (docs/product-decisions.md#introductory-price)',
    placeholder: 'pro_intro',
  },
  STRIPE_TAX: {
    schema: yesOrNo,
    byDefault: 'no',
    readBy: paying,
    description:
      '`yes`: Stripe computes taxes, and its checkout requires a billing address and takes the tax id of a business; needs Stripe Tax with its registrations (docs/operations.md#taxes)',
  },
});

/** What is needed to ask Stripe. */
export type StripeConfig = ConfigOf<typeof stripeSettings, 'projector'>;

/** What the API knows besides: the secrets of the webhooks, the pages of the dashboard. */
export type StripeApiConfig = ConfigOf<typeof stripeSettings, 'api'>;
