import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { newId } from '@tapedeck/kernel';
import pg from 'pg';
import { tryAdvisoryLock, type AdvisoryLock, type LockName } from './advisory-lock.ts';
import { testDatabases, type TestDatabases } from '../testing.ts';

const times = { heartbeatMs: 50, answerWithinMs: 400, lapseAfterMs: 1_000 };

/** A way to the database that can stop to carry bytes without closing a connection, as a host without power does. */
type Line = Readonly<{ pool: pg.Pool; freeze: () => void; cut: () => void; close: () => Promise<void> }>;

const openLine = async (url: string): Promise<Line> => {
  const sockets = new Set<Socket>();
  const { hostname, port } = new URL(url);
  const server: Server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const throughServer = new URL(url);
  throughServer.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const pool = new pg.Pool({ connectionString: throughServer.href });
  pool.on('error', () => undefined);
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    pool,
    freeze: () => {
      for (const socket of sockets) socket.unpipe().pause();
    },
    cut,
    close: async () => {
      cut();
      server.close();
      await pool.end();
    },
  };
};

let databases: TestDatabases;
let lines: Line[] = [];
const never = new AbortController().signal;

const newLine = async (): Promise<Line> => {
  const line = await openLine(databases.urls.tapedeck);
  lines.push(line);
  return line;
};
const newName = (): LockName => ({ of: 'job', name: newId() });
const acquired = async (pool: pg.Pool, name: LockName): Promise<AdvisoryLock> => {
  const lock = await tryAdvisoryLock(pool, name, never, times);
  if (!lock) throw new Error(`The lock ${name.name} is held by somebody else.`);
  return lock;
};

beforeAll(async () => {
  databases = await testDatabases();
});
afterEach(async () => {
  await Promise.all(lines.map((line) => line.close()));
  lines = [];
});
afterAll(() => databases.drop());

describe('a lock of a session', () => {
  it('sends no query while one has no answer, however slow the server is', async () => {
    const waiting = new Map<pg.ClientBase, number>();
    let most = 0;
    const original = pg.Client.prototype.query;
    const query = jest.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
      this: pg.Client,
      ...args: unknown[]
    ) {
      waiting.set(this, (waiting.get(this) ?? 0) + 1);
      most = Math.max(most, waiting.get(this) ?? 0);
      const answer: unknown = Reflect.apply(original, this, args);
      const answered = () => waiting.set(this, (waiting.get(this) ?? 0) - 1);
      if (answer instanceof Promise) void answer.then(answered, answered);
      return answer as undefined;
    });
    const name = newName();
    const held = await tryAdvisoryLock(databases.tapedeck, name, never, { ...times, heartbeatMs: 1 });
    const other = await databases.tapedeck.connect();
    for (let n = 0; n < 50; n++) await other.query('select 1');
    other.release();
    await held?.release();
    query.mockRestore();
    expect(held).not.toBeNull();
    expect(most).toBe(1);
  });

  it('is free for another process when its holder no longer answers, and the holder has noticed that before', async () => {
    const name = newName();
    const line = await newLine();
    const held = await acquired(line.pool, name);
    line.freeze();
    await eventually(async () => {
      const next = await acquired(databases.tapedeck, name);
      expect(held.signal.aborted).toBe(true);
      await next.release();
    });
    await held.release();
  });

  it('stays with a holder that answers, however long it holds it', async () => {
    const name = newName();
    const line = await newLine();
    const held = await acquired(line.pool, name);
    await eventually(async () => {
      const { rows } = await databases.tapedeck.query<{ seconds: number }>(
        `select extract(epoch from a.state_change - a.backend_start)::float8 as seconds
           from pg_locks l join pg_stat_activity a using (pid)
          where l.locktype = 'advisory' and l.objid = (hashtext($1)::bigint & 4294967295)::oid and a.datname = current_database()`,
        [name.name],
      );
      expect(rows[0]?.seconds).toBeGreaterThan((3 * times.lapseAfterMs) / 1_000);
    });
    expect(held.signal.aborted).toBe(false);
    expect(await tryAdvisoryLock(databases.tapedeck, name, never, times)).toBeNull();
    await held.release();
    const next = await acquired(databases.tapedeck, name);
    await next.release();
  });

  it('is lost with its connection', async () => {
    const name = newName();
    const line = await newLine();
    const held = await acquired(line.pool, name);
    line.cut();
    await eventually(() => expect(held.signal.aborted).toBe(true));
    await held.release();
    await eventually(async () => (await acquired(databases.tapedeck, name)).release());
  });
});
