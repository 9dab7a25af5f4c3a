import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createBrowser } from '@tapedeck/sandbox/testing';
import {
  loginUrl,
  problemOf,
  signIn,
  startSignInEnvironment,
  visitUntilCallback,
  userOf,
  type SignInEnvironment,
} from './testing/test-sign-in.ts';

let environment: SignInEnvironment;
let origin: string;

beforeAll(async () => {
  environment = await startSignInEnvironment();
  origin = environment.api.origin;
});

afterAll(() => environment.close());

describe('several tabs', () => {
  it('each come back to where they were, in any order', async () => {
    const browser = createBrowser();
    const tabs = await Promise.all(
      ['/strategies?tab=1', '/strategies?tab=2', '/strategies?tab=3'].map(async (returnTo) => ({
        returnTo,
        callback: await visitUntilCallback(browser, origin, { login_hint: 'tabs@example.com', returnTo }),
      })),
    );
    for (const { returnTo, callback } of tabs.toReversed()) {
      const answer = await browser.request(callback.href);
      expect(answer.headers.get('location')).toBe(returnTo);
      expect((await userOf(browser, origin))['email']).toBe('tabs@example.com');
    }
  });

  it('leave at most a handful of cookies behind', async () => {
    const browser = createBrowser();
    for (let tab = 0; tab < 12; tab++) await browser.request(loginUrl(origin, {}));
    expect(browser.cookieNames().length).toBeLessThanOrEqual(4);
    expect(await signIn(browser, origin, 'many@example.com', '/strategies')).toBe('/strategies');
  });
});

describe('coming back', () => {
  it('is refused without a state, with two, with another, and in another browser', async () => {
    const browser = createBrowser();
    const callback = await visitUntilCallback(browser, origin, { login_hint: 'state@example.com' });
    const changed = (change: (query: URLSearchParams) => void): string => {
      const url = new URL(callback);
      change(url.searchParams);
      return url.href;
    };
    const refused = [
      changed((query) => query.delete('state')),
      changed((query) => query.append('state', query.get('state') ?? '')),
      changed((query) => query.set('state', 'A'.repeat(43))),
      // The start of a state finds the cookie, but does not open the door.
      changed((query) => query.set('state', `${query.get('state')?.slice(0, 20)}${'A'.repeat(23)}`)),
      `${origin}/api/login/callback`,
    ];
    for (const url of refused) {
      const answer = await browser.request(url);
      expect(answer.status).toBe(400);
      expect(await problemOf(answer)).toMatchObject({ code: 'SIGN_IN_EXPIRED' });
    }
    const stranger = await createBrowser().request(callback.href);
    expect(await problemOf(stranger)).toMatchObject({ status: 400, code: 'SIGN_IN_EXPIRED' });
    // None of this has spoilt the sign-in itself.
    expect((await browser.request(callback.href)).status).toBe(302);
  });

  it('works once', async () => {
    const browser = createBrowser();
    const callback = await visitUntilCallback(browser, origin, { login_hint: 'once@example.com' });
    const cookies = browser.cookieHeader(origin);
    expect((await browser.request(callback.href)).status).toBe(302);
    const again = await browser.request(callback.href);
    expect(await problemOf(again)).toMatchObject({ status: 400, code: 'SIGN_IN_EXPIRED' });
    const replayed = await fetch(callback, { headers: { cookie: cookies }, redirect: 'manual' });
    expect(await problemOf(replayed)).toMatchObject({ status: 400, code: 'SIGN_IN_FAILED' });
    expect(replayed.headers.getSetCookie().join()).not.toMatch(/tapedeck-\d+=[^;]/);
  });

  it('is refused with the nonce of another sign-in', async () => {
    const browser = createBrowser();
    const { url } = await browser.visit(loginUrl(origin, { login_hint: 'nonce@example.com' }), {
      until: ({ pathname }) => pathname === '/auth',
    });
    url.searchParams.set('nonce', 'B'.repeat(43));
    const { url: callback } = await browser.visit(url.href, {
      until: ({ pathname }) => pathname === '/api/login/callback',
    });
    const answer = await browser.request(callback.href);
    expect(await problemOf(answer)).toMatchObject({ status: 400, code: 'SIGN_IN_FAILED' });
    expect((await browser.request(`${origin}/api/auth/user`)).status).toBe(401);
  });

  it('is refused when the answer is of another issuer', async () => {
    const browser = createBrowser();
    const callback = await visitUntilCallback(browser, origin, { login_hint: 'mixup@example.com' });
    callback.searchParams.set('iss', 'https://another.example');
    const answer = await browser.request(callback.href);
    expect(await problemOf(answer)).toMatchObject({ status: 400, code: 'SIGN_IN_FAILED' });
  });

  it('is refused after a quarter of an hour', async () => {
    const browser = createBrowser();
    const callback = await visitUntilCallback(browser, origin, { login_hint: 'slow@example.com' });
    environment.api.clock.advance(15 * 60_000);
    const answer = await browser.request(callback.href);
    expect(await problemOf(answer)).toMatchObject({ status: 400, code: 'SIGN_IN_EXPIRED' });
  });

  it('says so when the person has changed their mind', async () => {
    const browser = createBrowser();
    const callback = await visitUntilCallback(browser, origin, { login_hint: 'shy@example.com' });
    callback.searchParams.delete('code');
    callback.searchParams.set('error', 'access_denied');
    const answer = await browser.request(callback.href);
    expect(await problemOf(answer)).toMatchObject({ status: 403, code: 'SIGN_IN_REFUSED' });
  });

  it('tells people on a page what went wrong', async () => {
    const answer = await fetch(`${origin}/api/login/callback?state=<script>`, {
      headers: { accept: 'text/html,application/xhtml+xml' },
    });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    const page = await answer.text();
    expect(page).toContain('begin again');
    expect(page).toContain('href="/api/login"');
    expect(page).not.toContain('<script');
  });
});
