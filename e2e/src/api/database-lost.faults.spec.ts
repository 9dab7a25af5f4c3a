import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { explorerRoutes } from '@tapedeck/explorer/contract';
import { favouriteRoutes } from '@tapedeck/favourites/contract';
import { newId } from '@tapedeck/kernel';
import { savedSearchRoutes } from '@tapedeck/saved-searches/contract';
import { startApiOverProxy, type ApiOverProxy } from './api-over-proxy.ts';

const queryMs = 1_000;
/** Besides the query, a connection may have to be opened first, for 5 s at most. */
const maxReadMs = queryMs + 9_000;
/** The tape tries an append again for 15 s. */
const maxWriteMs = 20_000;

const reads = [
  '/api/auth/user',
  '/api/strategies/details/Skyrex01',
  '/api/indicators',
  '/api/strategies/export-right',
  explorerRoutes.explore,
  explorerRoutes.export,
  savedSearchRoutes.searches,
  favouriteRoutes.list,
];

let api: ApiOverProxy;
beforeEach(async () => {
  api = await startApiOverProxy(queryMs);
});
afterEach(() => api.close());

type Answer = Readonly<{ status: number; code: string | undefined; ms: number }>;

const send = async (path: string, init: RequestInit = {}): Promise<Answer> => {
  const sentAt = performance.now();
  const response = await fetch(`${api.url}${path}`, {
    ...init,
    headers: { ...api.member, 'content-type': 'application/json', ...init.headers },
  });
  const text = await response.text();
  const { code } = response.ok ? {} : (JSON.parse(text) as { code?: string });
  return { status: response.status, code, ms: performance.now() - sentAt };
};

const unavailable = expect.stringMatching(/^((DATABASE|SESSIONS|TAPE)_UNAVAILABLE|APPEND_OUTCOME_UNKNOWN)$/);

/** Reads again and again while the work goes on; returns the answers that a working database does not give. */
const unusualWhile = async (work: () => Promise<void>): Promise<readonly Answer[]> => {
  const usual = new Map<string, number>();
  // The first queries, with connections that have to be opened, may take longer than they may.
  await eventually(async () => {
    for (const path of reads) usual.set(path, (await send(path)).status);
    expect([...usual.values()].filter((status) => status >= 500)).toEqual([]);
  });
  let isOver = false;
  const readOn = async (path: string): Promise<readonly Answer[]> => {
    const unusual: Answer[] = [];
    while (!isOver) {
      const answer = await send(path);
      if (answer.status !== usual.get(path)) unusual.push(answer);
    }
    return unusual;
  };
  const reading = Promise.all(reads.map(readOn));
  await work();
  isOver = true;
  const unusual = (await reading).flat();
  await eventually(async () => {
    for (const path of reads) expect((await send(path)).status).toBe(usual.get(path));
  });
  return unusual;
};

const times = 20;
const maxPauseMs = 60;

describe('a read whose connection to the database is lost', () => {
  it('is answered with 503 when the server terminates connections', async () => {
    const names = Object.values(api.databases.urls).map((url) => new URL(url).pathname.slice(1));
    const unusual = await unusualWhile(async () => {
      for (let time = 0; time < times; time++) {
        await setTimeout(Math.random() * maxPauseMs);
        await api.databases.tapedeck.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where application_name = 'tapedeck test' and datname = any($1)`,
          [names],
        );
      }
    });
    expect(unusual.length).toBeGreaterThan(0);
    for (const answer of unusual) expect(answer).toMatchObject({ status: 503, code: unavailable });
  });

  it('is answered with 503 when the network cuts connections', async () => {
    const unusual = await unusualWhile(async () => {
      for (let time = 0; time < times; time++) {
        await setTimeout(Math.random() * maxPauseMs);
        api.proxy.cut();
        await setTimeout(Math.random() * maxPauseMs);
        api.proxy.pass();
      }
    });
    expect(unusual.length).toBeGreaterThan(0);
    for (const answer of unusual) expect(answer).toMatchObject({ status: 503, code: unavailable });
  });
});

describe('a request that waits for the database', () => {
  const saveSearch = (): Promise<Answer> =>
    send(savedSearchRoutes.searches, {
      method: 'POST',
      headers: { 'idempotency-key': newId() },
      body: JSON.stringify({ name: newId(), query: 'search=macd' }),
    });

  it.each(['sessions', 'favourites', 'tape_events'])(
    'ends with 503 while the table %s is locked, and succeeds afterwards',
    async (table) => {
      await eventually(async () => expect((await saveSearch()).status).toBe(201));
      const lock = await api.databases.tapedeck.connect();
      const { rows } = await lock.query<{ name: string }>(
        `select quote_ident(relname) as name from pg_class where relkind = 'r' and relname like $1 || '%'`,
        [table],
      );
      try {
        await lock.query('begin');
        for (const { name } of rows) await lock.query(`lock table ${name} in access exclusive mode`);
        const answering = [...Array.from({ length: 12 }, () => send(favouriteRoutes.list)), saveSearch()];
        const answers = await Promise.all(answering);
        const failed = answers.filter(({ status }) => status >= 500);
        expect(failed.length).toBeGreaterThan(0);
        for (const answer of failed) expect(answer).toMatchObject({ status: 503, code: unavailable });
        for (const { ms } of answers) expect(ms).toBeLessThan(maxWriteMs);
      } finally {
        await lock.query('rollback');
        lock.release();
      }
      await eventually(async () => expect((await send(favouriteRoutes.list)).status).toBe(200));
      await eventually(async () => expect((await saveSearch()).status).toBe(201));
    },
  );

  it('ends with 503 while the server is stopped, and readiness says what is unknown', async () => {
    await send(favouriteRoutes.list);
    api.proxy.freeze();
    const answers = await Promise.all([...reads.map((path) => send(path)), saveSearch()]);
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 503, code: unavailable });
      expect(answer.ms).toBeLessThan(maxReadMs);
    }
    const ready = await fetch(`${api.url}/health/ready`, { signal: AbortSignal.timeout(maxReadMs) });
    expect(ready.status).toBe(503);
    const { checks } = (await ready.json()) as { checks: Record<string, string> };
    expect(['unknown', 'down']).toContain(checks['tapedeck']);
    expect((await send('/health/live')).status).toBe(200);
    api.proxy.pass();
    await eventually(async () => expect((await send(favouriteRoutes.list)).status).toBe(200));
  });
});
