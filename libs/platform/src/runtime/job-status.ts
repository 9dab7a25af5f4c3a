import type pg from 'pg';

export type JobFailure = Readonly<{
  object: string;
  error: string;
  attempts: number;
  failedAt: string;
  retryAt: string;
}>;

/** Times are ISO 8601 UTC. */
export type JobStatus = Readonly<{
  name: string;
  dueAt: string;
  /** When the last run began that has reached its end. */
  lastSuccessAt: string | null;
  lastError: string | null;
  /** A run has begun that has not reached its end. */
  isUnderWay: boolean;
  failures: number;
  /** The newest ones. */
  newestFailures: readonly JobFailure[];
}>;

type JobRow = Readonly<{
  name: string;
  due_at: Date;
  last_success_at: Date | null;
  last_error: string | null;
  cursor: string | null;
  failures: number;
}>;
type FailureRow = Readonly<{
  job: string;
  object: string;
  error: string;
  attempts: number;
  failed_at: Date;
  retry_at: Date;
}>;

const maxFailures = 20;

const jobsSql = `
  select name, due_at, last_success_at, last_error, cursor,
         (select count(*)::integer from job_failures where job = name) as failures
    from scheduled_jobs order by name`;

const failuresSql = `
  select job, object, error, attempts, failed_at, retry_at from (
    select *, row_number() over (partition by job order by failed_at desc, object) as place from job_failures) newest
   where place <= $1 order by job, place`;

/** What has become of the jobs, and of the objects in them that have failed. */
export const jobStatuses = async (pool: pg.Pool): Promise<readonly JobStatus[]> => {
  const { rows: jobs } = await pool.query<JobRow>(jobsSql);
  const { rows: failed } = await pool.query<FailureRow>(failuresSql, [maxFailures]);
  return jobs.map((job) => ({
    name: job.name,
    dueAt: job.due_at.toISOString(),
    lastSuccessAt: job.last_success_at?.toISOString() ?? null,
    lastError: job.last_error,
    isUnderWay: job.cursor !== null,
    failures: job.failures,
    newestFailures: failed
      .filter((failure) => failure.job === job.name)
      .map(({ object, error, attempts, failed_at: failedAt, retry_at: retryAt }) => ({
        object,
        error,
        attempts,
        failedAt: failedAt.toISOString(),
        retryAt: retryAt.toISOString(),
      })),
  }));
};
