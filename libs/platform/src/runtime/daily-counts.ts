import { messageOf, type Clock } from '@tapedeck/kernel';
import type pg from 'pg';
import type { Logger } from '../log.ts';
import type { Migration } from '../migrations.ts';
import type { Grant } from '../roles/grants.ts';

export const dailyCountMigrations: readonly Migration[] = [
  {
    id: 'platform/004-daily-counts',
    database: 'tapedeck',
    sql: `
create table daily_counts (
  name  text not null,
  day   date not null,
  count bigint not null,
  primary key (name, day)
);
`,
  },
];

export const dailyCountGrants: readonly Grant[] = [
  { database: 'tapedeck', on: 'table daily_counts', api: 'select, insert, update' },
];

const addSql = `
  insert into daily_counts (name, day, count) values ($1, $2, $3)
  on conflict (name, day) do update set count = daily_counts.count + excluded.count`;

export type DailyCounter = Readonly<{
  /** Adds one to the current day, in UTC. */
  count: () => void;
  /** Writes what is not written yet. */
  close: () => Promise<void>;
}>;

export type DailyCounterOptions = Readonly<{
  /** Never changes. */
  name: string;
  pool: pg.Pool;
  clock: Clock;
  logger: Logger;
  writeIntervalMs?: number;
}>;

const defaultWriteIntervalMs = 1_000;

/**
 * Counts what happens at the edge of the product, by all processes together. A client that causes it cannot cause writes: they
 * are made once a second, so a process that is killed loses the counts of a second.
 *
 * @example
 * const refused = createDailyCounter({ name: 'webhook-signature-invalid', pool, clock, logger });
 * refused.count();
 */
export const createDailyCounter = (options: DailyCounterOptions): DailyCounter => {
  const { name, pool, clock, logger, writeIntervalMs = defaultWriteIntervalMs } = options;
  const unwritten = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let writing: Promise<void> = Promise.resolve();

  const add = (day: string, count: number): void => {
    unwritten.set(day, (unwritten.get(day) ?? 0) + count);
  };
  const writeAll = async (): Promise<void> => {
    const counts = [...unwritten];
    for (const [day, count] of counts) {
      unwritten.delete(day);
      try {
        await pool.query(addSql, [name, day, count]);
      } catch (error) {
        add(day, count);
        logger.warn(
          { name, error: messageOf(error) },
          'counts could not be written and will be written later',
        );
        return;
      }
    }
  };
  const write = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    await writeAll();
    if (unwritten.size > 0) writeSoon();
  };
  const writeSoon = (): void => {
    if (isClosed) return;
    timer ??= setTimeout(writeAfterOthers, writeIntervalMs).unref();
  };

  const writeAfterOthers = (): void => {
    writing = writing.then(write);
  };

  return {
    count: () => {
      add(new Date(clock.now()).toISOString().slice(0, 10), 1);
      writeSoon();
    },
    close: async () => {
      isClosed = true;
      writeAfterOthers();
      await writing;
    },
  };
};

/** The counts by day, an ISO 8601 date, from the given one on; days without any are missing. */
export const dailyCounts = async (
  pool: pg.Pool,
  name: string,
  fromDay: string,
): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await pool.query<{ day: string; count: string }>(
    `select to_char(day, 'YYYY-MM-DD') as day, count from daily_counts where name = $1 and day >= $2::date`,
    [name, fromDay],
  );
  return new Map(rows.map(({ day, count }) => [day, Number(count)]));
};
