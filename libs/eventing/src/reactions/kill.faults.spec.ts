import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createPostgresEventStore } from '../adapters/postgres.ts';
import type { EventStore } from '../event-store.ts';
import { pendingEvents, type ReactionPoint } from '../reactions.ts';
import { eventually } from '../testing/eventually.ts';
import { noted, numberOf, sampleReactionTypes } from '../testing/sample-counters.ts';
import { testDatabase, type TestDatabase } from '../testing/test-database.ts';

const program = fileURLToPath(new URL('../../dist/testing/reaction-process.js', import.meta.url));

type Outcome = Readonly<{
  /** What the reaction, the effect and the due dates have recorded. */
  reacted: readonly number[];
  called: readonly number[];
  due: readonly number[];
  /** What the service outside has done. */
  outside: readonly number[];
  /** Whether the reaction's checkpoint contains the events. */
  handled: boolean;
  /** Events that the effect has to handle. */
  pending: number;
}>;

const finished: Outcome = {
  reacted: [1, 2, 3],
  called: [1, 2, 3],
  due: [3, 13, 23, 33],
  outside: [1, 2, 3],
  handled: true,
  pending: 0,
};

/** What a process has done of three events of one key, when it dies at the point. */
const atPoint: Readonly<Record<ReactionPoint, Partial<Outcome>>> = {
  'page-read': { reacted: [], handled: false },
  'page-handled': { reacted: [1, 2, 3], handled: false },
  'taken-in': { outside: [], called: [], pending: 3 },
  'effect-ran': { outside: [1], called: [], pending: 3 },
  'effect-recorded': { outside: [1], called: [1], pending: 3 },
  'due-sent': { due: [3] },
};
const points = Object.keys(atPoint) as readonly ReactionPoint[];

describe('a process that is killed', () => {
  let database: TestDatabase;
  let store: EventStore;
  const processes: ChildProcess[] = [];
  beforeAll(async () => {
    database = await testDatabase();
    store = createPostgresEventStore({ pool: database.pool, types: sampleReactionTypes });
    await database.pool.query(
      'create table outside_work (key text primary key, stream text, n integer, calls integer not null default 1)',
    );
  });
  afterEach(async () => {
    await Promise.all(processes.splice(0).map(kill));
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  const start = (stopAt?: ReactionPoint): ChildProcess => {
    const child = spawn(process.execPath, ['--enable-source-maps', program], {
      env: {
        ...process.env,
        DATABASE_URL: database.url,
        ...(stopAt === undefined ? {} : { STOP_AT: stopAt }),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    processes.push(child);
    return child;
  };
  const kill = async (child: ChildProcess): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  const numbersIn = async (stream: string): Promise<readonly number[]> =>
    (await store.readStream(stream)).map(numberOf);

  const outcomeOf = async (name: string): Promise<Outcome> => {
    const { pool } = database;
    const stream = `note-${name}`;
    const [last] = (await store.readStream(stream)).slice(-1);
    const outside = await pool.query<{ n: number }>(
      'select n from outside_work where stream = $1 order by n',
      [stream],
    );
    const handled = await pool.query(
      `select from projection_checkpoints where projection = 'counting' and position >= $1`,
      [String(last?.position)],
    );
    return {
      reacted: await numbersIn(`reacted-${name}`),
      called: await numbersIn(`called-${name}`),
      due: await numbersIn(`count-${name}`),
      outside: outside.rows.map(({ n }) => n),
      handled: handled.rowCount === 1,
      pending: (await pendingEvents(pool, { reaction: 'calling', stream })).length,
    };
  };

  it.each(points)(
    'at the point %s leaves to its successor all that it has not done, and nothing twice',
    async (point) => {
      await store.append(`note-${point}`, 'NO_STREAM', [noted(1), noted(2), noted(3)]);
      const first = start(point);
      const [announced] = (await once(first.stdout ?? first, 'data')) as [Buffer];
      expect(announced.toString()).toContain(point);
      await kill(first);
      expect(await outcomeOf(point)).toMatchObject(atPoint[point]);
      start();
      await eventually(async () => expect(await outcomeOf(point)).toEqual(finished));
    },
  );

  it('leaves the same state as one that was not', async () => {
    await store.append('note-unharmed', 'NO_STREAM', [noted(1), noted(2), noted(3)]);
    start();
    await eventually(async () => expect(await outcomeOf('unharmed')).toEqual(finished));
  });
});
