import { systemClock } from '@tapedeck/kernel';
import type { Pool } from 'pg';
import { setTimeout } from 'node:timers/promises';
import type { Position } from '../event.ts';
import { sqlStateOf } from '../postgres-errors.ts';

type Waiter = Readonly<{ position: Position; deadline: number; resolve: (reached: boolean) => void }>;

const minPollIntervalMs = 4;
const maxPollIntervalMs = 20;
const intervalGrowth = 1.3;
const undefinedTable = '42P01';

/** The waiting callers by read model, so that one query serves all that wait for the same one. */
const waitersByPool = new WeakMap<Pool, Map<string, Set<Waiter>>>();

const livePosition = async (pool: Pool, projection: string): Promise<Position> => {
  try {
    const { rows } = await pool.query<{ position: string }>({
      name: 'projection_position',
      text: `select position from projection_checkpoints where projection = $1 and status = 'live'`,
      values: [projection],
    });
    return BigInt(rows[0]?.position ?? 0);
  } catch (error) {
    // Before the first migration there is no checkpoint.
    if (sqlStateOf(error) === undefinedTable) return 0n;
    throw error;
  }
};

/** Polls the checkpoint until no caller waits any more. */
const poll = async (pool: Pool, projection: string, waiters: Set<Waiter>): Promise<void> => {
  for (
    let intervalMs = minPollIntervalMs;
    waiters.size > 0;
    intervalMs = Math.min(intervalMs * intervalGrowth, maxPollIntervalMs)
  ) {
    const waiting = [...waiters];
    const position = await livePosition(pool, projection).catch(() => -1n);
    const now = systemClock.now();
    for (const waiter of waiting) {
      const reached = position >= waiter.position;
      if (!reached && now < waiter.deadline) continue;
      waiters.delete(waiter);
      waiter.resolve(reached);
    }
    if (waiters.size > 0) await setTimeout(intervalMs);
  }
};

/**
 * Waits until the live version of a read model has reached a position, at most `timeoutMs`; false after that time.
 * Readers see their own writes by it.
 *
 * @example
 * const isFresh = await waitForPosition(databases.tapedeck, 'favourites', result.position, 1_000);
 */
export const waitForPosition = (
  pool: Pool,
  projection: string,
  position: Position,
  timeoutMs: number,
): Promise<boolean> =>
  new Promise((resolve) => {
    const byProjection = waitersByPool.get(pool) ?? new Map<string, Set<Waiter>>();
    waitersByPool.set(pool, byProjection);
    const waiters = byProjection.get(projection) ?? new Set<Waiter>();
    byProjection.set(projection, waiters);
    const idle = waiters.size === 0;
    waiters.add({ position, deadline: systemClock.now() + timeoutMs, resolve });
    if (idle) void poll(pool, projection, waiters);
  });
