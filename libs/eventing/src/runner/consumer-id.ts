import type { ClientBase, Pool } from 'pg';

/** What reads the tape from a checkpoint, under a lease: a version of a projection, a reaction, an effect. */
export type ConsumerId = Readonly<{ name: string; version: number }>;

/** Whether it has a checkpoint: somebody may have deleted it, so that it begins again. */
export const isRegistered = async (
  pool: Pool | ClientBase,
  { name, version }: ConsumerId,
): Promise<boolean> => {
  const { rowCount } = await pool.query(
    'select 1 from projection_checkpoints where projection = $1 and version = $2',
    [name, version],
  );
  return rowCount === 1;
};
