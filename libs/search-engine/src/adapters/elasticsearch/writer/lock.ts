import type pg from 'pg';

/** First half of the key of the advisory lock; the second is a hash of the lock's name. */
const lockKey = 1_702_391_156;
/** Between two checks that the connection, and with it the lock, still exists. */
const heartbeatMs = 2_000;

export type AdvisoryLock = Readonly<{
  /** Aborted when the lock is lost, or `parent` is aborted. */
  signal: AbortSignal;
  release: () => Promise<void>;
}>;

/** The lock of this name, on a connection of its own; null when another connection holds it. */
export const tryAdvisoryLock = async (
  pool: pg.Pool,
  name: string,
  parent: AbortSignal,
): Promise<AdvisoryLock | null> => {
  const client = await pool.connect();
  const { rows } = await client
    .query<{ acquired: boolean }>('select pg_try_advisory_lock($1, hashtext($2)) as acquired', [
      lockKey,
      name,
    ])
    .catch((error: unknown) => {
      client.release(true);
      throw error;
    });
  if (!rows[0]?.acquired) {
    client.release();
    return null;
  }
  const lost = new AbortController();
  const lose = (): void => lost.abort(new Error(`The lock "${name}" is lost: its connection has ended.`));
  client.on('error', lose);
  client.on('end', lose);
  const timer = setInterval(() => void client.query('select 1').catch(lose), heartbeatMs);
  return {
    signal: AbortSignal.any([lost.signal, parent]),
    release: async () => {
      clearInterval(timer);
      try {
        await client.query('select pg_advisory_unlock($1, hashtext($2))', [lockKey, name]);
        client.off('error', lose);
        client.off('end', lose);
        client.release();
      } catch {
        // The lock ends with its connection.
        client.release(true);
      }
    },
  };
};
