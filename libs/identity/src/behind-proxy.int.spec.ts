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

const begin = (headers: Record<string, string> = proxied): Promise<Response> =>
  fetch(`${api.alias}/api/login`, { headers, redirect: 'manual' });

const pairsOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((header) => header.split(';')[0])
    .join('; ');

describe('behind a proxy that speaks https', () => {
  beforeAll(async () => {
    api = await startTestApi(await freePort(), provider.issuer, { ...settings, TRUSTED_PROXIES: '1' });
  });
  afterAll(() => api.close());

  it('cookies are for this host alone, and for https', async () => {
    const begun = await begin();
    const asked = new URL(begun.headers.get('location') ?? '').searchParams;
    expect(asked.get('redirect_uri')).toBe('https://tapedeck.example/api/login/callback');
    provider.answer({}, asked.get('nonce') ?? '');
    const back = await fetch(`${api.alias}/api/login/callback?code=code&state=${asked.get('state')}`, {
      headers: { ...proxied, cookie: pairsOf(begun) },
      redirect: 'manual',
    });
    const cookies = [...begun.headers.getSetCookie(), ...back.headers.getSetCookie()];
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
      headers: { ...proxied, cookie: pairsOf(back) },
    });
    expect(user.status).toBe(200);
  });

  it('the way back is never to a host that the request made up', async () => {
    const answer = await begin({ ...proxied, 'x-forwarded-host': 'evil.example' });
    const asked = new URL(answer.headers.get('location') ?? '').searchParams;
    expect(asked.get('redirect_uri')).toBe('https://tapedeck.example/api/login/callback');
  });
});

describe('behind a proxy that is not believed', () => {
  beforeAll(async () => {
    api = await startTestApi(await freePort(), provider.issuer, settings);
  });
  afterAll(() => api.close());

  it('signing in says what to configure, instead of going round in circles', async () => {
    const answer = await begin();
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({
      code: 'PROXY_NOT_TRUSTED',
      detail: expect.stringContaining('TRUSTED_PROXIES'),
    });
  });
});
