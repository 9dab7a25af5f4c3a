import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { fixedClock } from '@tapedeck/kernel';
import { createLogger } from '../log.ts';
import { migrate } from '../migrations.ts';
import { scheduleMigrations, startSchedule, type Job } from './schedule.ts';
import { testDatabases, type TestDatabases } from '../testing.ts';

const hourMs = 3_600_000;
const begin = Date.parse('2027-03-01T00:00:00Z');
const logger = createLogger('test', 'silent');

let databases: TestDatabases;
beforeAll(async () => {
  databases = await testDatabases();
  await migrate(databases.pools, scheduleMigrations);
});
afterAll(() => databases.drop());
beforeEach(() => databases.tapedeck.query('truncate scheduled_jobs'));

type Run = Readonly<{ now: string; lastSuccessAt: string | null }>;

const recordingJob = (runs: Run[], fails: () => boolean = () => false): Job => ({
  name: 'sweep',
  intervalMs: hourMs,
  run: async ({ now, lastSuccessAt }) => {
    runs.push({ now, lastSuccessAt });
    if (fails()) throw new Error('the other side does not answer');
  },
});

const processes = (count: number, job: Job, clock: { now: () => number }) => {
  const stop = new AbortController();
  const { signal } = stop;
  const running = Array.from({ length: count }, () =>
    startSchedule({ pool: databases.tapedeck, jobs: [job], clock, logger, signal, pollIntervalMs: 10 }),
  );
  return async (): Promise<void> => {
    stop.abort();
    await Promise.all(running);
  };
};

const dueAt = async (): Promise<string | undefined> =>
  (
    await databases.tapedeck.query<{ due_at: Date }>('select due_at from scheduled_jobs')
  ).rows[0]?.due_at.toISOString();

describe('startSchedule', () => {
  it('runs a job once per interval, in one of several processes, and once after a long jump of the clock', async () => {
    const clock = fixedClock(begin);
    const runs: Run[] = [];
    const stop = processes(3, recordingJob(runs), clock);
    await eventually(async () => expect(await dueAt()).toBe('2027-03-01T01:00:00.000Z'));
    clock.advance(40 * 24 * hourMs);
    await eventually(async () => expect(await dueAt()).toBe('2027-04-10T01:00:00.000Z'));
    await stop();
    expect(runs).toEqual([
      { now: '2027-03-01T00:00:00.000Z', lastSuccessAt: null },
      { now: '2027-04-10T00:00:00.000Z', lastSuccessAt: '2027-03-01T00:00:00.000Z' },
    ]);
  });

  it('is due again one interval after a run began, however far the clock moved while it was running', async () => {
    const clock = fixedClock(begin);
    const runs: Run[] = [];
    const job = recordingJob(runs);
    const slow: Job = {
      ...job,
      run: async (context) => {
        await job.run(context);
        if (runs.length === 1) clock.advance(24 * hourMs);
      },
    };
    const stop = processes(1, slow, clock);
    await eventually(async () => expect(await dueAt()).toBe('2027-03-02T01:00:00.000Z'));
    await stop();
    expect(runs.map(({ now }) => now)).toEqual(['2027-03-01T00:00:00.000Z', '2027-03-02T00:00:00.000Z']);
  });

  it('runs a job at once when the clock was ahead and is corrected, and gives it no time of that clock', async () => {
    const clock = fixedClock(begin + 365 * 24 * hourMs);
    const runs: Run[] = [];
    const stop = processes(2, recordingJob(runs), clock);
    await eventually(async () => expect(await dueAt()).toBe('2028-02-29T01:00:00.000Z'));
    clock.advance(-365 * 24 * hourMs);
    await eventually(async () => expect(await dueAt()).toBe('2027-03-01T01:00:00.000Z'));
    clock.advance(hourMs);
    await eventually(async () => expect(await dueAt()).toBe('2027-03-01T02:00:00.000Z'));
    await stop();
    expect(runs).toEqual([
      { now: '2028-02-29T00:00:00.000Z', lastSuccessAt: null },
      { now: '2027-03-01T00:00:00.000Z', lastSuccessAt: null },
      { now: '2027-03-01T01:00:00.000Z', lastSuccessAt: '2027-03-01T00:00:00.000Z' },
    ]);
  });

  it.each([
    ['not again for a process whose clock is some minutes behind', 4 * 60_000, 1],
    ['at most twice more in an interval when two clocks stay a day apart', 24 * hourMs, 3],
  ])('runs a job %s', async (_, behindMs, maxRuns) => {
    const runs: Run[] = [];
    const stopAhead = processes(1, recordingJob(runs), { now: () => begin + behindMs });
    await eventually(async () => expect(await dueAt()).toBeDefined());
    let polls = 0;
    const stopBehind = processes(1, recordingJob(runs), {
      now: () => {
        polls += 1;
        return begin;
      },
    });
    await eventually(() => expect(polls).toBeGreaterThan(100));
    await Promise.all([stopAhead(), stopBehind()]);
    expect(runs.length).toBeLessThanOrEqual(maxRuns);
  });

  it('repeats a job that fails within a minute, and tells it when it last succeeded', async () => {
    const clock = fixedClock(begin);
    const runs: Run[] = [];
    let isDown = true;
    const stop = processes(
      1,
      recordingJob(runs, () => isDown),
      clock,
    );
    await eventually(async () => expect(await dueAt()).toBe('2027-03-01T00:01:00.000Z'));
    isDown = false;
    clock.advance(60_000);
    await eventually(async () => expect(await dueAt()).toBe('2027-03-01T01:01:00.000Z'));
    await stop();
    expect(runs.map(({ lastSuccessAt }) => lastSuccessAt)).toEqual([null, null]);
  });

  it('repeats a job whose process was stopped while it ran, as if that run had never been', async () => {
    const clock = fixedClock(begin);
    const runs: Run[] = [];
    let setBegun = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      setBegun = resolve;
    });
    const stopped: Job = {
      ...recordingJob(runs),
      run: async ({ signal }) => {
        setBegun();
        if (!signal.aborted) await once(signal, 'abort');
      },
    };
    const stop = processes(1, stopped, clock);
    await begun;
    await stop();
    expect(await dueAt()).toBeUndefined();
    const stopAgain = processes(1, recordingJob(runs), clock);
    await eventually(async () => expect(await dueAt()).toBe('2027-03-01T01:00:00.000Z'));
    await stopAgain();
    expect(runs.map(({ lastSuccessAt }) => lastSuccessAt)).toEqual([null]);
  });

  it('ends a job whose process has lost its connection, and runs it in another one', async () => {
    const clock = fixedClock(begin);
    const outcomes: string[] = [];
    const job: Job = {
      name: 'sweep',
      intervalMs: hourMs,
      run: async ({ signal }) => {
        if (outcomes.push('begun') > 1) return;
        await databases.tapedeck.query(
          `select pg_terminate_backend(pid) from pg_locks
            where locktype = 'advisory' and objid = (hashtext('sweep')::bigint & 4294967295)::oid`,
        );
        if (!signal.aborted) await once(signal, 'abort');
        outcomes.push('aborted');
        signal.throwIfAborted();
      },
    };
    const stop = processes(2, job, clock);
    await eventually(async () => expect(await dueAt()).toBe('2027-03-01T01:00:00.000Z'));
    await stop();
    expect(outcomes.toSorted()).toEqual(['aborted', 'begun', 'begun']);
  });
});
