import * as z from 'zod';

/** Where an event is shown in the timeline. */
export const lanes = ['payment', 'membership', 'account', 'admin', 'mail', 'system'] as const;
export const Lane = z.enum(lanes);
export type Lane = z.infer<typeof Lane>;

export const Time = z.string().meta({ description: 'ISO 8601 UTC' });

/** What words of a text stand for. Stripe's objects have a page; the others have one here. */
export const TextLink = z.object({
  kind: z.enum(['event', 'stripe', 'account', 'strategy']),
  id: z.string(),
  /** Stripe's page; null for what has one here. */
  url: z.string().nullable(),
});
export type TextLink = z.infer<typeof TextLink>;

/** Words of a text that belong together: plain, the main clause, or a name of what they link to. */
export const TextPart = z.object({ text: z.string(), isMain: z.boolean(), link: TextLink.nullable() });
export type TextPart = z.infer<typeof TextPart>;

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
  /** The same with its ids as links, and accounts by their e-mail addresses. */
  parts: z.array(TextPart),
  /** Why support has done it, in their own words; null otherwise, and once the account is deleted. */
  reason: z.string().nullable(),
  /** Something that should have worked has not. */
  isFailure: z.boolean(),
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
