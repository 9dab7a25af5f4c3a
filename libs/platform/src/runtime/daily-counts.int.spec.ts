import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { fixedClock } from '@tapedeck/kernel';
import { createLogger } from '../log.ts';
import { migrate } from '../migrations.ts';
import { testDatabases, type TestDatabases } from '../testing.ts';
import { createDailyCounter, dailyCountMigrations, dailyCounts, type DailyCounter } from './daily-counts.ts';

const logger = createLogger('test', 'silent');
const clock = fixedClock(Date.parse('2027-03-01T23:59:59Z'));

let databases: TestDatabases;
beforeAll(async () => {
  databases = await testDatabases();
  await migrate(databases.pools, dailyCountMigrations);
});
afterAll(() => databases.drop());
beforeEach(() => databases.tapedeck.query('truncate daily_counts'));

const counterOf = (writeIntervalMs: number, log = logger): DailyCounter =>
  createDailyCounter({ name: 'refused', pool: databases.tapedeck, clock, logger: log, writeIntervalMs });
const counted = async (): Promise<object> =>
  Object.fromEntries(await dailyCounts(databases.tapedeck, 'refused', '2027-01-01'));

describe('a daily counter', () => {
  it('adds what several processes count, by day in UTC, and writes the rest when it is closed', async () => {
    const [one, other] = [counterOf(60_000), counterOf(60_000)];
    one.count();
    one.count();
    other.count();
    clock.advance(2_000);
    one.count();
    expect(await counted()).toEqual({});
    await Promise.all([one.close(), other.close()]);
    expect(await counted()).toEqual({ '2027-03-01': 3, '2027-03-02': 1 });
  });

  it('writes by itself after some time', async () => {
    const counter = counterOf(5);
    counter.count();
    await eventually(async () => expect(await counted()).toEqual({ '2027-03-02': 1 }));
    await counter.close();
  });

  it('loses nothing while the table cannot be written', async () => {
    await databases.tapedeck.query('alter table daily_counts rename to elsewhere');
    const refusing = createLogger('test', 'silent');
    const warned = jest.spyOn(refusing, 'warn');
    const counter = counterOf(5, refusing);
    counter.count();
    await eventually(() => expect(warned).toHaveBeenCalled());
    counter.count();
    await databases.tapedeck.query('alter table elsewhere rename to daily_counts');
    await eventually(async () => expect(await counted()).toEqual({ '2027-03-02': 2 }));
    await counter.close();
  });
});
