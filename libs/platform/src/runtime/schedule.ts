import { once, setMaxListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { messageOf, type Clock } from '@tapedeck/kernel';
import type pg from 'pg';
import type { Logger } from '../log.ts';
import type { Migration } from '../migrations.ts';
import type { Grant } from '../roles/grants.ts';
import { tryAdvisoryLock } from './advisory-lock.ts';

/** Work that is repeated at intervals by one of the processes that know it. */
export type Job = Readonly<{
  /** Never changes. */
  name: string;
  intervalMs: number;
  /** A run that ends after its signal was aborted has not succeeded, and is repeated. */
  run: (context: JobContext) => Promise<void>;
}>;

export type JobContext = Readonly<{
  now: string;
  /** When the last run that succeeded began; null before the first one, and where a wrong clock has said it. ISO 8601 UTC. */
  lastSuccessAt: string | null;
  /** How far the run before this one came, which did not reach its end; null for a new run. */
  cursor: string | null;
  saveCursor: (cursor: string) => Promise<void>;
  signal: AbortSignal;
}>;

export type ScheduleOptions = Readonly<{
  pool: pg.Pool;
  jobs: readonly Job[];
  clock: Clock;
  logger: Logger;
  signal: AbortSignal;
  pollIntervalMs?: number;
}>;

export const scheduleMigrations: readonly Migration[] = [
  {
    id: 'platform/002-scheduled-jobs',
    database: 'tapedeck',
    sql: `
create table scheduled_jobs (
  name            text primary key,
  due_at          timestamptz not null,
  last_success_at timestamptz,
  last_error      text
);
`,
  },
  {
    id: 'platform/003-jobs-of-many-objects',
    database: 'tapedeck',
    sql: `
alter table scheduled_jobs add column cursor text;
create table job_failures (
  job       text not null,
  object    text not null,
  error     text not null,
  attempts  integer not null,
  failed_at timestamptz not null,
  retry_at  timestamptz not null,
  primary key (job, object)
);
`,
  },
];

export const scheduleGrants: readonly Grant[] = [
  {
    database: 'tapedeck',
    on: 'table scheduled_jobs',
    api: 'select',
    projector: 'select, insert, update',
  },
  {
    database: 'tapedeck',
    on: 'table job_failures',
    api: 'select',
    projector: 'select, insert, update, delete',
  },
];

const defaultPollIntervalMs = 1_000;
const maxRetryMs = 60_000;

type JobRow = Readonly<{ due_at: Date; last_success_at: Date | null; cursor: string | null }>;

/** The clocks of processes that run well differ by less. */
const maxClockDifferenceMs = 5 * 60_000;

/** A job as one process sees it. */
type OwnJob = Readonly<{
  job: Job;
  /** When this process has begun it last, by its own clock. */
  ranAt: number | undefined;
}>;

/** No run can have left a date so far ahead: it says nothing of when the job is due. */
const isOfWrongClock = ({ due_at }: JobRow, { intervalMs }: Job, now: number): boolean =>
  due_at.getTime() > now + intervalMs + maxClockDifferenceMs;

/** Where two clocks stay apart, a process takes the other one's date for wrong once per interval, and not at each poll. */
const isDue = (row: JobRow | undefined, { job, ranAt }: OwnJob, { clock }: ScheduleOptions): boolean => {
  const now = clock.now();
  if (row === undefined || row.due_at.getTime() <= now) return true;
  const wasLongAgo = ranAt === undefined || ranAt > now || ranAt + job.intervalMs <= now;
  return wasLongAgo && isOfWrongClock(row, job, now);
};

const lastSuccessBefore = (row: JobRow | undefined, now: number): string | null => {
  const last = row?.last_success_at ?? null;
  return last === null || last.getTime() > now ? null : last.toISOString();
};

const rowOf = async (pool: pg.Pool, name: string): Promise<JobRow | undefined> =>
  (
    await pool.query<JobRow>('select due_at, last_success_at, cursor from scheduled_jobs where name = $1', [
      name,
    ])
  ).rows[0];

/** A run that has reached its end leaves no cursor. */
const saveSql = `
  insert into scheduled_jobs (name, due_at, last_success_at, last_error) values ($1, $2, $3, $4)
  on conflict (name) do update set due_at = excluded.due_at, last_error = excluded.last_error,
    last_success_at = coalesce(excluded.last_success_at, scheduled_jobs.last_success_at),
    cursor = case when excluded.last_success_at is null then scheduled_jobs.cursor end`;

const saveCursorSql = `
  insert into scheduled_jobs (name, due_at, cursor) values ($1, $2, $3)
  on conflict (name) do update set cursor = excluded.cursor`;

/** With a signal that is aborted when another process may run the job, too. */
const runDue = async (own: OwnJob, options: ScheduleOptions, signal: AbortSignal): Promise<void> => {
  const { pool, clock, logger } = options;
  const { job } = own;
  const { name, intervalMs } = job;
  const row = await rowOf(pool, name);
  // Another process may have run it meanwhile.
  if (!isDue(row, own, options)) return;
  const beganAt = clock.now();
  const now = new Date(beganAt).toISOString();
  if (row && isOfWrongClock(row, job, beganAt))
    logger.warn({ job: name, dueAt: row.due_at }, 'a clock was wrong when a job was planned: it runs now');
  try {
    await job.run({
      now,
      lastSuccessAt: lastSuccessBefore(row, beganAt),
      cursor: row?.cursor ?? null,
      saveCursor: async (cursor) => void (await pool.query(saveCursorSql, [name, new Date(beganAt), cursor])),
      signal,
    });
    // One that ends because of its signal has not done everything.
    if (signal.aborted) return;
    // From the beginning: what changed while the job was running may have come too late for it.
    await pool.query(saveSql, [name, new Date(beganAt + intervalMs), now, null]);
  } catch (error) {
    if (signal.aborted) return;
    logger.warn({ err: error, job: name }, 'a scheduled job failed and will be repeated');
    const message = messageOf(error).slice(0, 1_000);
    const retryAt = new Date(clock.now() + Math.min(intervalMs, maxRetryMs));
    await pool.query(saveSql, [name, retryAt, null, message]);
  }
};

/** What a job may still do after its process has begun to stop. */
const stopMs = 2_000;

/** Resolves some time after the first signal was aborted, unless the second one is before. */
const stopped = async (signal: AbortSignal, ended: AbortSignal): Promise<void> => {
  if (!signal.aborted) await once(signal, 'abort', { signal: ended });
  await setTimeout(stopMs, undefined, { signal: ended });
};

/** Whether this process had the lock. */
const runWithLock = async (own: OwnJob, options: ScheduleOptions): Promise<boolean> => {
  const { pool, signal } = options;
  const lock = await tryAdvisoryLock(pool, { of: 'job', name: own.job.name }, signal);
  if (!lock) return false;
  const ended = new AbortController();
  try {
    await Promise.race([runDue(own, options, lock.signal), stopped(signal, ended.signal)]);
  } finally {
    ended.abort();
    await lock.release();
  }
  return true;
};

const runJob = async (job: Job, options: ScheduleOptions): Promise<void> => {
  const { pool, clock, logger, signal, pollIntervalMs = defaultPollIntervalMs } = options;
  let ranAt: number | undefined;
  while (!signal.aborted) {
    try {
      const own = { job, ranAt };
      const now = clock.now();
      if (isDue(await rowOf(pool, job.name), own, options) && (await runWithLock(own, options))) ranAt = now;
    } catch (error) {
      logger.warn({ err: error, job: job.name }, 'a scheduled job could not be begun');
    }
    await setTimeout(pollIntervalMs, undefined, { signal }).catch(() => undefined);
  }
};

/**
 * Runs each job when its time has come by the clock: once however far the clock has jumped, also back, and in one process at a
 * time.
 * The returned promise resolves when the signal has ended them all.
 *
 * @example
 * const jobs = startSchedule({ pool: databases.tapedeck, jobs: paymentJobs(ports), clock, logger, signal });
 * await jobs;
 */
export const startSchedule = async (options: ScheduleOptions): Promise<void> => {
  // Each job listens to it.
  setMaxListeners(0, options.signal);
  await Promise.all(options.jobs.map((job) => runJob(job, options)));
};
