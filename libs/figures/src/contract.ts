import { billingPeriods, paidTiers } from '@tapedeck/plans/contract';
import * as z from 'zod';

const Time = z.string().meta({ description: 'ISO 8601 UTC' });
/** One for each day of `days`. */
const Series = z.array(z.number().int());

/**
 * What each figure counts, in the words of the page. A day is one in UTC, and a fact counts on the day for which Stripe
 * dates it, however late it arrived; a later fact, such as a refund that fails, corrects the days that it is about.
 */
export const figureDefinitions = {
  active:
    'Accounts that a paid subscription gives access at the end of the day (today: now), the time after a failed renewal included. An account with several counts once, under its best plan. Complimentary access and purchases that no account has claimed do not count.',
  revenue:
    'What the subscriptions of these members were charged for their current period, after discounts, introductory prices and refunds, per month: an annual charge counts as a twelfth. Taxes that are part of a charge are included. What an upgrade within a period cost is added, so the new price counts in full from the next renewal on.',
  joined:
    'Accounts whose first paid access began on this day: on the day of the payment, or of the claim where somebody else had paid.',
  returned: 'Accounts whose paid access began again on this day, after a time without it.',
  churned:
    'Accounts whose paid access ended on this day, whatever the cause: cancelled, unpaid after the grace, refunded, disputed, transferred to another account or deleted. Active members change by new and returned less churned.',
  failed:
    'Invoices that could not be charged when they were due on this day, whether paid later or not. Later attempts for the same invoice do not count again.',
  recovered: 'Invoices that could not be charged at first and were paid on this day.',
  wronglySigned:
    'Webhooks that were refused on this day because their signature was missing, too old or of another secret.',
  lastWebhook: 'Time since the newest webhook of Stripe with a valid signature was received.',
  lastSweep: 'Time since the beginning of the last run that has compared every subscription at Stripe.',
} as const;

/** Each field is defined by `figureDefinitions`. */
export const Figures = z
  .object({
    readAt: Time,
    /** The days from 13 months ago to the current one, which is not over. */
    days: z.array(z.string().meta({ description: 'ISO 8601 date, UTC' })),
    members: z.array(z.object({ tier: z.enum(paidTiers), period: z.enum(billingPeriods), active: Series })),
    /** Minor units of the currency a month. */
    revenue: z.array(z.object({ currency: z.string(), amounts: Series })),
    joined: Series,
    returned: Series,
    churned: Series,
    failed: Series,
    recovered: Series,
    wronglySigned: Series,
    /** Null before the first one. */
    lastWebhookAt: Time.nullable(),
    sweep: z.object({
      /** When the last complete run began; null before the first one. */
      lastAt: Time.nullable(),
      isUnderWay: z.boolean(),
      lastError: z.string().nullable(),
    }),
  })
  .meta({ id: 'Figures' });
export type Figures = z.infer<typeof Figures>;

export const figuresRoutes = { figures: '/api/admin/figures' } as const;

export const figuresScreens = ['/admin/figures'] as const;
