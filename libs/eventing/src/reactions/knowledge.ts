import type { Pool } from 'pg';
import type { EventStore } from '../event-store.ts';
import type { Position } from '../event.ts';
import { delay } from '../runner/abort.ts';
import { consumerIdOf } from './consumer.ts';

/** Whose work has to be finished before a due date is acted upon. */
export type KnowledgeSources = Readonly<{
  store: EventStore;
  /** The database of the tape. */
  pool: Pool;
  /** The database of the table of due dates, and the projection that fills it. */
  projectionPool: Pool;
  projection: string;
  /** All reactions and effects. */
  reactions: readonly string[];
}>;

/** Events that a reaction has still to handle; those that are parked or wait for their cause do not count. */
const behindSql = `
  select name as behind from unnest($1::text[]) name
  where not exists (
    select from projection_checkpoints where projection = name and version = $2 and position >= $3)
  union all
  select distinct reaction from reaction_pending_events
  where reaction = any($1) and position <= $3 and next_attempt_at is not null and waiting_for is null`;

const projectionSql = `
  select from projection_checkpoints where projection = $1 and status = 'live' and position >= $2`;

/** Who has not reached the position. */
const behind = async (
  { pool, projectionPool, projection, reactions }: KnowledgeSources,
  position: Position,
): Promise<readonly string[]> => {
  const values = [reactions, consumerIdOf('').version, String(position)];
  const { rows } = await pool.query<{ behind: string }>(behindSql, values);
  const { rowCount } = await projectionPool.query(projectionSql, [projection, String(position)]);
  return [...rows.map((row) => row.behind), ...(rowCount === 0 ? [projection] : [])];
};

const pollIntervalMs = 10;
/** What reactions append, others react to: from a payment to the end of a membership there are fewer steps. */
const maxSteps = 5;

/**
 * Waits until everything on the tape has been handled: by the projection, and by all reactions and effects, and what
 * these have appended meanwhile too. Returns the consumers that are behind when the time is over. `onWaiting` is called
 * when it has to wait.
 */
export const completeKnowledge = async (
  sources: KnowledgeSources,
  timeoutMs: number,
  signal: AbortSignal,
  onWaiting: (late: readonly string[]) => void,
): Promise<readonly string[]> => {
  let isWaiting = false;
  const deadline = performance.now() + timeoutMs;
  let reached: Position = -1n;
  for (let step = 0; step < maxSteps; step++) {
    const head = await sources.store.head();
    if (head === reached) return [];
    for (;;) {
      const late = await behind(sources, head);
      if (late.length === 0) break;
      if (performance.now() >= deadline || signal.aborted) return late;
      if (!isWaiting) onWaiting(late);
      isWaiting = true;
      await delay(pollIntervalMs, signal);
    }
    reached = head;
  }
  return [];
};
