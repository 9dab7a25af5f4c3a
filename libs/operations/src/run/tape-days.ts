import { setTimeout } from 'node:timers/promises';
import type { EventStore, Position } from '@tapedeck/eventing';
import type { ProjectorLogger } from '@tapedeck/eventing/projections';
import type { Pool, PoolClient } from 'pg';

/** Positions per step, so that none takes long on a tape that was never counted. */
const stepSize = 50_000n;
const pollIntervalMs = 1_000;

export type TapeDaysOptions = Readonly<{
  store: Pick<EventStore, 'head'>;
  pool: Pool;
  logger: ProjectorLogger;
  signal: AbortSignal;
}>;

// The bounds are parameters, so that the planner knows how few events lie between them.
const addSql = `
  insert into tape_days (day, type, events)
  select (recorded_at at time zone 'utc')::date, type, count(*)
    from tape_events where position > $1 and position <= $2 group by 1, 2
  on conflict (day, type) do update set events = tape_days.events + excluded.events`;

const countStep = async (client: PoolClient, end: Position): Promise<boolean> => {
  // Another process counts after this one, from where it ends.
  const { rows } = await client.query<{ position: string }>(
    'select position from tape_days_counted for update',
  );
  const after = BigInt(rows[0]?.position ?? 0);
  if (after >= end) return false;
  const upto = after + stepSize < end ? after + stepSize : end;
  await client.query(addSql, [String(after), String(upto)]);
  await client.query('update tape_days_counted set position = $1', [String(upto)]);
  return upto < end;
};

/** Counts the next events up to the end of the tape. Returns whether there are more. */
const countTapeDays = async (pool: Pool, end: Position): Promise<boolean> => {
  const client = await pool.connect();
  let isUsable = false;
  try {
    await client.query('begin');
    const hasMore = await countStep(client, end);
    await client.query('commit');
    isUsable = true;
    return hasMore;
  } finally {
    // A connection with an open transaction is closed, which ends it.
    client.release(!isUsable);
  }
};

/** Counts new events until the signal is aborted. Their number at 10 million events is then the sum of a few rows. */
export const followTapeDays = async ({ store, pool, logger, signal }: TapeDaysOptions): Promise<void> => {
  while (!signal.aborted) {
    try {
      const end = await store.head();
      while (!signal.aborted && (await countTapeDays(pool, end)));
    } catch (error) {
      logger.warn({ err: error }, 'the events of a day could not be counted, will be repeated');
    }
    await setTimeout(pollIntervalMs, undefined, { signal }).catch(() => undefined);
  }
};
