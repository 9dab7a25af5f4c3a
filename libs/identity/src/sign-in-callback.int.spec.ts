import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createBrowser } from '@tapedeck/sandbox/testing';
import {
  loginUrl,
  problemOf,
  signIn,
  startSignInEnvironment,
  userOf,
  visitUntilCallback,
  type SignInEnvironment,
} from './testing/test-sign-in.ts';

let environment: SignInEnvironment;
let origin: string;

beforeAll(async () => {
  environment = await startSignInEnvironment();
  origin = environment.api.origin;
});

afterAll(() => environment.close());

describe('signing in with several tabs', () => {
  it('returns each tab to its own path, in any order', async () => {
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

  it('leaves at most four cookies when no sign-in is completed', async () => {
    const browser = createBrowser();
    for (let tab = 0; tab < 12; tab++) await browser.request(loginUrl(origin, {}));
    expect(browser.cookieNames().length).toBeLessThanOrEqual(4);
    expect(await signIn(browser, origin, 'many@example.com', '/strategies')).toBe('/strategies');
  });
});

describe('the callback', () => {
  it('requires the state of a sign-in that this browser has begun', async () => {
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
      // The beginning of a state is the cookie's name; the rest must match too.
      changed((query) => query.set('state', `${query.get('state')?.slice(0, 20)}${'A'.repeat(23)}`)),
      `${origin}/api/login/callback`,
    ];
    for (const url of refused) {
      const answer = await browser.request(url);
      expect(answer.status).toBe(400);
      expect(await problemOf(answer)).toMatchObject({ code: 'SIGN_IN_EXPIRED' });
    }
    const otherBrowser = await createBrowser().request(callback.href);
    expect(await problemOf(otherBrowser)).toMatchObject({ status: 400, code: 'SIGN_IN_EXPIRED' });
    // The pending sign-in is still usable.
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

  it('refuses the nonce of another sign-in', async () => {
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

  it('refuses the answer of another issuer', async () => {
    const browser = createBrowser();
    const callback = await visitUntilCallback(browser, origin, { login_hint: 'mixup@example.com' });
    callback.searchParams.set('iss', 'https://another.example');
    const answer = await browser.request(callback.href);
    expect(await problemOf(answer)).toMatchObject({ status: 400, code: 'SIGN_IN_FAILED' });
  });

  it('refuses a sign-in that was begun 15 minutes ago', async () => {
    const browser = createBrowser();
    const callback = await visitUntilCallback(browser, origin, { login_hint: 'slow@example.com' });
    environment.api.clock.advance(15 * 60_000);
    const answer = await browser.request(callback.href);
    expect(await problemOf(answer)).toMatchObject({ status: 400, code: 'SIGN_IN_EXPIRED' });
  });

  it('answers SIGN_IN_REFUSED when the person has cancelled the sign-in', async () => {
    const browser = createBrowser();
    const callback = await visitUntilCallback(browser, origin, { login_hint: 'shy@example.com' });
    callback.searchParams.delete('code');
    callback.searchParams.set('error', 'access_denied');
    const answer = await browser.request(callback.href);
    expect(await problemOf(answer)).toMatchObject({ status: 403, code: 'SIGN_IN_REFUSED' });
  });

  it('shows a problem as a page to browsers', async () => {
    const answer = await fetch(`${origin}/api/login/callback?state=<script>`, {
      headers: { accept: 'text/html,application/xhtml+xml' },
    });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    const page = await answer.text();
    expect(page).toContain('took too long: sign in again');
    expect(page).toContain('href="/api/login"');
    expect(page).not.toContain('<script');
  });
});
