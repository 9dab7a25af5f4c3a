import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createBrowser, type Browser } from '@tapedeck/sandbox/testing';
import {
  loginUrl,
  signedInBrowser,
  startSignInEnvironment,
  type SignInEnvironment,
} from './testing/test-sign-in.ts';

let environment: SignInEnvironment;
let origin: string;

beforeAll(async () => {
  environment = await startSignInEnvironment();
  origin = environment.api.origin;
});

afterAll(() => environment.close());

const logout = (): string => `${origin}/api/logout`;
const isFrontPage = (url: URL): boolean => url.origin === origin && url.pathname === '/';

const isSignedIn = async (browser: Browser): Promise<boolean> =>
  (await browser.request(`${origin}/api/auth/user`)).status === 200;

describe('signing out', () => {
  it('ends the session here and at the provider, and redirects to the front page', async () => {
    const browser = await signedInBrowser(origin, 'leaving@example.com');
    const { url, hops } = await browser.visit(logout(), {
      init: { headers: { 'sec-fetch-site': 'same-origin' } },
      until: isFrontPage,
    });
    expect(url.href).toBe(`${origin}/`);
    expect(
      hops.some((hop) => hop.startsWith(`${environment.provider.issuer}/session/end?id_token_hint=`)),
    ).toBe(true);
    expect(await isSignedIn(browser)).toBe(false);
    // The provider has ended its session too: it shows its page instead of signing in at once.
    const { response } = await browser.visit(loginUrl(origin, {}));
    expect(await response.text()).toContain('Choose an account');
  });

  it('makes a copied cookie unusable', async () => {
    const browser = await signedInBrowser(origin, 'copied@example.com');
    const cookie = browser.cookieHeader(origin);
    const before = await fetch(`${origin}/api/auth/user`, { headers: { cookie } });
    expect(before.status).toBe(200);
    await browser.request(logout());
    const after = await fetch(`${origin}/api/auth/user`, { headers: { cookie } });
    expect(after.status).toBe(401);
  });

  it('clears the cookie and the storage of the browser', async () => {
    const browser = await signedInBrowser(origin, 'clean@example.com');
    const answer = await browser.request(logout());
    expect(answer.status).toBe(303);
    expect(answer.headers.get('clear-site-data')).toBe('"storage"');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        new RegExp(
          `^tapedeck-${new URL(origin).port}=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970.*HttpOnly.*SameSite=Lax`,
        ),
      ),
    ]);
    expect(browser.cookieHeader(origin)).toBe('');
  });

  it('ends one session and keeps the others of the same person', async () => {
    const laptop = await signedInBrowser(origin, 'two@example.com');
    const phone = await signedInBrowser(origin, 'two@example.com');
    await laptop.request(logout());
    expect(await isSignedIn(laptop)).toBe(false);
    expect(await isSignedIn(phone)).toBe(true);
  });

  it('redirects a visitor to the front page', async () => {
    const answer = await createBrowser().request(logout());
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/');
  });
});

describe('a navigation to /api/logout', () => {
  it.each([
    ['a link on our own page', { 'sec-fetch-site': 'same-origin' }],
    ['a typed address', { 'sec-fetch-site': 'none' }],
    ['a link on our own page in an older browser', { referer: 'ORIGIN/strategies' }],
    ['a typed address in an older browser', {}],
  ])('from %s signs out at once', async (_source, headers) => {
    const browser = await signedInBrowser(origin, 'deliberate@example.com');
    const own = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace('ORIGIN', origin)]),
    );
    expect((await browser.request(logout(), { headers: own })).status).toBe(303);
    expect(await isSignedIn(browser)).toBe(false);
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another port of this machine', { 'sec-fetch-site': 'same-site' }],
    ['another site in an older browser', { referer: 'https://evil.example/' }],
    ['an invalid referrer in an older browser', { referer: 'nonsense' }],
    ['a prefetched page', { 'sec-fetch-site': 'none', 'sec-purpose': 'prefetch;prerender' }],
  ])('from %s shows a page that asks first', async (_source, headers) => {
    const browser = await signedInBrowser(origin, 'tricked@example.com');
    const answer = await browser.request(logout(), { headers });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(await answer.text()).toContain('<form method="post" action="/api/logout"><button>');
    expect(await isSignedIn(browser)).toBe(true);
    const button = await browser.request(logout(), {
      method: 'POST',
      headers: {
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': '0',
      },
    });
    expect(button.status).toBe(303);
    expect(await isSignedIn(browser)).toBe(false);
  });

  it('is refused as a form of another site', async () => {
    const browser = await signedInBrowser(origin, 'forged@example.com');
    const answer = await browser.request(logout(), {
      method: 'POST',
      headers: { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    });
    expect(answer.status).toBe(403);
    expect(await isSignedIn(browser)).toBe(true);
  });
});
