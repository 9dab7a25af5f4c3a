import { DomainError, messageOf, type Clock } from '@tapedeck/kernel';
import type pg from 'pg';
import type { Logger } from '../log.ts';

/**
 * The outcomes of the objects that a job handles. One that fails is remembered, tried again with growing pauses, and does not
 * keep the others from being handled.
 */
export type JobObjects = Readonly<{
  /** Handles one. @throws the error when so many in a row were unavailable that none can be handled */
  handle: (object: string, work: () => Promise<void>) => Promise<void>;
  /** Those that have failed and are due again. */
  due: () => Promise<readonly string[]>;
}>;

export type JobObjectsOptions = Readonly<{ job: string; pool: pg.Pool; clock: Clock; logger: Logger }>;

const maxUnavailable = 5;
const firstPauseMs = 5 * 60_000;
const maxPauseMs = 24 * 3_600_000;

const failSql = `
  insert into job_failures (job, object, error, attempts, failed_at, retry_at)
  values ($1, $2, $3, 1, $4, $4::timestamptz + $5 * interval '1 millisecond')
  on conflict (job, object) do update set error = excluded.error, attempts = job_failures.attempts + 1,
    failed_at = excluded.failed_at,
    retry_at = $4::timestamptz + least($6, $5 * power(2, least(job_failures.attempts, 30))) * interval '1 millisecond'`;

/** What has failed in the future was recorded by a wrong clock, which says nothing of when it is due. */
const dueSql = `
  select object from job_failures where job = $1 and (retry_at <= $2 or failed_at > $2) order by retry_at, object`;

const isUnavailable = (error: unknown): boolean =>
  error instanceof DomainError && (error.kind === 'unavailable' || error.kind === 'too-many');

/**
 * @example
 * const objects = await jobObjects({ job: 'sweep', pool, clock, logger });
 * for (const id of [...(await objects.due()), ...ids]) await objects.handle(id, () => sweep(id));
 */
export const jobObjects = async ({ job, pool, clock, logger }: JobObjectsOptions): Promise<JobObjects> => {
  const { rows } = await pool.query<{ object: string }>('select object from job_failures where job = $1', [
    job,
  ]);
  const failed = new Set(rows.map(({ object }) => object));
  let unavailable = 0;

  const remember = async (object: string, error: unknown): Promise<void> => {
    failed.add(object);
    const message = messageOf(error).slice(0, 1_000);
    logger.warn({ job, object, err: error }, 'an object of a job failed and will be tried again');
    await pool.query(failSql, [job, object, message, new Date(clock.now()), firstPauseMs, maxPauseMs]);
  };

  return {
    due: async () => {
      const due = await pool.query<{ object: string }>(dueSql, [job, new Date(clock.now())]);
      return due.rows.map(({ object }) => object);
    },
    handle: async (object, work) => {
      try {
        await work();
        unavailable = 0;
      } catch (error) {
        unavailable = isUnavailable(error) ? unavailable + 1 : 0;
        if (unavailable >= maxUnavailable) throw error;
        return remember(object, error);
      }
      if (!failed.delete(object)) return;
      await pool.query('delete from job_failures where job = $1 and object = $2', [job, object]);
    },
  };
};
