import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { projectToEnd } from '@tapedeck/eventing/projections';
import { accountId, derivedId } from '@tapedeck/kernel';
import { createBrowser } from '@tapedeck/sandbox/testing';
import { accountStream } from './domain/account.ts';
import { identityProjections } from './projections.ts';
import {
  loginUrl,
  problemOf,
  signedInBrowser,
  signIn,
  startSignInEnvironment,
  visitUntilCallback,
  userOf,
  type SignInEnvironment,
} from './testing/test-sign-in.ts';

let environment: SignInEnvironment;
let origin: string;

beforeAll(async () => {
  environment = await startSignInEnvironment({ OIDC_ISSUER_NAME: 'sandbox' });
  origin = environment.api.origin;
});

afterAll(() => environment.close());

const countEvents = async (): Promise<number> => {
  const { rows } = await environment.api.databases.tapedeck.query<{ n: number }>(
    'select count(*)::int as n from tape_events',
  );
  return rows[0]?.n ?? 0;
};

describe('signing in', () => {
  it('needs redirects only when login_hint is given, and ends at returnTo', async () => {
    const browser = createBrowser();
    const { response, url, hops } = await browser.visit(
      loginUrl(origin, { login_hint: 'jane.doe@example.com', returnTo: '/strategies?search=MACD' }),
      { until: ({ pathname }) => pathname === '/strategies' },
    );
    expect(response.status).toBe(302);
    expect(url.href).toBe(`${origin}/strategies?search=MACD`);
    expect(new Set(hops.map((hop) => new URL(hop).origin))).toEqual(
      new Set([origin, environment.provider.issuer]),
    );
    expect(await userOf(browser, origin)).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      firstName: 'Jane',
      lastName: 'Doe',
      email: 'jane.doe@example.com',
      discordEmail: null,
      tradingViewUsername: null,
      profileImageUrl: null,
      createdAt: new Date(environment.api.clock.now()).toISOString(),
    });
  });

  it('asks who signs in when another site gives the hint', async () => {
    const { url } = await createBrowser().visit(loginUrl(origin, { login_hint: 'jane.doe@example.com' }), {
      init: { headers: { 'sec-fetch-site': 'cross-site' } },
      until: ({ pathname }) => pathname === '/auth',
    });
    expect(url.searchParams.has('login_hint')).toBe(false);
  });

  it('sends PKCE, state and nonce to the provider', async () => {
    const { url } = await createBrowser().visit(loginUrl(origin, {}), {
      until: ({ pathname }) => pathname === '/auth',
    });
    const parameters = Object.fromEntries(url.searchParams);
    expect(parameters).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: `${origin}/api/login/callback`,
      scope: 'openid email profile',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) expect(parameters[name]).toMatch(/^[\w-]{43}$/);
    expect(parameters).not.toHaveProperty('login_hint');
  });

  it('sets one cookie, which scripts and other sites cannot use', async () => {
    const browser = createBrowser();
    const callback = await visitUntilCallback(browser, origin, { login_hint: 'cookie@example.com' });
    const answer = await browser.request(callback.href);
    const { port } = new URL(origin);
    const [session = '', ...others] = answer.headers
      .getSetCookie()
      .filter((header) => header.startsWith(`tapedeck-${port}=`));
    expect(others).toEqual([]);
    expect(session).toMatch(/; Path=\/(;|$)/);
    expect(session).toMatch(/; HttpOnly(;|$)/);
    expect(session).toMatch(/; SameSite=Lax(;|$)/);
    expect(session).toMatch(/; Expires=/);
    expect(session).not.toMatch(/Domain|Secure/);
    expect(browser.cookieNames().filter((name) => name.startsWith('tapedeck'))).toEqual([`tapedeck-${port}`]);
    const later = await browser.request(`${origin}/api/auth/user`);
    expect(later.headers.getSetCookie()).toEqual([]);
  });

  it('stores neither the session id nor personal data in the row', async () => {
    const browser = await signedInBrowser(origin, 'row@example.com');
    const [, cookie = ''] = browser.cookieHeader(origin).split('=');
    const [sessionId = ''] = decodeURIComponent(cookie).split('.');
    expect(sessionId.length).toBeGreaterThanOrEqual(32);
    const { rows } = await environment.api.databases.tapedeck.query<{ row: string }>(
      "select s::text || encode(id_hash, 'escape') || coalesce(id_token, '') as row from sessions s",
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { row } of rows) {
      expect(row).not.toContain(sessionId);
      expect(row).not.toContain(Buffer.from(sessionId).toString('hex'));
      expect(row).not.toContain('example.com');
      // A JWT. Its first three letters alone occur in encrypted text by chance.
      expect(row).not.toMatch(/eyJ[\w-]*\.eyJ/);
    }
  });

  it('begins a new session each time and ends the one before', async () => {
    const browser = await signedInBrowser(origin, 'first@example.com');
    const before = browser.cookieHeader(origin);
    await signIn(browser, origin, 'second@example.com');
    expect(browser.cookieHeader(origin)).not.toBe(before);
    expect((await userOf(browser, origin))['email']).toBe('second@example.com');
    const old = await fetch(`${origin}/api/auth/user`, { headers: { cookie: before } });
    expect(old.status).toBe(401);
  });

  it('replaces a session id that was planted before', async () => {
    const browser = createBrowser();
    const name = `tapedeck-${new URL(origin).port}`;
    browser.setCookie(origin, name, 'planted.by-somebody-else');
    await signIn(browser, origin, 'careful@example.com');
    expect(browser.cookieHeader(origin)).not.toContain('planted');
    expect((await userOf(browser, origin))['email']).toBe('careful@example.com');
  });

  it('keeps the host name that the browser uses', async () => {
    const browser = createBrowser();
    const callback = await visitUntilCallback(browser, environment.api.alias, {
      login_hint: 'alias@example.com',
    });
    expect(callback.origin).toBe(environment.api.alias);
    await browser.request(callback.href);
    expect((await browser.request(`${environment.api.alias}/api/auth/user`)).status).toBe(200);
    const forged = await fetch(loginUrl(environment.api.alias, {}), {
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
      redirect: 'manual',
    });
    const parameters = new URL(forged.headers.get('location') ?? '').searchParams;
    expect(parameters.get('redirect_uri')).toBe(`${environment.api.alias}/api/login/callback`);
  });
});

describe('an account', () => {
  it('is registered at the first sign-in and reused by later ones from any browser', async () => {
    const first = await userOf(await signedInBrowser(origin, 'once@example.com'), origin);
    const events = await countEvents();
    const again = await userOf(await signedInBrowser(origin, 'ONCE@example.com'), origin);
    expect(again).toEqual(first);
    expect(await countEvents()).toBe(events);
  });

  it('is registered once when several tabs sign in at the same time', async () => {
    const events = await countEvents();
    await Promise.all([1, 2, 3].map(() => signedInBrowser(origin, 'tabs@example.com')));
    expect(await countEvents()).toBe(events + 1);
  });

  it('has an id derived from the name of the provider', async () => {
    const user = await userOf(await signedInBrowser(origin, 'named@example.com'), origin);
    const [event] = await environment.api.store.readStream(accountStream(accountId(String(user['id']))));
    expect(event).toMatchObject({
      type: 'AccountRegistered',
      data: { issuer: 'sandbox', email: 'named@example.com', emailVerified: true },
      metadata: { actorId: user['id'], actorKind: 'member' },
    });
    expect(user['id']).toBe(derivedId('account', 'sandbox', String(event?.data['subject'])));
  });

  it('is encrypted on the tape', async () => {
    await signedInBrowser(origin, 'Hidden.Person@example.com');
    const { rows } = await environment.api.databases.tapedeck.query<{ row: string }>(
      'select e::text as row from tape_events e order by position',
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { row } of rows) expect(row).not.toMatch(/example\.com|hidden|person"/i);
  });

  it('reads the same from the read model and from the tape', async () => {
    const browser = await signedInBrowser(origin, 'both@example.com');
    const fromTape = await userOf(browser, origin);
    await projectToEnd({
      store: environment.api.store,
      projections: identityProjections,
      databases: environment.api.databases.pools,
    });
    const { rows } = await environment.api.databases.tapedeck.query<{ row: string }>(
      'select a::text as row from accounts a where account_id = $1',
      [fromTape['id']],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.row).not.toMatch(/both|example/i);
    expect(await userOf(browser, origin)).toEqual(fromTape);
    const later = await signedInBrowser(origin, 'not-projected-yet@example.com');
    expect((await userOf(later, origin))['email']).toBe('not-projected-yet@example.com');
  });
});

describe('a parameter of GET /api/login', () => {
  it.each([
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'https:evil.example',
    '/.//evil.example',
  ])('returnTo %j is replaced by the front page', async (returnTo) => {
    expect(await signIn(createBrowser(), origin, 'back@example.com', returnTo)).toBe('/');
  });

  it.each([
    ['with a line break', 'login_hint=a%0d%0ab'],
    ['that is too long', `login_hint=${'x'.repeat(321)}`],
    ['that is given twice', 'login_hint=a&login_hint=b'],
    ['that is empty', 'login_hint='],
  ])('login_hint %s is refused', async (_what, query) => {
    const answer = await fetch(`${origin}/api/login?${query}`, { redirect: 'manual' });
    expect(await problemOf(answer)).toMatchObject({
      status: 400,
      code: 'INVALID_REQUEST',
      errors: [{ path: 'login_hint' }],
    });
  });

  it('login_hint that is no e-mail address leads to the provider’s page', async () => {
    const { response, url } = await createBrowser().visit(loginUrl(origin, { login_hint: '"><script>' }));
    expect(url.origin).toBe(environment.provider.issuer);
    expect(response.status).toBe(400);
  });
});

describe('a visitor', () => {
  it('is answered with 401 and gets no session', async () => {
    const answer = await fetch(`${origin}/api/auth/user`);
    expect(await problemOf(answer)).toMatchObject({ status: 401, code: 'SIGNED_OUT' });
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  it('gets an answer without an account where it is for everybody', async () => {
    const answer = await fetch(`${origin}/api/auth/session`);
    expect([answer.status, await answer.json()]).toEqual([200, { user: null }]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const browser = await signedInBrowser(origin, 'known@example.com');
    const known = await browser.request(`${origin}/api/auth/session`);
    expect(await known.json()).toEqual({
      user: { ...(await userOf(browser, origin)), isAdmin: false, isSupport: false },
    });
  });

  it('loses a session cookie that is not valid', async () => {
    const name = `tapedeck-${new URL(origin).port}`;
    const answer = await fetch(`${origin}/api/auth/user`, { headers: { cookie: `${name}=made-up` } });
    expect(answer.status).toBe(401);
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(new RegExp(`^${name}=; Max-Age=0; .*HttpOnly`)),
    ]);
  });
});
