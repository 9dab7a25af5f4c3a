import { billingPeriods, features, grantedTiers, tiers } from '@tapedeck/plans/contract';
import * as z from 'zod';

export const Tier = z.enum(tiers);
export type Tier = z.infer<typeof Tier>;

export const Feature = z.enum(features);
export type Feature = z.infer<typeof Feature>;

/**
 * `none`: never had one. `pending`: bought, not paid yet. `grace`: a renewal is unpaid, and access lasts until
 * `graceUntil`. `suspended`: no access until it is paid. `ended`: over.
 */
export const MembershipStatus = z.enum([
  'none',
  'pending',
  'active',
  'grace',
  'suspended',
  'ended',
  'complimentary',
]);
export type MembershipStatus = z.infer<typeof MembershipStatus>;

export const MemberTier = z
  .object({
    tier: Tier,
    active: z.boolean(),
    /** ISO 8601 UTC; null for Free, and when nothing will be renewed. */
    renewalDate: z.string().nullable(),
    /** The address that pays, when it differs from the account's or equals it; null without a subscription. */
    stripeCustomerEmail: z.string().nullable(),
    status: MembershipStatus,
    period: z.enum(billingPeriods).nullable(),
    /** When access ends, or has ended, by the member's own wish. */
    endsAt: z.string().nullable(),
    graceUntil: z.string().nullable(),
    /** Days until `graceUntil` by the server's clock; a begun day counts. */
    graceDaysLeft: z.number().int().nullable(),
    /** In grace: whether Stripe has said that the renewal failed; otherwise it has said nothing of it. */
    hasFailedPayment: z.boolean(),
    /** In grace: why it failed, as the rest of a sentence, such as `the card has expired`; otherwise null. */
    failureReason: z.string().nullable(),
    /** In grace: when Stripe tries the payment again; null when that is not known, or is over. */
    nextAttemptAt: z.string().nullable(),
    complimentary: z.object({ tier: Tier, until: z.string().nullable() }).nullable(),
    features: z.array(Feature),
  })
  .meta({ id: 'MemberTier' });
export type MemberTier = z.infer<typeof MemberTier>;

/** One line of the member's history in plain words. */
export const HistoryEntry = z.object({
  at: z.string(),
  /** Such as `Renewed until Mar 3, 2027`. */
  text: z.string(),
  kind: z.enum(['membership', 'payment']),
});
export const MemberHistory = z
  .object({
    entries: z.array(HistoryEntry),
    /** For `before`, to read on; null at the end. */
    next: z.string().nullable(),
  })
  .meta({ id: 'MemberHistory' });
export type MemberHistory = z.infer<typeof MemberHistory>;

const maxReasonLength = 500;
const Reason = z.string().trim().min(1, 'Say why.').max(maxReasonLength);

export const GrantedTier = z.enum(grantedTiers);

/** Access that support gives without a payment. */
export const GrantAccessBody = z
  .object({
    tier: GrantedTier,
    /** ISO 8601 UTC; null until it is revoked. */
    until: z.iso.datetime().nullable(),
    /** For the history of support; the member does not see it. */
    reason: Reason,
  })
  .meta({ id: 'GrantAccessBody' });
export type GrantAccessBody = z.infer<typeof GrantAccessBody>;

export const AccessGranted = z
  .object({ grantId: z.string(), tier: GrantedTier, until: z.string().nullable() })
  .meta({ id: 'AccessGranted' });
export type AccessGranted = z.infer<typeof AccessGranted>;

export const RevokeAccessBody = z.object({ reason: Reason }).meta({ id: 'RevokeAccessBody' });
export type RevokeAccessBody = z.infer<typeof RevokeAccessBody>;

const page = { default: 30, max: 100 } as const;

export const HistoryQuery = z.object({
  /** The `next` of the page before. */
  before: z
    .string()
    .regex(/^\d{4}-[\d-]{5}T[\d:.]{12}Z_\d{1,19}$/, 'Use the value of `next` of the page before.')
    .optional(),
  limit: z.coerce.number().int().min(1).max(page.max).default(page.default),
});
export type HistoryQuery = z.infer<typeof HistoryQuery>;

/** This module's part of `GET /api/config`. */
export const MembershipClientConfig = z.object({
  /** What a member without a plan may use; it depends on the entitlements in force. */
  freeFeatures: z.array(Feature),
});
export type MembershipClientConfig = z.infer<typeof MembershipClientConfig>;

/** In the stream of changes (`platformRoutes.changes`): the account's membership has changed. */
export const membershipTopic = 'membership';

export const membershipRoutes = {
  tier: '/api/member/tier',
  history: '/api/member/history',
  complimentary: (accountId: string) => `/api/admin/members/${accountId}/complimentary`,
} as const;
