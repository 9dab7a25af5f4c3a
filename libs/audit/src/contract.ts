import * as z from 'zod';

/** Where an event is shown in the timeline. */
export const lanes = ['payment', 'membership', 'account', 'admin', 'mail', 'system'] as const;
export const Lane = z.enum(lanes);
export type Lane = z.infer<typeof Lane>;

const Time = z.string().meta({ description: 'ISO 8601 UTC' });

export const FoundMember = z.object({
  accountId: z.string(),
  /** Null once the account was deleted. */
  email: z.string().nullable(),
  name: z.string().nullable(),
  tier: z.string(),
  status: z.string(),
  /** What the search has found: `email`, `name`, `account`, `customer`, `subscription`, `invoice`, `charge`, `event`. */
  matched: z.string(),
});
/** An id of ours or of Stripe, a part of an e-mail address, or beginnings of names. */
export const FindMembersQuery = z.object({ q: z.string().trim().min(2).max(255) });
export type FindMembersQuery = z.infer<typeof FindMembersQuery>;

/** A purchase by e-mail that belongs to no account yet. */
export const FoundPurchase = z.object({
  subscriptionId: z.string(),
  email: z.string().nullable(),
  paidAt: Time,
  refundAt: Time,
});
export const FoundMembers = z
  .object({ members: z.array(FoundMember), purchases: z.array(FoundPurchase), isComplete: z.boolean() })
  .meta({ id: 'FoundMembers' });
export type FoundMembers = z.infer<typeof FoundMembers>;

/** An event as a link of a chain or a row of the timeline. */
export const EventSummary = z.object({
  id: z.string(),
  position: z.string(),
  stream: z.string(),
  version: z.number(),
  type: z.string(),
  lane: Lane,
  /** In plain words, without personal data. */
  text: z.string(),
  actorKind: z.string(),
  actorId: z.string(),
  /** The e-mail address of an actor with an account, while it exists. */
  actorName: z.string().nullable(),
  causationId: z.string(),
  correlationId: z.string(),
  occurredAt: Time,
  recordedAt: Time,
  /** Stripe's page of the object, where it has one. */
  stripeUrl: z.string().nullable(),
});
export type EventSummary = z.infer<typeof EventSummary>;

export const MemberNote = z.object({
  noteId: z.string(),
  /** Null once it was redacted, or the account deleted. */
  text: z.string().nullable(),
  isPinned: z.boolean(),
  /** The event that it is attached to. */
  eventId: z.string().nullable(),
  writtenBy: z.string(),
  writtenAt: Time,
  redactedBy: z.string().nullable(),
  redactedAt: Time.nullable(),
});
export type MemberNote = z.infer<typeof MemberNote>;

export const AuditedMember = z
  .object({
    accountId: z.string(),
    isDeleted: z.boolean(),
    email: z.string().nullable(),
    name: z.string().nullable(),
    discordEmail: z.string().nullable(),
    tradingViewUsername: z.string().nullable(),
    roles: z.array(z.string()),
    registeredAt: Time.nullable(),
    subscriptions: z.array(
      z.object({ subscriptionId: z.string(), customerId: z.string().nullable(), stripeUrl: z.string() }),
    ),
    notes: z.array(MemberNote),
    /** The first and the last event: the ends of the slider. */
    firstAt: Time.nullable(),
    lastAt: Time.nullable(),
    events: z.number(),
  })
  .meta({ id: 'AuditedMember' });
export type AuditedMember = z.infer<typeof AuditedMember>;

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
    /** Such as `Elite, paid until 3 Mar 2027, because …`. */
    sentence: z.string(),
    /** The words of whoever has granted or revoked the access. */
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

const list = <Value extends string>(values: z.ZodType<Value, string>): z.ZodType<Value[], string> =>
  z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(values).max(50));

/** Of an event type or a kind of actors. */
const Name = z.string().regex(/^[A-Za-z-]{1,100}$/u);
/** The database knows no year 0. */
const Instant = z.iso.datetime().refine((text) => text >= '0001', 'must be a time after the year 0');

export const TimelineFilter = z.object({
  lanes: list(Lane).optional(),
  types: list(Name).optional(),
  actorKind: Name.optional(),
  from: Instant.optional(),
  to: Instant.optional(),
});
export type TimelineFilter = z.infer<typeof TimelineFilter>;
export const timelinePageSize = 50;
export const TimelineQuery = TimelineFilter.extend({
  /** The position of the last row that the client has; the newest rows when absent. */
  before: z
    .string()
    .regex(/^\d{1,18}$/u)
    .optional(),
});
export type TimelineQuery = z.infer<typeof TimelineQuery>;
export const Timeline = z
  .object({
    events: z.array(EventSummary),
    /** Null at the beginning of the history. */
    before: z.string().nullable(),
  })
  .meta({ id: 'Timeline' });
export type Timeline = z.infer<typeof Timeline>;

export const exportFormats = ['csv', 'jsonl'] as const;
export const ExportQuery = TimelineFilter.extend({ format: z.enum(exportFormats) });
export type ExportQuery = z.infer<typeof ExportQuery>;

/** One event with what has caused it and what it has caused. */
export const EventDetail = z
  .object({
    event: EventSummary,
    /** As stored, decrypted; a field of a deleted account is `{"$forgotten": true}`, a secret `{"$hidden": true}`. */
    data: z.unknown(),
    metadata: z.record(z.string(), z.string()),
    schemaVersion: z.number(),
    /** All events of the same correlation in order of the tape; `causationId` makes the tree. */
    correlation: z.array(EventSummary),
  })
  .meta({ id: 'EventDetail' });
export type EventDetail = z.infer<typeof EventDetail>;

export const maxNoteLength = 4_000;
export const AddNoteBody = z.object({
  text: z.string().trim().min(1).max(maxNoteLength),
  isPinned: z.boolean().default(false),
  eventId: z.uuid().nullable().default(null),
});
export type AddNoteBody = z.infer<typeof AddNoteBody>;
export const NoteAdded = z.object({ noteId: z.string() }).meta({ id: 'NoteAdded' });
export type NoteAdded = z.infer<typeof NoteAdded>;

export const auditRoutes = {
  find: '/api/admin/members',
  member: (id: string) => `/api/admin/members/${id}`,
  access: (id: string) => `/api/admin/members/${id}/access`,
  difference: (id: string) => `/api/admin/members/${id}/difference`,
  timeline: (id: string) => `/api/admin/members/${id}/timeline`,
  /** `?format=csv` or `jsonl`, with the timeline's filters. */
  export: (id: string) => `/api/admin/members/${id}/timeline/export`,
  event: (id: string, eventId: string) => `/api/admin/members/${id}/events/${eventId}`,
  notes: (id: string) => `/api/admin/members/${id}/notes`,
  note: (id: string, noteId: string) => `/api/admin/members/${id}/notes/${noteId}`,
} as const;

/** The addresses of its screens. */
export const auditScreens = ['/admin/members', '/admin/members/:accountId'] as const;
