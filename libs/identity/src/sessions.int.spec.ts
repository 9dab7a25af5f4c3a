import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventingMigrations } from '@tapedeck/eventing/migrations';
import { accountId, derivedId, fixedClock } from '@tapedeck/kernel';
import { migrate } from '@tapedeck/platform/migrations';
import { testDatabases, type TestDatabases } from '@tapedeck/platform/testing';
import type { Browser } from '@tapedeck/sandbox/testing';
import type { Session } from 'fastify';
import { identityMigrations } from './projections.ts';
import { idTokenSealer } from './sessions/sealer.ts';
import {
  createSessionStore,
  pruneSessions,
  sessionUser,
  type SessionUser,
  type SignedInUser,
} from './sessions/session-store.ts';
import { signedInBrowser, startSignInEnvironment, type SignInEnvironment } from './testing/test-sign-in.ts';
import type { TestApi } from './testing/test-api.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const member: SignedInUser = {
  accountId: accountId(derivedId('member')),
  idToken: 'an id token',
  browser: null,
  place: null,
  networkKey: null,
};

describe('the session store', () => {
  const clock = fixedClock(Date.UTC(2026, 0, 1));
  let databases: TestDatabases;
  let store: ReturnType<typeof createSessionStore>;

  beforeAll(async () => {
    databases = await testDatabases();
    await migrate(databases.pools, [...eventingMigrations, ...identityMigrations]);
    store = createSessionStore({ pool: databases.tapedeck, clock, secret: 'x'.repeat(32) });
  });
  beforeEach(() => databases.tapedeck.query('delete from sessions; delete from account_roles'));
  afterAll(() => databases.drop());

  const save = (id: string, user: SignedInUser): Promise<void> =>
    new Promise((resolve, reject) => {
      store.set(id, { passport: { user } } as Session, (error) => (error ? reject(error) : resolve()));
    });
  const userOf = (id: string): Promise<SessionUser | undefined> =>
    new Promise((resolve, reject) => {
      store.get(id, (error, session) => (error ? reject(error) : resolve(sessionUser(session ?? undefined))));
    });
  const seenAt = async (): Promise<number> => {
    const { rows } = await databases.tapedeck.query<{ seen_at: Date }>('select seen_at from sessions');
    return rows[0]?.seen_at.getTime() ?? 0;
  };

  it.each([
    ['a member', [], 7 * day, 30 * day],
    ['an admin', ['admin'], 30 * minute, 12 * hour],
    ['support', ['support'], 30 * minute, 12 * hour],
  ])(
    'ends a session of %s after the idle time and after the total lifetime',
    async (who, roles, idle, total) => {
      const write = 'insert into account_roles (account_id, roles, version) values ($1, $2, 1)';
      if (roles.length > 0) await databases.tapedeck.query(write, [member.accountId, roles]);
      await save(`idle ${who}`, member);
      await save(`busy ${who}`, member);
      const user = expect.objectContaining({ accountId: member.accountId, roles });
      const begun = clock.now();
      clock.advance(idle - 1);
      expect(await userOf(`busy ${who}`)).toEqual(user);
      clock.advance(1);
      expect(await userOf(`idle ${who}`)).toBeUndefined();
      while (clock.now() + idle - minute < begun + total) {
        expect(await userOf(`busy ${who}`)).toEqual(user);
        clock.advance(idle - minute);
      }
      expect(await userOf(`busy ${who}`)).toEqual(user);
      clock.advance(begun + total - clock.now());
      expect(await userOf(`busy ${who}`)).toBeUndefined();
    },
  );

  it('writes the time of the last request at most once a minute', async () => {
    await save('seen', member);
    const begun = clock.now();
    clock.advance(59_999);
    await userOf('seen');
    expect(await seenAt()).toBe(begun);
    clock.advance(1);
    await Promise.all([userOf('seen'), userOf('seen')]);
    expect(await seenAt()).toBe(begun + minute);
  });

  it('prunes sessions that have ended, and no others', async () => {
    await save('ended', member);
    clock.advance(day);
    await save('active', member);
    clock.advance(6 * day);
    expect(await pruneSessions(databases.tapedeck, clock)).toBe(1);
    expect(await userOf('active')).toMatchObject({ accountId: member.accountId });
  });

  it('ends each session that began before a change of roles, and no later one', async () => {
    await save('before', member);
    const write = `insert into account_roles (account_id, roles, version) values ($1, $2, $3)
      on conflict (account_id) do update set roles = excluded.roles, version = excluded.version`;
    await databases.tapedeck.query(write, [member.accountId, ['admin'], 1]);
    expect(await userOf('before')).toBeUndefined();
    await save('as admin', member);
    expect(await userOf('as admin')).toMatchObject({ roles: ['admin'] });
    await databases.tapedeck.query(write, [member.accountId, [], 2]);
    expect(await userOf('as admin')).toBeUndefined();
    await save('after', member);
    expect(await userOf('after')).toMatchObject({ roles: [] });
  });

  it('stores an id token that only the session’s cookie opens', async () => {
    await save('with token', member);
    const sealed = (await userOf('with token'))?.sealedIdToken ?? '';
    expect(idTokenSealer('x'.repeat(32), 'with token').open(sealed)).toBe('an id token');
    expect(idTokenSealer('x'.repeat(32), 'of another').open(sealed)).toBeUndefined();
  });

  it('stores nothing for visitors', async () => {
    await new Promise<void>((resolve) => store.set('visitor', {} as Session, () => resolve()));
    expect(await seenAt()).toBe(0);
  });
});

describe('a request with a session', () => {
  let environment: SignInEnvironment;
  let api: TestApi;
  let browser: Browser;

  beforeEach(async () => {
    environment = await startSignInEnvironment();
    api = environment.api;
    browser = await signedInBrowser(api.origin, 'member@example.com');
  });
  afterEach(() => environment.close());

  const user = (): Promise<Response> => browser.request(`${api.origin}/api/auth/user`);
  const optionalUser = async (): Promise<unknown> =>
    (await browser.request(`${api.origin}/api/auth/session`)).json();

  it('is answered with 503 and keeps its cookie while sessions cannot be read', async () => {
    const cookie = browser.cookieHeader(api.origin);
    await api.databases.tapedeck.query('alter table sessions rename to sessions_renamed');
    const answer = await user();
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await answer.json()).toMatchObject({ code: 'SESSIONS_UNAVAILABLE' });
    // Routes outside /api/ do not read sessions.
    expect((await browser.request(`${api.origin}/health/live`)).status).toBe(200);
    await api.databases.tapedeck.query('alter table sessions_renamed rename to sessions');
    expect(browser.cookieHeader(api.origin)).toBe(cookie);
    expect((await user()).status).toBe(200);
  });

  it('is that of a visitor, and loses its cookie, once the session has ended', async () => {
    api.clock.advance(7 * day);
    expect(await optionalUser()).toEqual({ user: null });
    expect(browser.cookieHeader(api.origin)).toBe('');
  });

  it('is answered with 401 and loses its cookie once the session has ended', async () => {
    api.clock.advance(7 * day);
    const answer = await user();
    expect(answer.status).toBe(401);
    expect(answer.headers.getSetCookie()).toHaveLength(1);
    expect(browser.cookieHeader(api.origin)).toBe('');
  });

  it('is answered with 401 and loses its cookie as soon as its account is forgotten', async () => {
    const { id } = (await (await user()).json()) as { id: string };
    await api.keys.forget(id);
    const answer = await user();
    expect(answer.status).toBe(401);
    expect(browser.cookieHeader(api.origin)).toBe('');
  });

  it('is answered with 401 when its account is not on the tape', async () => {
    await api.databases.tapedeck.query('update sessions set account_id = $1', [derivedId('nobody')]);
    expect((await user()).status).toBe(401);
    expect(await optionalUser()).toEqual({ user: null });
  });
});
