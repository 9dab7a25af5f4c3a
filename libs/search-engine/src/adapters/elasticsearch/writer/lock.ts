import type pg from 'pg';

/** First half of the key of the advisory lock; the second is the name of what is locked. */
const lockKey = 1_702_391_156;
/** Milliseconds between two looks at whether the connection, and with it the lock, is still there. */
const heartbeat = 2_000;

export type Lock = Readonly<{
  /** Aborted when the lock is lost, or `parent` is aborted. */
  signal: AbortSignal;
  release: () => Promise<void>;
}>;

/** The lock of this name, held by a connection of its own; null when somebody else has it. */
export const tryLock = async (pool: pg.Pool, name: string, parent: AbortSignal): Promise<Lock | null> => {
  const client = await pool.connect();
  const { rows } = await client
    .query<{ mine: boolean }>('select pg_try_advisory_lock($1, hashtext($2)) as mine', [lockKey, name])
    .catch((error: unknown) => {
      client.release(true);
      throw error;
    });
  if (!rows[0]?.mine) {
    client.release();
    return null;
  }
  const lost = new AbortController();
  const lose = (): void => lost.abort(new Error(`The lock "${name}" is lost: its connection has ended.`));
  client.on('error', lose);
  client.on('end', lose);
  const beat = setInterval(() => void client.query('select 1').catch(lose), heartbeat);
  return {
    signal: AbortSignal.any([lost.signal, parent]),
    release: async () => {
      clearInterval(beat);
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
