import * as z from 'zod';
import { EventSummary, TextPart, Time } from './events.ts';

/** Everything that the audit compares between two instants. Null: there is none. */
export const MembershipView = z.object({
  tier: z.string(),
  status: z.string(),
  hasAccess: z.boolean(),
  accessUntil: Time.nullable(),
  source: z.string().nullable(),
  features: z.array(z.string()),
  subscriptionId: z.string().nullable(),
  stripeStatus: z.string().nullable(),
  plan: z.string().nullable(),
  paidUntil: Time.nullable(),
  graceUntil: Time.nullable(),
  endsAt: Time.nullable(),
  nextChargeAt: Time.nullable(),
  /** In minor units. */
  nextChargeAmount: z.number().nullable(),
  currency: z.string().nullable(),
  scheduledPlan: z.string().nullable(),
  complimentary: z.string().nullable(),
  complimentaryUntil: Time.nullable(),
  isDisputed: z.boolean(),
  /** Sums in minor units of all subscriptions that the account owns. */
  paid: z.number(),
  refunded: z.number(),
});
export type MembershipView = z.infer<typeof MembershipView>;
export type ViewField = keyof MembershipView;

export const ChangedField = z.object({
  field: z.string(),
  before: z.unknown(),
  after: z.unknown(),
});
export type ChangedField = z.infer<typeof ChangedField>;

/**
 * `then`: from the events that were recorded by that instant. `now`: from all that is known today about that instant, in
 * the order in which it happened.
 */
export const Knowledge = z.enum(['then', 'now']);
export type Knowledge = z.infer<typeof Knowledge>;

export const AccessQuery = z.object({
  /** Now when absent. */
  at: z.iso.datetime().optional(),
  knowledge: Knowledge.default('then'),
});
export type AccessQuery = z.infer<typeof AccessQuery>;

export const AccessExplanation = z
  .object({
    at: Time,
    knowledge: Knowledge,
    /** Such as `Elite until Mar 3, 2027, because the invoice of …`. */
    sentence: z.string(),
    /** The same with names as links. */
    parts: z.array(TextPart),
    /** Why support has granted or revoked the access, in their own words. */
    reason: z.string().nullable(),
    /** The events behind it, the cause first. */
    chain: z.array(EventSummary),
    view: MembershipView,
    /** What differs from today. */
    sinceThen: z.array(ChangedField),
    /** What differs because it became known later; empty with `now`. */
    knownLater: z.array(ChangedField),
  })
  .meta({ id: 'AccessExplanation' });
export type AccessExplanation = z.infer<typeof AccessExplanation>;

export const DifferenceQuery = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime().optional(),
  knowledge: Knowledge.default('then'),
});
export type DifferenceQuery = z.infer<typeof DifferenceQuery>;
export const AccessDifference = z
  .object({ from: Time, to: Time, fields: z.array(ChangedField) })
  .meta({ id: 'AccessDifference' });
export type AccessDifference = z.infer<typeof AccessDifference>;
