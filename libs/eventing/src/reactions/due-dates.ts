import { commandId, derivedId, DomainError, isoNow } from '@tapedeck/kernel';
import type { Pool } from 'pg';
import { commandContext } from '../commands/handle.ts';
import { sqlStateOf } from '../postgres-errors.ts';
import type { DueDates, DueRow } from '../reaction.ts';
import { delay, linkedAbortController } from '../runner/abort.ts';
import type { Lease } from '../runner/checkpoint.ts';
import { quoted } from '../runner/rows/tables.ts';
import { startRenewing } from '../runner/run-leased.ts';
import { systemActor } from './caused-context.ts';
import { leasedCommands, type Commands } from './commands.ts';
import { holdLease } from './held-lease.ts';
import { completeKnowledge } from './knowledge.ts';
import { reactionMetrics } from './metrics.ts';
import { RunEnded, consumerIdOf, type ReactionOptions } from './consumer.ts';

export type DueDateOptions = ReactionOptions &
  Readonly<{
    dueDates: DueDates;
    /** The database of the table. */
    projectionPool: Pool;
    /** All reactions and effects. */
    reactions: readonly string[];
    dueIntervalMs: number;
    knowledgeMs: number;
  }>;

type DueRun = DueDateOptions &
  Readonly<{
    commands: Commands;
    assertHeld: () => void;
    /** When a due date may be sent again, on the scale of `performance.now()`. */
    sent: Map<string, number>;
  }>;

const batchSize = 100;
const repeatAfterMs = 60_000;
const retryAfterMs = 1_000;
const undefinedTable = '42P01';

const idOf = ({ name }: DueDates, { stream, kind, due_at }: DueRow): string =>
  derivedId(name, stream, kind, due_at.toISOString());

/** The first due date of each stream, in order: its commands may change the later ones. */
const dueSql = (table: string): string => `
  select stream, kind, due_at, details from (
    select distinct on (stream) stream, kind, due_at, details from ${quoted(table)}
    where due_at <= $1 and not (stream, kind, due_at) in (
      select * from unnest($2::text[], $3::text[], $4::timestamptz[]))
    order by stream, due_at, kind) first
  order by due_at, stream limit ${batchSize}`;

const separator = '\0';
const sentKey = ({ stream, kind, due_at }: DueRow): string =>
  [stream, kind, due_at.toISOString()].join(separator);

/** Rows that are due and were not sent a moment ago. There are none before the projection has made its table. */
const dueRows = async (
  { dueDates, projectionPool, sent }: DueRun,
  now: string,
): Promise<readonly DueRow[]> => {
  for (const [key, until] of sent) if (until <= performance.now()) sent.delete(key);
  const recent = [...sent.keys()].map((key) => key.split(separator));
  const columns = [0, 1, 2].map((column) => recent.map((parts) => parts[column]));
  try {
    const { rows } = await projectionPool.query<DueRow>(dueSql(dueDates.table), [now, ...columns]);
    return rows;
  } catch (error) {
    if (sqlStateOf(error) === undefinedTable) return [];
    throw error;
  }
};

const execute = async (run: DueRun, row: DueRow): Promise<void> => {
  const { dueDates, clock, commands } = run;
  const id = idOf(dueDates, row);
  const now = isoNow(clock);
  for (const [index, one] of dueDates.dispatch(row, now).entries()) {
    const context = commandContext({
      actor: systemActor,
      clock,
      commandId: commandId(derivedId(id, index)),
      correlationId: id,
      causationId: id,
    });
    await commands.send(one, { ...context, now });
  }
};

/** One that fails is tried again, and does not hold up the others. */
const send = async (run: DueRun, row: DueRow): Promise<void> => {
  const { dueDates, logger, sent } = run;
  const { name } = dueDates;
  run.assertHeld();
  sent.set(sentKey(row), performance.now() + repeatAfterMs);
  try {
    await execute(run, row);
    reactionMetrics.dueSent.inc({ name, outcome: 'done' });
  } catch (error) {
    if (error instanceof RunEnded) throw error;
    const mayHelp = !(error instanceof DomainError) || error.kind === 'unavailable';
    if (mayHelp) sent.set(sentKey(row), performance.now() + retryAfterMs);
    reactionMetrics.dueSent.inc({ name, outcome: 'failed' });
    const { stream, kind, due_at } = row;
    logger.error({ err: error, name, stream, kind, dueAt: due_at.toISOString() }, 'due date failed');
  }
};

/** Sends what is due; false when nothing is. */
const tick = async (run: DueRun): Promise<boolean> => {
  const { dueDates, clock, logger, knowledgeMs, signal, onPoint } = run;
  const now = isoNow(clock);
  if ((await dueRows(run, now)).length === 0) return false;
  const sources = { ...run, projection: dueDates.projection };
  const late = await completeKnowledge(sources, knowledgeMs, signal, (names) =>
    logger.debug({ name: dueDates.name, late: names }, 'due dates wait until everything is known'),
  );
  if (signal.aborted) return false;
  if (late.length > 0) {
    logger.warn({ name: dueDates.name, late }, 'due dates are sent although not everything is known');
  }
  for (const row of await dueRows(run, now)) {
    if (signal.aborted) return false;
    await send(run, row);
    await onPoint('due-sent', dueDates.name);
  }
  return true;
};

/** Polls the due dates until the lease is lost or the signal is aborted, then releases the lease. */
export const runDueDates = async (options: DueDateOptions, lease: Lease): Promise<void> => {
  const { store, dueDates, dueIntervalMs } = options;
  const consumerId = consumerIdOf(dueDates.name);
  const { controller, unlink } = linkedAbortController(options.signal);
  const { signal } = controller;
  const held = holdLease(options, consumerId, lease);
  const commands = leasedCommands(store, held.assertHeld);
  const run: DueRun = { ...options, signal, commands, assertHeld: held.assertHeld, sent: new Map() };
  const stopRenewing = startRenewing({ ...options, consumerId }, async () => {
    if (!(await held.renew())) controller.abort();
  });
  try {
    while (!signal.aborted) if (!(await tick(run))) await delay(dueIntervalMs, signal);
  } catch (error) {
    if (!(error instanceof RunEnded)) throw error;
  } finally {
    stopRenewing();
    unlink();
    await held.release();
  }
};
