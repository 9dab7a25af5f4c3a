import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { favouriteRoutes } from '@tapedeck/favourites/contract';
import { newId } from '@tapedeck/kernel';
import { savedSearchRoutes } from '@tapedeck/saved-searches/contract';
import { startApiOverProxy, type ApiOverProxy } from './api-over-proxy.ts';

const queryMs = 8_000;

let api: ApiOverProxy;
beforeEach(async () => {
  api = await startApiOverProxy(queryMs, { DATABASE_REQUESTS_PER_CLIENT: '4' });
});
afterEach(() => api.close());

type Headers = ApiOverProxy['member'];
type Answer = Readonly<{ status: number; code: string | undefined; ms: number }>;

const get = async (path: string, headers: Headers): Promise<Answer> => {
  const sentAt = performance.now();
  const response = await fetch(`${api.url}${path}`, { headers });
  const text = await response.text();
  const { code } = response.ok ? {} : (JSON.parse(text) as { code?: string });
  return { status: response.status, code, ms: performance.now() - sentAt };
};

/** Runs the work while every query of favourites waits for a lock. */
const whileLocked = async (work: () => Promise<void>): Promise<void> => {
  const lock = await api.databases.tapedeck.connect();
  const { rows } = await lock.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relkind = 'r' and relname like 'favourites%'`,
  );
  try {
    await lock.query('begin');
    for (const { name } of rows) await lock.query(`lock table ${name} in access exclusive mode`);
    await work();
  } finally {
    await lock.query('rollback');
    lock.release();
  }
};

const untilWaiting = (count: number): Promise<void> =>
  eventually(async () => {
    const { rows } = await api.databases.tapedeck.query<{ count: string }>(
      `select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    );
    expect(Number(rows[0]?.count)).toBeGreaterThanOrEqual(count);
  });

const favouritesOf = (members: readonly Headers[]): readonly Promise<Answer>[] =>
  members.flatMap((member) => Array.from({ length: 20 }, () => get(favouriteRoutes.list, member)));

describe('connections to the database', () => {
  it('are left to other members while the queries of one member hang', async () => {
    const other = await api.signIn();
    expect((await get(savedSearchRoutes.searches, other)).status).toBe(200);
    await whileLocked(async () => {
      const hanging = Promise.all(favouritesOf([api.member]));
      await untilWaiting(4);
      for (let time = 0; time < 20; time++) {
        const answer = await get(savedSearchRoutes.searches, other);
        expect(answer).toMatchObject({ status: 200 });
        expect(answer.ms).toBeLessThan(queryMs / 2);
      }
      const busy = (await hanging).filter(({ code }) => code === 'DATABASE_BUSY');
      expect(busy.length).toBeGreaterThanOrEqual(12);
      for (const { ms } of busy) expect(ms).toBeLessThan(queryMs);
    });
    const afterwards = await Promise.all(favouritesOf([api.member]));
    expect(new Set(afterwards.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('are waited for only briefly when all are in use, and are there again afterwards', async () => {
    const other = await api.signIn();
    const members = await Promise.all(Array.from({ length: 3 }, () => api.signIn()));
    await whileLocked(async () => {
      const hanging = Promise.all(favouritesOf(members));
      await untilWaiting(10);
      const answer = await get(savedSearchRoutes.searches, other);
      expect(answer).toMatchObject({ status: 503, code: expect.stringMatching(/_UNAVAILABLE$/) });
      expect(answer.ms).toBeLessThan(queryMs);
      for (const { status } of await hanging) expect(status).toBe(503);
    });
    await eventually(async () => expect((await get(savedSearchRoutes.searches, other)).status).toBe(200));
  });

  it('are free again after requests of a client that left while they waited', async () => {
    const leaving = new AbortController();
    const { signal } = leaving;
    await whileLocked(async () => {
      const abandoned = Array.from({ length: 20 }, () =>
        fetch(`${api.url}${favouriteRoutes.list}`, { headers: api.member, signal }).catch(() => undefined),
      );
      await untilWaiting(4);
      leaving.abort();
      await Promise.all(abandoned);
    });
    for (let time = 0; time < 20; time++) {
      expect((await get(favouriteRoutes.list, api.member)).status).toBe(200);
    }
  });
});

describe('many requests of one member at once', () => {
  it('are executed each as itself, also those that have waited for others', async () => {
    const names = Array.from({ length: 16 }, (_, at) => `Search ${at}`);
    const save = (name: string): Promise<Response> =>
      fetch(`${api.url}${savedSearchRoutes.searches}`, {
        method: 'POST',
        headers: { ...api.member, 'content-type': 'application/json', 'idempotency-key': newId() },
        body: JSON.stringify({ name, query: '' }),
      });
    const answers = await Promise.all(names.map(save));
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 201));
    const saved = await Promise.all(answers.map((answer) => answer.json()));
    expect(saved).toEqual(names.map((name) => expect.objectContaining({ name })));
  });
});
