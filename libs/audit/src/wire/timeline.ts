import * as z from 'zod';
import { EventSummary, Lane, Time } from './events.ts';

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

export const maxMarks = 20_000;

/** A time of access with one tier and status, by what was recorded. */
export const Band = z.object({
  from: Time,
  /** Null where no end is known. */
  to: Time.nullable(),
  tier: z.string(),
  status: z.string(),
});
export type Band = z.infer<typeof Band>;

export const MarkKind = z.object({ type: z.string(), lane: Lane, isFailure: z.boolean() });
export type MarkKind = z.infer<typeof MarkKind>;

/** All that is drawn of a member's history, as short as it can be. */
export const TapeDeck = z
  .object({
    bands: z.array(Band),
    kinds: z.array(MarkKind),
    /** Of each mark, the newest first: milliseconds since 1970, and the place of its kind in `kinds`. */
    marks: z.array(z.tuple([z.number(), z.number()])),
    /** How many events the history has; more than there are marks when only the newest are drawn. */
    total: z.number(),
  })
  .meta({ id: 'TapeDeck' });
export type TapeDeck = z.infer<typeof TapeDeck>;

export const exportFormats = ['csv', 'jsonl'] as const;
export const ExportQuery = TimelineFilter.extend({ format: z.enum(exportFormats) });
export type ExportQuery = z.infer<typeof ExportQuery>;
