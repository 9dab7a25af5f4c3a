import { systemClock } from '@tapedeck/kernel';
import type { Pool } from 'pg';
import type { Position } from '../event.ts';
import { sqlStateOf } from '../postgres-errors.ts';

type Waiter = Readonly<{ position: Position; until: number; resolve: (reached: boolean) => void }>;
type Watch = { readonly waiters: Set<Waiter> };

const shortestPause = 4;
const longestPause = 20;
const undefinedTable = '42P01';

const watches = new WeakMap<Pool, Map<string, Watch>>();

const positionOf = async (pool: Pool, projection: string): Promise<Position> => {
  try {
    const { rows } = await pool.query<{ position: string }>({
      name: 'projection_position',
      text: `select position from projection_checkpoints where projection = $1 and status = 'live'`,
      values: [projection],
    });
    return BigInt(rows[0]?.position ?? 0);
  } catch (error) {
    // Before the first migration there is no checkpoint to have reached anything.
    if (sqlStateOf(error) === undefinedTable) return 0n;
    throw error;
  }
};

/** One look serves everybody who waits for the same read model. */
const look = async (pool: Pool, projection: string, { waiters }: Watch): Promise<void> => {
  for (let wait = shortestPause; waiters.size > 0; wait = Math.min(wait * 1.3, longestPause)) {
    const asked = [...waiters];
    const position = await positionOf(pool, projection).catch(() => -1n);
    const now = systemClock.now();
    for (const waiter of asked) {
      const reached = position >= waiter.position;
      if (!reached && now < waiter.until) continue;
      waiters.delete(waiter);
      waiter.resolve(reached);
    }
    if (waiters.size > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  }
};

/**
 * Whether the read model has reached a position on the tape, waiting for it at most `timeoutMs`:
 * how a reader sees its own writes.
 *
 * @example
 * const fresh = await waitForPosition(databases.tapedeck, 'favourites', handled.position, 1_000);
 */
export const waitForPosition = (
  pool: Pool,
  projection: string,
  position: Position,
  timeoutMs: number,
): Promise<boolean> =>
  new Promise((resolve) => {
    const ofPool = watches.get(pool) ?? new Map<string, Watch>();
    watches.set(pool, ofPool);
    const watch = ofPool.get(projection) ?? { waiters: new Set<Waiter>() };
    ofPool.set(projection, watch);
    const idle = watch.waiters.size === 0;
    watch.waiters.add({ position, until: systemClock.now() + timeoutMs, resolve });
    if (idle) void look(pool, projection, watch);
  });
