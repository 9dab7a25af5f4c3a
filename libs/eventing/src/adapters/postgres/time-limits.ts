import { setTimeout } from 'node:timers/promises';
import type { PoolConfig } from 'pg';

/** Until a connection is open, or one of the pool is free. */
const connectMs = 5_000;
/** An attempt to append. Its append is then sent again, or its outcome is unknown. */
export const attemptMs = 5_000;
/** A query that reads. */
export const readMs = 10_000;
/** A computation of the settled mark. */
export const markMs = 5_000;
/** Until the first settled mark: an append may have been open since before. */
export const firstMarkMs = 10_000;
/** Until the server has closed a connection. */
export const closeMs = 2_000;

/** The server ends what takes longer, also when nobody waits for it any more. */
const serverLimits: PoolConfig = {
  statement_timeout: readMs,
  idle_in_transaction_session_timeout: readMs,
};

/** For connections that only the store uses. A dead peer is noticed by keep-alive packets. */
export const connectionOptions: PoolConfig = {
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  connectionTimeoutMillis: connectMs,
  ...serverLimits,
};

/** Waits for the work, but not longer than this. */
export const withinTime = async (work: Promise<unknown> | undefined, ms: number): Promise<void> => {
  const over = new AbortController();
  const { signal } = over;
  await Promise.race([work, setTimeout(ms, undefined, { signal }).catch(() => {})]).finally(() =>
    over.abort(),
  );
};
