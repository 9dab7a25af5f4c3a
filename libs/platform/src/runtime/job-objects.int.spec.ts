import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DomainError, fixedClock } from '@tapedeck/kernel';
import { createLogger } from '../log.ts';
import { migrate } from '../migrations.ts';
import { testDatabases, type TestDatabases } from '../testing.ts';
import { jobObjects, type JobObjects } from './job-objects.ts';
import { jobStatuses } from './job-status.ts';
import { scheduleMigrations, startSchedule, type Job } from './schedule.ts';
import { eventually } from '@tapedeck/eventing/testing';

const logger = createLogger('test', 'silent');
const begin = Date.parse('2027-03-01T00:00:00Z');
const minuteMs = 60_000;

let databases: TestDatabases;
beforeAll(async () => {
  databases = await testDatabases();
  await migrate(databases.pools, scheduleMigrations);
});
afterAll(() => databases.drop());
beforeEach(() => databases.tapedeck.query('truncate scheduled_jobs, job_failures'));

const objectsAt = (clock: ReturnType<typeof fixedClock>): Promise<JobObjects> =>
  jobObjects({ job: 'sweep', pool: databases.tapedeck, clock, logger });

const fails = () => Promise.reject(new Error('it has no price'));
const isAway = () =>
  Promise.reject(new DomainError('unavailable', 'AWAY', 'The other side does not answer.'));
const works = () => Promise.resolve();

describe('the objects of a job', () => {
  it('are handled although one of them fails, which is tried again after growing pauses until it succeeds', async () => {
    const clock = fixedClock(begin);
    const handled: string[] = [];
    const objects = await objectsAt(clock);
    for (const id of ['a', 'b', 'c'])
      await objects.handle(id, () => (id === 'b' ? fails() : works().then(() => void handled.push(id))));
    expect(handled).toEqual(['a', 'c']);
    expect(await objects.due()).toEqual([]);
    clock.advance(5 * minuteMs);
    // Another process.
    const later = await objectsAt(clock);
    expect(await later.due()).toEqual(['b']);
    await later.handle('b', fails);
    clock.advance(9 * minuteMs);
    expect(await later.due()).toEqual([]);
    clock.advance(minuteMs);
    expect(await later.due()).toEqual(['b']);
    await later.handle('b', works);
    clock.advance(100 * minuteMs);
    expect(await later.due()).toEqual([]);
  });

  it('are tried again a day later at the latest', async () => {
    const clock = fixedClock(begin);
    const objects = await objectsAt(clock);
    for (let attempt = 0; attempt < 40; attempt++) await objects.handle('a', fails);
    clock.advance(24 * 60 * minuteMs);
    expect(await objects.due()).toEqual(['a']);
  });

  it('are tried again at once when they have failed by a clock that was ahead', async () => {
    const clock = fixedClock(begin + 365 * 24 * 60 * minuteMs);
    const objects = await objectsAt(clock);
    await objects.handle('a', fails);
    expect(await objects.due()).toEqual([]);
    clock.advance(begin - clock.now());
    expect(await objects.due()).toEqual(['a']);
    await objects.handle('a', fails);
    expect(await objects.due()).toEqual([]);
  });

  it('end the run when five in a row are unavailable', async () => {
    const objects = await objectsAt(fixedClock(begin));
    for (const id of ['a', 'b', 'c', 'd']) await objects.handle(id, isAway);
    await objects.handle('e', fails);
    for (const id of ['f', 'g', 'h', 'i']) await objects.handle(id, isAway);
    await expect(objects.handle('j', isAway)).rejects.toThrow('does not answer');
  });
});

describe('the status of a job', () => {
  it('has the last complete run, whether one is under way, and what has failed in it', async () => {
    const clock = fixedClock(begin);
    const stop = new AbortController();
    let cursors: readonly (string | null)[] = [];
    const job: Job = {
      name: 'sweep',
      intervalMs: 60 * minuteMs,
      run: async ({ cursor, saveCursor }) => {
        cursors = [...cursors, cursor];
        await (await objectsAt(clock)).handle('b', fails);
        if (cursors.length > 1) return;
        await saveCursor('b');
        throw new Error('the other side is away');
      },
    };
    const running = startSchedule({
      pool: databases.tapedeck,
      jobs: [job],
      clock,
      logger,
      signal: stop.signal,
      pollIntervalMs: 10,
    });
    const status = async () => (await jobStatuses(databases.tapedeck))[0];
    await eventually(async () =>
      expect(await status()).toMatchObject({
        isUnderWay: true,
        lastSuccessAt: null,
        lastError: 'the other side is away',
        failures: 1,
        newestFailures: [{ object: 'b', error: 'it has no price', attempts: 1 }],
      }),
    );
    clock.advance(minuteMs);
    await eventually(async () =>
      expect(await status()).toMatchObject({
        isUnderWay: false,
        lastError: null,
        lastSuccessAt: new Date(begin + minuteMs).toISOString(),
      }),
    );
    stop.abort();
    await running;
    expect(cursors).toEqual([null, 'b']);
  });
});
