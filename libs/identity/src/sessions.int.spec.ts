import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { accountId, derivedId, fixedClock } from '@tapedeck/kernel';
import { migrate } from '@tapedeck/platform/migrations';
import { testDatabases, type TestDatabases } from '@tapedeck/platform/testing';
import type { Browser } from '@tapedeck/sandbox/testing';
import type { Session } from 'fastify';
import { identityMigrations } from './projections.ts';
import { createSessionStore, pruneSessions, type SessionUser } from './sessions/session-store.ts';
import { signedInBrowser, startSignInEnvironment, type SignInEnvironment } from './testing/test-sign-in.ts';
import type { TestApi } from './testing/test-api.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const member: SessionUser = { accountId: accountId(derivedId('member')), roles: [], idToken: null };

describe('a session', () => {
  const clock = fixedClock(Date.UTC(2026, 0, 1));
  let databases: TestDatabases;
  let store: ReturnType<typeof createSessionStore>;

  beforeAll(async () => {
    databases = await testDatabases();
    await migrate(databases.pools, identityMigrations);
    store = createSessionStore(databases.tapedeck, clock);
  });
  afterAll(() => databases.drop());

  const keep = (id: string, user: SessionUser): Promise<void> =>
    new Promise((resolve, reject) => {
      store.set(id, { passport: { user } } as Session, (error) => (error ? reject(error) : resolve()));
    });
  const userOf = (id: string): Promise<SessionUser | undefined> =>
    new Promise((resolve, reject) => {
      store.get(id, (error, session) => (error ? reject(error) : resolve(session?.passport?.user)));
    });
  const seenAt = async (): Promise<number> => {
    const { rows } = await databases.tapedeck.query<{ seen_at: Date }>('select seen_at from sessions');
    return rows[0]?.seen_at.getTime() ?? 0;
  };

  it.each([
    ['a member', [], 7 * day, 30 * day],
    ['an admin', ['admin'], 30 * minute, 12 * hour],
    ['support', ['support'], 30 * minute, 12 * hour],
  ])('of %s ends when it is idle too long, and in any case', async (who, roles, idle, absolute) => {
    const user = { ...member, roles };
    await keep(`idle ${who}`, user);
    await keep(`busy ${who}`, user);
    const begun = clock.now();
    clock.advance(idle - 1);
    expect(await userOf(`busy ${who}`)).toEqual(user);
    clock.advance(1);
    expect(await userOf(`idle ${who}`)).toBeUndefined();
    while (clock.now() + idle - minute < begun + absolute) {
      expect(await userOf(`busy ${who}`)).toEqual(user);
      clock.advance(idle - minute);
    }
    expect(await userOf(`busy ${who}`)).toEqual(user);
    clock.advance(begun + absolute - clock.now());
    expect(await userOf(`busy ${who}`)).toBeUndefined();
  });

  it('is noted as seen once a minute, not with every request', async () => {
    await databases.tapedeck.query('delete from sessions');
    await keep('seen', member);
    const begun = clock.now();
    clock.advance(59_999);
    await userOf('seen');
    expect(await seenAt()).toBe(begun);
    clock.advance(1);
    await Promise.all([userOf('seen'), userOf('seen')]);
    expect(await seenAt()).toBe(begun + minute);
  });

  it('goes away for good after its end, and only then', async () => {
    await databases.tapedeck.query('delete from sessions');
    await keep('over', member);
    clock.advance(day);
    await keep('on', member);
    clock.advance(6 * day);
    expect(await pruneSessions(databases.tapedeck, clock)).toBe(1);
    expect(await userOf('on')).toEqual(member);
  });

  it('is kept for people who are signed in only', async () => {
    await databases.tapedeck.query('delete from sessions');
    await new Promise<void>((resolve) => store.set('visitor', {} as Session, () => resolve()));
    expect(await seenAt()).toBe(0);
  });
});

describe('sessions in the API', () => {
  let environment: SignInEnvironment;
  let api: TestApi;
  let browser: Browser;

  beforeAll(async () => {
    environment = await startSignInEnvironment();
    api = environment.api;
    browser = await signedInBrowser(api.origin, 'member@example.com');
  });
  afterAll(() => environment.close());

  const user = (): Promise<Response> => browser.request(`${api.origin}/api/auth/user`);

  it('that cannot be looked up are unavailable, not over', async () => {
    const cookie = browser.cookieHeader(api.origin);
    await api.databases.tapedeck.query('alter table sessions rename to sessions_away');
    const answer = await user();
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await answer.json()).toMatchObject({ code: 'SESSIONS_UNAVAILABLE' });
    // What is the same for everybody works all the same.
    expect((await browser.request(`${api.origin}/health/live`)).status).toBe(200);
    await api.databases.tapedeck.query('alter table sessions_away rename to sessions');
    expect(browser.cookieHeader(api.origin)).toBe(cookie);
    expect((await user()).status).toBe(200);
  });

  it('end by themselves, and the cookie with them', async () => {
    api.clock.advance(7 * day);
    const answer = await user();
    expect(answer.status).toBe(401);
    expect(answer.headers.getSetCookie()).toHaveLength(1);
    expect(browser.cookieHeader(api.origin)).toBe('');
  });

  it('of accounts that are not on the tape open nothing', async () => {
    const stranger = await signedInBrowser(api.origin, 'stranger@example.com');
    await api.databases.tapedeck.query('update sessions set account_id = $1', [derivedId('nobody')]);
    expect((await stranger.request(`${api.origin}/api/auth/user`)).status).toBe(401);
  });
});
