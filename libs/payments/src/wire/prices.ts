import * as z from 'zod';
import { billingPeriods, paidTiers } from '@tapedeck/plans/contract';

const PlanName = { tier: z.enum(paidTiers), period: z.enum(billingPeriods) };
const Time = z.iso.datetime().meta({ description: 'ISO 8601 UTC' });
const Reason = z.string().trim().min(3).max(500);

/** What a part of the members of a plan pays, in minor units, and how many they are. */
const PaidAmount = z.object({
  amount: z.number().int(),
  currency: z.string(),
  subscriptions: z.number().int(),
});

const PriceAnnouncement = z.object({
  announcementId: z.uuid(),
  /** `announced`: it is to come. `in-effect`: renewals from now on, each at least the days of the notice after its mail. */
  state: z.enum(['announced', 'in-effect', 'withdrawn']),
  amount: z.number().int(),
  currency: z.string(),
  from: Time,
  announcedAt: Time,
  /** The e-mail address of the admin who has announced it; null for a deleted account. */
  announcedBy: z.string().nullable(),
  /** Null when it is forgotten. */
  reason: z.string().nullable(),
  /** Subscriptions whose owner was notified. */
  notified: z.number().int(),
  /** Of those, how many pay the new price by now. */
  changed: z.number().int(),
  /** Until when it can be withdrawn; null where it cannot. */
  withdrawableUntil: Time.nullable(),
});

const PlanPriceItem = z.object({
  ...PlanName,
  /** At which it is sold, in minor units. */
  amount: z.number().int(),
  currency: z.string(),
  /** Subscriptions that renew at another amount. */
  formerAmounts: z.array(PaidAmount),
  /** The newest one. */
  announcement: PriceAnnouncement.nullable(),
});

export const AnnouncedPrices = z
  .object({
    plans: z.array(PlanPriceItem),
    noticeDays: z.number().int(),
    /** The first day that can be announced now. */
    earliestFrom: z.iso.date(),
  })
  .meta({ id: 'AnnouncedPrices' });
export type AnnouncedPrices = z.infer<typeof AnnouncedPrices>;

export const PreviewPriceBody = z
  .object({ ...PlanName, from: z.iso.date() })
  .meta({ id: 'PreviewPriceBody' });
export type PreviewPriceBody = z.infer<typeof PreviewPriceBody>;

/** What an announcement says, and to how many. */
export const PricePreview = z
  .object({
    ...PlanName,
    amount: z.number().int(),
    currency: z.string(),
    from: Time,
    formerAmounts: z.array(PaidAmount),
    noticeDays: z.number().int(),
    /** Send it with the reason, so that what was shown is announced. */
    previewId: z.string(),
    expiresAt: Time,
  })
  .meta({ id: 'PricePreview' });
export type PricePreview = z.infer<typeof PricePreview>;

export const AnnouncePriceBody = z
  .object({ previewId: z.string().max(3_000), reason: Reason })
  .meta({ id: 'AnnouncePriceBody' });
export type AnnouncePriceBody = z.infer<typeof AnnouncePriceBody>;

export const WithdrawPriceBody = z
  .object({ ...PlanName, announcementId: z.uuid(), reason: Reason })
  .meta({ id: 'WithdrawPriceBody' });
export type WithdrawPriceBody = z.infer<typeof WithdrawPriceBody>;

export const maxPriceReasonLength = 500;

export const priceRoutes = {
  prices: '/api/admin/prices',
  preview: '/api/admin/prices/preview',
  withdraw: '/api/admin/prices/withdraw',
} as const;
