import { setTimeout } from 'node:timers/promises';
import type { EventStore, Position } from '@tapedeck/eventing';
import type { ProjectorLogger } from '@tapedeck/eventing/projections';
import type { Pool } from 'pg';

/** Positions per step, so that none takes long on a tape that was never counted. */
const stepSize = 50_000n;
const pollIntervalMs = 1_000;

export type TapeDaysOptions = Readonly<{
  store: Pick<EventStore, 'head'>;
  pool: Pool;
  logger: ProjectorLogger;
  signal: AbortSignal;
}>;

/** The row is locked first: of several processes each counts other events. */
const countSql = `
  with counted as (
    select position as after, least(position + $2::bigint, $1::bigint) as upto from tape_days_counted for update),
  found as (
    select (recorded_at at time zone 'utc')::date as day, type, count(*) as events
      from tape_events, counted where position > counted.after and position <= counted.upto group by 1, 2),
  added as (
    insert into tape_days (day, type, events) select day, type, events from found
    on conflict (day, type) do update set events = tape_days.events + excluded.events),
  moved as (
    update tape_days_counted set position = counted.upto from counted
    where tape_days_counted.position < counted.upto returning counted.upto)
  select upto from moved`;

/** Counts the next events up to the end of the tape. Returns whether there are more. */
export const countTapeDays = async (pool: Pool, end: Position): Promise<boolean> => {
  const { rows } = await pool.query<{ upto: string }>(countSql, [String(end), String(stepSize)]);
  const [moved] = rows;
  return moved !== undefined && BigInt(moved.upto) < end;
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
