import type pg from 'pg';

/** First half of the key, one for each use of locks; the second is a hash of the lock's name. */
export const lockClasses = { job: 1_785_684_585, indexWriter: 1_702_391_156 } as const;

export type LockName = Readonly<{ of: keyof typeof lockClasses; name: string }>;

type LockTimes = Readonly<{
  /** Between two queries that show both sides that the other one still exists. */
  heartbeatMs: number;
  /** After this time without an answer the holder gives up: earlier than the server, with a margin of a heartbeat. */
  answerWithinMs: number;
  /** After this time without a query the server ends the session, and with it the lock. */
  lapseAfterMs: number;
}>;

const defaultTimes: LockTimes = { heartbeatMs: 2_000, answerWithinMs: 10_000, lapseAfterMs: 15_000 };

export type AdvisoryLock = Readonly<{
  /** Aborted when the lock is lost, or `parent` is aborted. */
  signal: AbortSignal;
  release: () => Promise<void>;
}>;

/** pg supports a time limit for one query, but its types do not have it. */
const limited = (
  text: string,
  values: readonly unknown[],
  { answerWithinMs }: LockTimes,
): pg.QueryConfig & { readonly query_timeout: number } => ({
  text,
  values: [...values],
  query_timeout: answerWithinMs,
});

/** Takes the lock and limits the session in one statement: a holder cannot fail in between. */
const acquire = `
  select case when pg_try_advisory_lock($1, hashtext($2))
              then set_config('idle_session_timeout', $3, false) end as timeout`;

/**
 * The lock of this name for a session of the database, so that one process at a time does something, on a connection of its own; null when another connection holds it. A holder that stops, hangs
 * or loses its network loses the lock within `lapseAfterMs`.
 */
export const tryAdvisoryLock = async (
  pool: pg.Pool,
  { of, name }: LockName,
  parent: AbortSignal,
  times: LockTimes = defaultTimes,
): Promise<AdvisoryLock | null> => {
  const client = await pool.connect();
  const key = [lockClasses[of], name];
  const lost = new AbortController();
  const lose = (): void => lost.abort(new Error(`The lock "${name}" is lost: its connection has ended.`));
  client.on('error', lose);
  client.on('end', lose);
  const { rows } = await client
    .query<{ timeout: string | null }>(limited(acquire, [...key, String(times.lapseAfterMs)], times))
    .catch((error: unknown) => {
      client.release(true);
      throw error;
    });
  if (!rows[0]?.timeout) {
    client.off('error', lose).off('end', lose);
    client.release();
    return null;
  }
  let beating: Promise<unknown> | undefined;
  const beat = (): void => {
    beating ??= client
      .query(limited('select 1', [], times))
      .catch(lose)
      .finally(() => {
        beating = undefined;
      });
  };
  const timer = setInterval(beat, times.heartbeatMs);
  return {
    signal: AbortSignal.any([lost.signal, parent]),
    release: async () => {
      clearInterval(timer);
      await beating;
      const unlock = limited('select pg_advisory_unlock($1, hashtext($2))', key, times);
      // When this fails, the lock ends with its session.
      if (!lost.signal.aborted) await client.query(unlock).catch(() => undefined);
      // The time limit must not remain on a connection of the pool.
      client.release(true);
    },
  };
};
