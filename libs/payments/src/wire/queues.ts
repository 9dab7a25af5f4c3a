import * as z from 'zod';

const Time = z.iso.datetime().meta({ description: 'ISO 8601 UTC' });
/** The page of Stripe's dashboard that shows it. */
const StripeUrl = z.string();
/** Null for a purchase without an owner, or whose owner has closed the account. */
const Owner = z.uuid().nullable();
/** The e-mail address of the owner; null without one. */
const OwnerName = z.string().nullable();

/** One of several live subscriptions of the same account. Amounts are in minor units. */
const LiveSubscription = z.object({
  subscriptionId: z.string(),
  stripeUrl: StripeUrl,
  /** Null for a price that is not ours. */
  tier: z.string().nullable(),
  period: z.string().nullable(),
  amount: z.number().int(),
  currency: z.string(),
  stripeStatus: z.string(),
  startedAt: Time,
  /** When it ends by itself; null while it renews. */
  endsAt: Time.nullable(),
});

const DuplicateItem = z.object({
  accountId: z.uuid(),
  accountName: OwnerName,
  /** The oldest first. */
  subscriptions: z.array(LiveSubscription),
});

/** A subscription whose price belongs to no plan: its owner keeps the plan that was paid last. */
const UnknownPriceItem = z.object({
  subscriptionId: z.string(),
  stripeUrl: StripeUrl,
  accountId: Owner,
  accountName: OwnerName,
  priceId: z.string(),
  priceUrl: StripeUrl,
  amount: z.number().int(),
  currency: z.string(),
  stripeStatus: z.string(),
  startedAt: Time,
});

/** A purchase that goes back: all of its payments, and the subscription ends. */
const ReturnItem = z.object({
  subscriptionId: z.string(),
  stripeUrl: StripeUrl,
  accountId: Owner,
  accountName: OwnerName,
  reason: z.enum(['other-price', 'second-purchase', 'account-closed', 'unclaimed', 'withdrawn']),
  begunAt: Time,
  /** What is to go back, and what has gone back of it. */
  amount: z.number().int(),
  refunded: z.number().int(),
  currency: z.string(),
  isEnded: z.boolean(),
});

/**
 * Stripe has refused to give money back, to end a subscription, to change its price, or to schedule a change again; or a replay waits to ask
 * for it.
 */
const RefusedItem = z.object({
  requestId: z.uuid(),
  subscriptionId: z.string(),
  stripeUrl: StripeUrl,
  accountId: Owner,
  accountName: OwnerName,
  /** `downgrade`: one that a member had scheduled, and that an upgrade in vain has removed. */
  kind: z.enum(['refund', 'end-now', 'announced-price', 'keep-price', 'downgrade']),
  cause: z.string(),
  /** Null where it is of no payment. */
  invoiceId: z.string().nullable(),
  amount: z.number().int().nullable(),
  currency: z.string(),
  /** Stripe's code of the refusal, or a word of ours in capitals. */
  code: z.string(),
  /** Whether a replay has caused it: it waits among the parked events, and Stripe was not asked. */
  isHeld: z.boolean(),
  /** Whether it is repeated by itself, since the reason may pass. */
  isRepeated: z.boolean(),
  /** Whether a person may decide that it is not to be done any more. */
  mayAbandon: z.boolean(),
  /** Whether somebody has proposed that already, so that another admin has to. */
  isAbandonProposed: z.boolean(),
  requestedAt: Time,
});

/** Money without access, or access without money: ledger, entitlement and Stripe disagree. */
const FindingItem = z.object({
  subscriptionId: z.string(),
  stripeUrl: StripeUrl,
  accountId: Owner,
  accountName: OwnerName,
  kind: z.enum(['money-without-access', 'access-without-money']),
  amount: z.number().int(),
  currency: z.string(),
  foundAt: Time,
});

/** A subscription that a job could not read at Stripe. */
const FailedReadItem = z.object({
  job: z.string(),
  subscriptionId: z.string(),
  stripeUrl: StripeUrl,
  accountId: Owner,
  accountName: OwnerName,
  error: z.string(),
  attempts: z.number().int(),
  failedAt: Time,
  /** When it is tried again by itself. */
  retryAt: Time,
});

/** What the entries of all queues are about, in minor units. */
const Sum = z.object({ currency: z.string(), amount: z.number().int() });

const UnclaimedItem = z.object({
  subscriptionId: z.string(),
  stripeUrl: StripeUrl,
  /** Masked, as `a•••@example.com`; null once it is forgotten. */
  email: z.string().nullable(),
  tier: z.string(),
  period: z.string(),
  paidAt: Time,
  refundAt: Time,
});

const DisputeItem = z.object({
  disputeId: z.string(),
  stripeUrl: StripeUrl,
  subscriptionId: z.string(),
  accountId: Owner,
  accountName: OwnerName,
  amount: z.number().int(),
  currency: z.string(),
  reason: z.string(),
  openedAt: Time,
  /** Until when Stripe takes evidence; null when it takes none. */
  evidenceDueBy: Time.nullable(),
});

const MismatchItem = z.object({
  eventId: z.string(),
  subscriptionId: z.string(),
  stripeUrl: StripeUrl,
  accountId: Owner,
  accountName: OwnerName,
  detectedAt: Time,
  /** Values are text; null where there was none. */
  fields: z.array(
    z.object({ field: z.string(), ours: z.string().nullable(), stripe: z.string().nullable() }),
  ),
  /** Whether what Stripe says was recorded. */
  isHealed: z.boolean(),
});

const queue = <Item extends z.ZodType>(
  item: Item,
): z.ZodObject<{ count: z.ZodNumber; items: z.ZodArray<Item> }> =>
  z.object({ count: z.number().int(), items: z.array(item) });

/** At most so many items of each queue are listed; its count is that of all. */
export const maxQueueItems = 100;

/** Matters of money that need the decision of a person. */
export const Queues = z
  .object({
    readAt: Time,
    /** Entries of all queues without the mismatches, which are recorded already. */
    total: z.object({ count: z.number().int(), sums: z.array(Sum), oldestAt: Time.nullable() }),
    /** The oldest first. */
    findings: queue(FindingItem),
    /** The oldest first. */
    failedReads: queue(FailedReadItem),
    duplicates: queue(DuplicateItem),
    /** The oldest first. */
    unknownPrices: queue(UnknownPriceItem),
    /** The oldest first. */
    returns: queue(ReturnItem),
    /** The oldest first. */
    refused: queue(RefusedItem),
    /** The oldest first. */
    unclaimed: queue(UnclaimedItem),
    /** The one that is due first is the first. */
    disputes: queue(DisputeItem),
    /** Of the last 24 hours, the newest first. */
    mismatches: queue(MismatchItem),
  })
  .meta({ id: 'Queues' });
export type Queues = z.infer<typeof Queues>;

export const maxRepeatReasonLength = 500;

/** A refused request that is made once more, and why. */
export const RepeatBody = z
  .object({
    subscriptionId: z.string().regex(/^sub_\w{1,100}$/, 'must be the id of a subscription'),
    requestId: z.uuid(),
    reason: z.string().trim().min(3).max(maxRepeatReasonLength),
  })
  .meta({ id: 'RepeatBody' });
export type RepeatBody = z.infer<typeof RepeatBody>;

/** That money and access of a subscription are right as they are, and why. */
export const AcceptFindingBody = z
  .object({
    subscriptionId: z.string().regex(/^sub_\w{1,100}$/, 'must be the id of a subscription'),
    kind: z.enum(['money-without-access', 'access-without-money']),
    reason: z.string().trim().min(3).max(maxRepeatReasonLength),
  })
  .meta({ id: 'AcceptFindingBody' });
export type AcceptFindingBody = z.infer<typeof AcceptFindingBody>;

export const queueRoutes = {
  queues: '/api/admin/queues',
  repeat: '/api/admin/queues/refused/repeat',
  accept: '/api/admin/queues/findings/accept',
} as const;
