import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@tapedeck/platform/testing';
import { startFakeProvider, type FakeProvider } from './testing/fake-provider.ts';
import { startTestApi, type TestApi } from './testing/test-api.ts';

const proxied = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'tapedeck.example' };
const settings = { PUBLIC_ORIGIN: 'https://tapedeck.example', ALLOW_SANDBOX: 'yes' };

let provider: FakeProvider;
let api: TestApi;

beforeAll(async () => {
  provider = await startFakeProvider();
});
afterAll(() => provider.close());

const login = (headers: Record<string, string> = proxied): Promise<Response> =>
  fetch(`${api.alias}/api/login`, { headers, redirect: 'manual' });

const authorizationParameters = (answer: Response): URLSearchParams =>
  new URL(answer.headers.get('location') ?? '').searchParams;

const cookieHeaderOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((header) => header.split(';')[0])
    .join('; ');

describe('signing in behind a trusted https proxy', () => {
  beforeAll(async () => {
    api = await startTestApi(await freePort(), provider.issuer, { ...settings, TRUSTED_PROXIES: '1' });
  });
  afterAll(() => api.close());

  it('sets cookies for this host only and for https only', async () => {
    const begun = await login();
    const parameters = authorizationParameters(begun);
    expect(parameters.get('redirect_uri')).toBe('https://tapedeck.example/api/login/callback');
    provider.answer({}, parameters.get('nonce') ?? '');
    const state = parameters.get('state');
    const completed = await fetch(`${api.alias}/api/login/callback?code=code&state=${state}`, {
      headers: { ...proxied, cookie: cookieHeaderOf(begun) },
      redirect: 'manual',
    });
    const cookies = [...begun.headers.getSetCookie(), ...completed.headers.getSetCookie()];
    expect(cookies.length).toBeGreaterThanOrEqual(3);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^__Host-tapedeck[\w-]*=/);
      expect(cookie).toMatch(/; Path=\/;/);
      expect(cookie).toMatch(/; HttpOnly/);
      expect(cookie).toMatch(/; Secure/);
      expect(cookie).toMatch(/; SameSite=Lax/);
      expect(cookie).not.toMatch(/Domain/);
    }
    const user = await fetch(`${api.alias}/api/auth/user`, {
      headers: { ...proxied, cookie: cookieHeaderOf(completed) },
    });
    expect(user.status).toBe(200);
  });

  it('uses the public origin for the callback when the request names another host', async () => {
    const answer = await login({ ...proxied, 'x-forwarded-host': 'evil.example' });
    expect(authorizationParameters(answer).get('redirect_uri')).toBe(
      'https://tapedeck.example/api/login/callback',
    );
  });
});

describe('signing in behind an untrusted https proxy', () => {
  beforeAll(async () => {
    api = await startTestApi(await freePort(), provider.issuer, settings);
  });
  afterAll(() => api.close());

  it('answers 503 and names the setting to change', async () => {
    const answer = await login();
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({
      code: 'PROXY_NOT_TRUSTED',
      detail: expect.stringContaining('TRUSTED_PROXIES'),
    });
  });
});
