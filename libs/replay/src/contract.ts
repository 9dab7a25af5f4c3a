import * as z from 'zod';

/**
 * `retry`: handles again what has failed or waits. `rebuild`: derives everything again from the events of the tape, and
 * compares the read models with them. `reread`: reads the subscriptions at Stripe. `refetch`: fetches events of Stripe
 * that are not on the tape.
 */
export const replayModes = ['retry', 'rebuild', 'reread', 'refetch'] as const;
export const ReplayModeName = z.enum(replayModes);
export type ReplayModeName = z.infer<typeof ReplayModeName>;

/** At most so many days, because Stripe lists the events of 30. */
export const maxWindowDays = 30;
export const maxReasonLength = 1_000;

const Time = z.iso.datetime().meta({ description: 'ISO 8601 UTC' });
const StripeId = z
  .string()
  .max(255)
  .regex(/^[a-z]+_\w+$/i, 'must be an id of Stripe, such as sub_1 or evt_1');

/** `rebuild` takes a member or a subscription only, `retry` no window. Times are in UTC. */
export const ReplayTargetBody = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('member'), accountId: z.uuid() }),
  z.object({ kind: z.literal('subscription'), subscriptionId: StripeId }),
  z.object({ kind: z.literal('event'), eventId: StripeId }),
  z.object({ kind: z.literal('window'), from: Time, to: Time }),
]);
export type ReplayTargetBody = z.infer<typeof ReplayTargetBody>;

export const TryReplayBody = z
  .object({ mode: ReplayModeName, target: ReplayTargetBody })
  .meta({ id: 'TryReplayBody' });
export type TryReplayBody = z.infer<typeof TryReplayBody>;

/** A field of a read model that the replay changes. Values are text; null where there is no row or no value. */
export const ReplayedField = z.object({
  /** What the row is about in plain words, such as `Membership of ada@example.com` or `Payment in_1`. */
  subject: z.string(),
  table: z.string(),
  field: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** The event that causes it. */
  eventId: z.string(),
  eventType: z.string(),
  /** Whether the event is on the tape already: the read model then differs from what its events make of it. */
  isOnTape: z.boolean(),
});
export type ReplayedField = z.infer<typeof ReplayedField>;

/** An event that the replay appends. */
export const ReplayedEvent = z.object({
  id: z.string(),
  stream: z.string(),
  type: z.string(),
  /** In plain words, without personal data. */
  text: z.string(),
  causationId: z.string(),
});
export type ReplayedEvent = z.infer<typeof ReplayedEvent>;

/** What cannot be handled, and would be parked. */
export const ReplayFailure = z.object({
  reaction: z.string(),
  eventId: z.string(),
  stream: z.string(),
  error: z.string(),
});
export type ReplayFailure = z.infer<typeof ReplayFailure>;

/** A request to Stripe that the product would make afterwards; it is held until support releases it. */
export const HeldWork = z.object({
  id: z.string(),
  effect: z.string(),
  stream: z.string(),
  type: z.string(),
  /** In plain words, without personal data. */
  text: z.string(),
});
export type HeldWork = z.infer<typeof HeldWork>;

/** A request to Stripe or a mail that is parked or held. It is sent only when its key stands among the releases. */
export const OutsideWork = z.object({
  key: z.string(),
  kind: z.enum(['stripe', 'mail']),
  effect: z.string(),
  stream: z.string(),
  type: z.string(),
  /** The event that causes it, in plain words, without personal data. */
  text: z.string(),
  /** A replay has caused it, and it was never tried. */
  isHeld: z.boolean(),
  error: z.string().nullable(),
  since: Time,
});
export type OutsideWork = z.infer<typeof OutsideWork>;

/** What a replay changes. Lists are shortened; the counts are those of everything. */
export const ReplayPlan = z
  .object({
    replayId: z.string(),
    mode: ReplayModeName,
    target: ReplayTargetBody,
    at: Time,
    /** Send it to apply exactly this. SHA-256 in hexadecimal. */
    fingerprint: z.string(),
    /** SHA-256 in hexadecimal of the fields before and after. */
    beforeHash: z.string(),
    afterHash: z.string(),
    /** Nothing would change. */
    isEmpty: z.boolean(),
    events: z.array(ReplayedEvent),
    eventCount: z.number().int(),
    fields: z.array(ReplayedField),
    fieldCount: z.number().int(),
    /** Parked or failed events that are handled again when the replay is applied. */
    released: z.number().int(),
    failures: z.array(ReplayFailure),
    held: z.array(HeldWork),
    outside: z.array(OutsideWork),
    /** Read models that differ from their events: only rebuilding them helps. */
    outdatedReadModels: z.array(z.string()),
  })
  .meta({ id: 'ReplayPlan' });
export type ReplayPlan = z.infer<typeof ReplayPlan>;

export const ApplyReplayBody = z
  .object({
    fingerprint: z.string().regex(/^[0-9a-f]{64}$/, 'must be the fingerprint of the dry run'),
    reason: z.string().trim().min(1, 'Say why, for later readers.').max(maxReasonLength),
    /** Keys of `outside`: these requests and mails are sent. */
    releases: z.array(z.string().max(200)).max(1_000).default([]),
  })
  .meta({ id: 'ApplyReplayBody' });
export type ApplyReplayBody = z.infer<typeof ApplyReplayBody>;

/**
 * `applied`: what the dry run has shown is on the tape. `outdated`: the tape or Stripe has changed since; nothing was
 * applied, and `plan` is a new dry run with an id of its own.
 */
export const ReplayOutcome = z
  .object({ outcome: z.enum(['applied', 'outdated']), plan: ReplayPlan })
  .meta({ id: 'ReplayOutcome' });
export type ReplayOutcome = z.infer<typeof ReplayOutcome>;

export const ReplaySummary = z.object({
  replayId: z.string(),
  mode: ReplayModeName,
  target: ReplayTargetBody,
  /** The account that it is about, where it is about one, and its e-mail address while it exists. */
  accountId: z.string().nullable(),
  accountName: z.string().nullable(),
  /** `applying`: it was confirmed, and not everything may be on the tape yet; applying it once more completes it. */
  status: z.enum(['tried', 'applying', 'applied']),
  triedAt: Time,
  /** The account, and its e-mail address while it exists. */
  triedBy: z.string(),
  triedByName: z.string().nullable(),
  appliedAt: Time.nullable(),
  appliedBy: z.string().nullable(),
  appliedByName: z.string().nullable(),
  /** Null before it is applied. */
  reason: z.string().nullable(),
  fingerprint: z.string(),
  beforeHash: z.string(),
  afterHash: z.string(),
  events: z.number().int(),
  fields: z.number().int(),
});
export type ReplaySummary = z.infer<typeof ReplaySummary>;

export const ReplaysQuery = z.object({
  cursor: z
    .string()
    .regex(/^\d{1,18}$/, 'must be that of an earlier answer')
    .optional(),
  accountId: z.uuid().optional(),
});
export type ReplaysQuery = z.infer<typeof ReplaysQuery>;

/** The newest first. */
export const Replays = z
  .object({ replays: z.array(ReplaySummary), nextCursor: z.string().nullable() })
  .meta({ id: 'Replays' });
export type Replays = z.infer<typeof Replays>;

/** A replay with what it would change now: null after it was applied. */
export const ReplayDetails = z
  .object({ replay: ReplaySummary, plan: z.object(ReplayPlan.shape).nullable() })
  .meta({ id: 'ReplayDetails' });
export type ReplayDetails = z.infer<typeof ReplayDetails>;

export const replayRoutes = {
  /** GET: those that were made. POST: a dry run, answered with a `ReplayPlan`. */
  replays: '/api/admin/replays',
  one: (replayId: string) => `/api/admin/replays/${replayId}`,
  /** POST, with an `ApplyReplayBody`; answered with a `ReplayOutcome`. */
  apply: (replayId: string) => `/api/admin/replays/${replayId}/apply`,
} as const;

/** The addresses of its screens. */
export const replayScreens = ['/admin/replays', '/admin/replays/:replayId'] as const;
