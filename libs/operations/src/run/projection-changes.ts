import { setTimeout } from 'node:timers/promises';
import {
  commandContext,
  handle,
  isSealedEventOf,
  readEvents,
  type EventStore,
  type Position,
  type Projection,
  type RecordedEvent,
  type SealedEvent,
} from '@tapedeck/eventing';
import { restore } from '@tapedeck/eventing/operations';
import {
  cancelBuild,
  changeBuild,
  type ChangeKind,
  type ChangeOptions,
  type ProjectorLogger,
} from '@tapedeck/eventing/projections';
import { commandId, derivedId, isoNow, systemClock } from '@tapedeck/kernel';
import type { Pool } from 'pg';
import { operationsDecider, type OperationsCommand } from '../domain/decide.ts';
import {
  operationsEvents,
  operationsStream,
  type OperationsEvent,
  type RebuildRequested,
  type RollBackRequested,
} from '../domain/operations.ts';

const followedTypes = [
  'RebuildRequested',
  'RollBackRequested',
  'RebuildCompleted',
  'RebuildFailed',
  'RolledBack',
  'RollBackFailed',
  'ChangeCancelRequested',
  'ChangeCancelled',
] as const satisfies readonly OperationsEvent['type'][];

type Followed = RecordedEvent<
  SealedEvent<Extract<OperationsEvent, Readonly<{ type: (typeof followedTypes)[number] }>>>
>;

const isFollowed = isSealedEventOf(operationsEvents, ...followedTypes);

export type ProjectionChangesOptions = Omit<ChangeOptions, 'logger'> &
  Readonly<{
    /** The database of the tape. */
    pool: Pool;
    projections: readonly Projection[];
    logger: ProjectorLogger;
  }>;

type Request = Readonly<{
  event: RecordedEvent<SealedEvent<RebuildRequested | RollBackRequested>>;
  kind: ChangeKind;
  /** The position of the event that asks for its end. */
  cancel?: Position;
}>;

/** The events of these types on the tape: counted days, and what is not counted yet. */
const eventsToReadSql = `
  select (coalesce((select sum(events) from tape_days where type = any($1)), 0)
    + (select count(*) from tape_events, tape_days_counted c where type = any($1) and tape_events.position > c.position)
  )::integer as events`;

const countEvents = async (pool: Pool, { types }: Projection): Promise<number> => {
  const { rows } = await pool.query<{ events: number }>(eventsToReadSql, [types]);
  return rows[0]?.events ?? 0;
};

type Send = (request: Request, command: OperationsCommand) => Promise<void>;

/** Ids derive from the request, so that what two processes record is recorded once. */
const createSend = (store: EventStore): Send => {
  const send = handle(store, operationsDecider, operationsEvents);
  return async ({ event }, command) => {
    const { projection, requestId } = event.data;
    const context = commandContext({
      actor: { id: 'system', kind: 'system' },
      clock: systemClock,
      commandId: commandId(derivedId(command.type, requestId)),
      correlationId: event.metadata.correlationId,
      causationId: event.id,
    });
    await send(operationsStream(projection), command, context);
  };
};

/** The ignored events that were restored become a part of this build. */
const restoreEvents = async (
  { store, databases, pool, projections }: ProjectionChangesOptions,
  { name }: Projection,
): Promise<void> => {
  const restored = new Set<string>();
  const events = await readEvents(store, operationsStream(name), operationsEvents, { form: 'sealed' });
  for (const { type, data } of events) {
    if (type === 'IgnoredEventRetried') restored.add(data.position);
    if (type === 'ParkedEventIgnored') restored.delete(data.position);
  }
  const parts = { store, projections, databases: { ...databases, tapedeck: pool } };
  const now = isoNow(systemClock);
  for (const position of restored) await restore(parts, name, BigInt(position), now);
};

/** The change itself; what it leaves to record is recorded by whichever process gets that far. */
const execute = async (options: ProjectionChangesOptions, send: Send, request: Request): Promise<void> => {
  const { projections, pool } = options;
  const { projection: name, requestId } = request.event.data;
  const about = { projection: name, requestId };
  const projection = projections.find((one) => one.name === name);
  if (!projection) {
    const error = `This program has no read model ${name}.`;
    return send(request, { type: 'RecordFailure', ...about, error });
  }
  const change = { projection, kind: request.kind, change: request.event.position };
  if (request.kind === 'rebuild' && request.cancel === undefined) {
    await restoreEvents(options, projection);
    const eventsToRead = await countEvents(pool, projection);
    await send(request, { type: 'RecordStart', ...about, eventsToRead });
  }
  const ended =
    request.cancel === undefined
      ? await changeBuild(options, change)
      : await cancelBuild(options, change, request.cancel);
  if (ended?.outcome === 'swapped')
    await send(request, { type: 'RecordEnd', ...about, position: String(ended.position) });
  if (ended?.outcome === 'refused')
    await send(request, { type: 'RecordFailure', ...about, error: ended.reason });
  if (ended?.outcome === 'cancelled') await send(request, { type: 'RecordCancelled', ...about });
};

const retryMs = 1_000;

const executeWithRetries = async (
  options: ProjectionChangesOptions,
  send: Send,
  request: Request,
): Promise<void> => {
  const { logger, signal } = options;
  while (!signal.aborted) {
    try {
      return await execute(options, send, request);
    } catch (error) {
      logger.error(
        { err: error, projection: request.event.data.projection },
        'change of a read model failed, will be retried',
      );
      await setTimeout(retryMs, undefined, { signal }).catch(() => undefined);
    }
  }
};

/** Executes what is open, each request once, until it has ended or is to be cancelled. */
const createExecution = (options: ProjectionChangesOptions, send: Send) => {
  const running = new Map<string, Readonly<{ end: () => void; ended: Promise<void>; isCancel: boolean }>>();
  return {
    begin: (request: Request): void => {
      const { requestId } = request.event.data;
      const before = running.get(requestId);
      if (before && (request.cancel === undefined || before.isCancel)) return;
      before?.end();
      const controller = new AbortController();
      const end = (): void => controller.abort();
      options.signal.addEventListener('abort', end, { once: true });
      // What this process still does for the change ends first.
      const ended = Promise.resolve(before?.ended)
        .then(() => executeWithRetries({ ...options, signal: controller.signal }, send, request))
        .finally(() => options.signal.removeEventListener('abort', end));
      running.set(requestId, { end, ended, isCancel: request.cancel !== undefined });
    },
    /** Whichever process has ended it. */
    end: (requestId: string): void => running.get(requestId)?.end(),
    ended: async (): Promise<void> => {
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
};

const followOnce = async (
  { store, signal }: ProjectionChangesOptions,
  execution: ReturnType<typeof createExecution>,
): Promise<void> => {
  /** Those that have not ended as far as the tape was read. */
  const open = new Map<string, Request>();
  const take = (event: Followed): void => {
    const { requestId } = event.data;
    if (event.type === 'RebuildRequested') open.set(requestId, { event, kind: 'rebuild' });
    else if (event.type === 'RollBackRequested') open.set(requestId, { event, kind: 'roll-back' });
    else if (event.type === 'ChangeCancelRequested') {
      const request = open.get(requestId);
      if (request) open.set(requestId, { ...request, cancel: event.position });
    } else {
      open.delete(requestId);
      execution.end(requestId);
    }
  };
  const pages = store.follow({ after: 0n, batchSize: 1_000, types: followedTypes, form: 'sealed', signal });
  for await (const page of pages) {
    for (const event of page.events.filter(isFollowed)) take(event);
    if (page.position >= page.head) for (const request of open.values()) execution.begin(request);
  }
};

/**
 * Executes the rebuilds and roll-backs that the tape asks for, until the signal is aborted. Begins with those that have not
 * ended: a process that was killed continues, or another one does.
 */
export const followProjectionChanges = async (options: ProjectionChangesOptions): Promise<void> => {
  const { store, signal, logger } = options;
  const execution = createExecution(options, createSend(store));
  while (!signal.aborted) {
    try {
      await followOnce(options, execution);
    } catch (error) {
      logger.error({ err: error }, 'changes of read models could not be followed, will be retried');
      await setTimeout(retryMs, undefined, { signal }).catch(() => undefined);
    }
  }
  await execution.ended();
};
