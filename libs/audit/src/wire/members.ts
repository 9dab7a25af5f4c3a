import * as z from 'zod';
import { Time } from './events.ts';

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
export type FoundMember = z.infer<typeof FoundMember>;
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

export const RecentMember = FoundMember.omit({ matched: true }).extend({
  registeredAt: Time,
});
export type RecentMember = z.infer<typeof RecentMember>;
/** Those who were registered or have changed last, the newest first. */
export const RecentMembers = z.object({ members: z.array(RecentMember) }).meta({ id: 'RecentMembers' });
export type RecentMembers = z.infer<typeof RecentMembers>;

export const MemberNote = z.object({
  noteId: z.string(),
  /** Null once it was redacted, or the account deleted. */
  text: z.string().nullable(),
  isPinned: z.boolean(),
  /** The event that it is attached to. */
  eventId: z.string().nullable(),
  writtenBy: z.string(),
  /** The e-mail address of that account, while it exists. */
  writtenByName: z.string().nullable(),
  writtenAt: Time,
  redactedBy: z.string().nullable(),
  redactedByName: z.string().nullable(),
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

export const maxNoteLength = 4_000;
export const AddNoteBody = z.object({
  text: z.string().trim().min(1).max(maxNoteLength),
  isPinned: z.boolean().default(false),
  eventId: z.uuid().nullable().default(null),
});
export type AddNoteBody = z.infer<typeof AddNoteBody>;
export const NoteAdded = z.object({ noteId: z.string() }).meta({ id: 'NoteAdded' });
export type NoteAdded = z.infer<typeof NoteAdded>;
