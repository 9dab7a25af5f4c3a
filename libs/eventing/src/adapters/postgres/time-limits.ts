import type { PoolConfig } from 'pg';
import { setTimeout } from 'node:timers/promises';

/** How long the store waits for its database, in milliseconds. */
export type TimeLimits = Readonly<{
  /** Until a connection is open, or one of the pool is free. */
  connectMs: number;
  /** An attempt to append. Its append is then sent again. */
  attemptMs: number;
  /** All attempts to append, from when the append was accepted. Its outcome is then unknown, if one was sent. */
  appendMs: number;
  /** A query that reads. */
  readMs: number;
  /** A computation of the settled mark. */
  markMs: number;
  /** Until the first settled mark: an append may have been open since before. */
  firstMarkMs: number;
}>;

export const defaultTimeLimits: TimeLimits = {
  connectMs: 5_000,
  attemptMs: 5_000,
  appendMs: 15_000,
  readMs: 10_000,
  markMs: 5_000,
  firstMarkMs: 10_000,
};

/** Until a connection is closed by the server. */
export const closeMs = 2_000;

/**
 * For connections that only the store uses. Keep-alive packets find out that the peer is dead; the server ends what
 * takes too long, also when its caller does not wait any more.
 */
export const connectionOptions = ({ connectMs, readMs }: TimeLimits): PoolConfig => ({
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  connectionTimeoutMillis: connectMs,
  statement_timeout: readMs,
  idle_in_transaction_session_timeout: readMs,
});

/** Waits for the work, but not longer than this. */
export const withinTime = async (work: Promise<unknown> | undefined, ms: number): Promise<void> => {
  const over = new AbortController();
  const { signal } = over;
  await Promise.race([work, setTimeout(ms, undefined, { signal }).catch(() => {})]).finally(() =>
    over.abort(),
  );
};
