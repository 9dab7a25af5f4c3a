import * as z from 'zod';

const Time = z.string().meta({ description: 'ISO 8601 UTC' });
const Position = z.string().regex(/^\d{1,19}$/);
const Name = z.string().regex(/^[\w:.-]{1,100}$/);

export const consumerKinds = ['projection', 'reaction', 'effect', 'due-dates'] as const;

export const ParkedKey = z.object({ key: z.string(), events: z.number(), error: z.string().nullable() });

/** A rebuild or roll-back that is under way, or the last one that has ended. */
export const Change = z.object({
  requestId: z.string(),
  kind: z.enum(['rebuild', 'roll-back']),
  state: z.enum(['requested', 'running', 'cancelling', 'completed', 'failed', 'cancelled']),
  /** Null once its key is deleted. */
  reason: z.string().nullable(),
  requestedBy: z.string(),
  /** Null when the account has none any more. */
  requestedByName: z.string().nullable(),
  requestedAt: Time,
  startedAt: Time.nullable(),
  endedAt: Time.nullable(),
  /** Of a rebuild: how many events the read model has to read, counted when it began. */
  eventsToRead: z.number().nullable(),
  error: z.string().nullable(),
  /** Who has asked to cancel it, which may have been too late. */
  cancelledBy: z.string().nullable(),
  cancelledByName: z.string().nullable(),
});
export type Change = z.infer<typeof Change>;

/** The build that queries do not use: one that is being filled, or the one before. */
export const StandbyBuild = z.object({
  position: Position,
  eventsRead: z.number(),
  lagEvents: z.number(),
  /** Since when it is not used any more; null while it is filled for the first time. */
  retiredAt: Time.nullable(),
  lastError: z.string().nullable(),
});

export const Consumer = z.object({
  name: z.string(),
  kind: z.enum(consumerKinds),
  database: z.string(),
  version: z.number(),
  status: z.enum(['building', 'live', 'retired']),
  position: Position,
  /** Positions after the checkpoint. */
  lagEvents: z.number(),
  /** Age of the oldest event after the checkpoint. */
  lagSeconds: z.number(),
  /** Events that were ever read; the difference of two answers gives the rate. */
  eventsRead: z.number(),
  parked: z.number(),
  /** The oldest ones. */
  parkedKeys: z.array(ParkedKey),
  lease: z.object({ host: z.string(), pid: z.string(), seconds: z.number() }).nullable(),
  lastError: z.string().nullable(),
  standby: StandbyBuild.nullable(),
  change: Change.nullable(),
});
export type Consumer = z.infer<typeof Consumer>;

export const ProjectionsPage = z
  .object({ readAt: Time, head: Position, consumers: z.array(Consumer) })
  .meta({ id: 'ProjectionsPage' });
export type ProjectionsPage = z.infer<typeof ProjectionsPage>;

export const JobStatus = z.object({
  name: z.string(),
  dueAt: Time,
  /** When the last run began that has reached its end. */
  lastSuccessAt: Time.nullable(),
  lastError: z.string().nullable(),
  /** A run has begun that has not reached its end. */
  isUnderWay: z.boolean(),
  /** Objects that have failed, and are tried again by themselves. */
  failures: z.number().int(),
  newestFailures: z.array(
    z.object({
      object: z.string(),
      error: z.string(),
      attempts: z.number().int(),
      failedAt: Time,
      retryAt: Time,
    }),
  ),
});

/** What is repeated at intervals. */
export const JobsPage = z.object({ readAt: Time, jobs: z.array(JobStatus) }).meta({ id: 'JobsPage' });
export type JobsPage = z.infer<typeof JobsPage>;

export const TapeDay = z.object({
  day: z.string().meta({ description: 'ISO 8601 date, UTC' }),
  /** Events by the module they belong to. */
  events: z.record(z.string(), z.number()),
});
const TapeEnd = z.object({ position: Position, recordedAt: Time, type: z.string() });

/** What the tape contains. */
export const TapeFigures = z
  .object({
    events: z.number(),
    /** Of the table and its indexes. */
    bytes: z.number(),
    oldest: TapeEnd.nullable(),
    newest: TapeEnd.nullable(),
    /** Modules with events in these days, those with the most first. */
    categories: z.array(z.string()),
    /** The last 30, the newest last. */
    days: z.array(TapeDay),
    /** Null unless searches are answered by Elasticsearch. */
    index: z
      .object({
        alias: z.string(),
        name: z.string().nullable(),
        documents: z.number().nullable(),
        bytes: z.number().nullable(),
        position: Position.nullable(),
        isAvailable: z.boolean(),
      })
      .nullable(),
  })
  .meta({ id: 'TapeFigures' });
export type TapeFigures = z.infer<typeof TapeFigures>;

export const maxReasonLength = 500;
export const ReasonBody = z.object({ reason: z.string().trim().min(3).max(maxReasonLength) });
export type ReasonBody = z.infer<typeof ReasonBody>;
/** The change as the admin has seen it. */
export const CancelBody = z.object({ requestId: z.uuid() });
export type CancelBody = z.infer<typeof CancelBody>;
export const ProjectionParam = z.object({ name: Name });
export const ChangeRequested = z.object({ requestId: z.string() }).meta({ id: 'ChangeRequested' });
export type ChangeRequested = z.infer<typeof ChangeRequested>;

export const waitingStates = ['parked', 'retrying', 'waiting', 'behind', 'queued'] as const;

export const ParkedEvent = z.object({
  consumer: z.string(),
  kind: z.enum(['projection', 'reaction']),
  position: Position,
  eventId: z.string().nullable(),
  key: z.string(),
  stream: z.string(),
  type: z.string(),
  state: z.enum(waitingStates),
  attempts: z.number(),
  error: z.string().nullable(),
  /** The error without ids, numbers and quoted texts. */
  group: z.string().nullable(),
  waitingFor: z.string().nullable(),
  /** A replay has caused it, and it changes something outside. */
  isHeld: z.boolean(),
  /** The position of the event of the same key that has to be handled first. */
  behind: Position.nullable(),
  nextAttemptAt: Time.nullable(),
  since: Time,
  /** The member whom the event names. */
  accountId: z.string().nullable(),
});
export type ParkedEvent = z.infer<typeof ParkedEvent>;

export const ParkedGroup = z.object({
  consumer: z.string(),
  kind: z.enum(['projection', 'reaction']),
  group: z.string(),
  state: z.enum(waitingStates),
  events: z.number(),
  oldest: Time,
});
export type ParkedGroup = z.infer<typeof ParkedGroup>;

export const IgnoredEvent = z.object({
  consumer: z.string(),
  kind: z.enum(['projection', 'reaction']),
  position: Position,
  key: z.string(),
  stream: z.string(),
  type: z.string(),
  group: z.string(),
  reason: z.string().nullable(),
  ignoredBy: z.string(),
  /** Null when the account has none any more. */
  ignoredByName: z.string().nullable(),
  ignoredAt: Time,
});
export type IgnoredEvent = z.infer<typeof IgnoredEvent>;

const cursorPattern = /^\d{1,19}~[\w:.-]{1,100}$/;
export const ParkedQuery = z.object({
  consumer: Name.optional(),
  state: z.enum(waitingStates).optional(),
  group: z.string().max(400).optional(),
  /** Those after this event, from an earlier answer. */
  after: z.string().regex(cursorPattern).optional(),
});
export type ParkedQuery = z.infer<typeof ParkedQuery>;

export const ParkedPage = z
  .object({
    readAt: Time,
    groups: z.array(ParkedGroup),
    /** The oldest first. */
    events: z.array(ParkedEvent),
    after: z.string().nullable(),
  })
  .meta({ id: 'ParkedPage' });
export type ParkedPage = z.infer<typeof ParkedPage>;
export const IgnoredPage = z.object({ events: z.array(IgnoredEvent) }).meta({ id: 'IgnoredPage' });
export type IgnoredPage = z.infer<typeof IgnoredPage>;

/** One event, or all that have failed with the same error. */
export const RetryBody = z.union([
  z.object({ consumer: Name, position: Position }),
  z.object({ consumer: Name, group: z.string().max(400) }),
]);
export type RetryBody = z.infer<typeof RetryBody>;
export const Retried = z.object({ events: z.number() }).meta({ id: 'Retried' });
export type Retried = z.infer<typeof Retried>;

export const IgnoreBody = ReasonBody.extend({ consumer: Name, position: Position });
export type IgnoreBody = z.infer<typeof IgnoreBody>;

export const operationsRoutes = {
  projections: '/api/admin/projections',
  tape: '/api/admin/projections/tape',
  jobs: '/api/admin/projections/jobs',
  rebuild: (name: string) => `/api/admin/projections/${name}/rebuild`,
  rollBack: (name: string) => `/api/admin/projections/${name}/roll-back`,
  cancel: (name: string) => `/api/admin/projections/${name}/cancel`,
  parked: '/api/admin/parked-events',
  ignored: '/api/admin/parked-events/ignored',
  retry: '/api/admin/parked-events/retry',
  ignore: '/api/admin/parked-events/ignore',
  restore: '/api/admin/parked-events/restore',
} as const;

/** The addresses of its screens. */
export const operationsScreens = ['/admin/parked-events', '/admin/projections'] as const;
