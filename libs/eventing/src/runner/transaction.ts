import type { Pool, PoolClient } from 'pg';

/** Runs the steps in one transaction; whatever is thrown rolls it back. */
export const inTransaction = async <Result>(
  pool: Pool,
  steps: (client: PoolClient) => Promise<Result>,
  begin = 'begin',
): Promise<Result> => {
  const client = await pool.connect();
  let failure: Error | undefined;
  // A connection that is lost while no query is under way reports it here; the next query then fails.
  const onError = (error: Error): void => {
    failure = error;
  };
  client.on('error', onError);
  try {
    await client.query(begin);
    const result = await steps(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((lost: Error) => {
      failure = lost;
    });
    throw error;
  } finally {
    client.off('error', onError);
    client.release(failure);
  }
};

/**
 * For read models: their rows and their checkpoint are one transaction, so one that a crash of the server
 * undoes is simply done again. There is no need to wait for the disk. Writes name their keys: they go through
 * the primary key, so that a batch costs what it holds, however large the table and whatever is believed of it.
 */
export const beginRelaxed = `begin; set local synchronous_commit = off; set local enable_hashjoin = off;
  set local enable_mergejoin = off; set local enable_seqscan = off`;
