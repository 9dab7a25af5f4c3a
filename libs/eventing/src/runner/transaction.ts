import type { Pool, PoolClient } from 'pg';

/** Runs the steps in one transaction; an error rolls it back. */
export const inTransaction = async <Result>(
  pool: Pool,
  steps: (client: PoolClient) => Promise<Result>,
  begin = 'begin',
): Promise<Result> => {
  const client = await pool.connect();
  let failure: Error | undefined;
  // A connection that is lost between two queries reports it here; the next query then fails.
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
