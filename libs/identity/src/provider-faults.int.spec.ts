import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { accountId, derivedId } from '@tapedeck/kernel';
import { freePort } from '@tapedeck/platform/testing';
import { createBrowser, type Browser } from '@tapedeck/sandbox/testing';
import { accountStream } from './events.ts';
import { startFakeProvider, type Answers, type FakeProvider } from './testing/fake-provider.ts';
import { loginUrl, userOf } from './testing/test-sign-in.ts';
import { startTestApi, type TestApi } from './testing/test-api.ts';

let api: TestApi;
let provider: FakeProvider;

beforeAll(async () => {
  provider = await startFakeProvider();
  api = await startTestApi(await freePort(), provider.issuer);
});
afterAll(async () => {
  await api.close();
  await provider.close();
});

/** The answer to the way back from a provider that says these things. */
const comeBack = async (
  answers: Answers,
  browser: Browser = createBrowser(),
  nonce?: string,
): Promise<Response> => {
  const begun = await browser.request(loginUrl(api.origin, {}));
  const asked = new URL(begun.headers.get('location') ?? '').searchParams;
  provider.answer(answers, nonce ?? asked.get('nonce') ?? '');
  return browser.request(`${api.origin}/api/login/callback?code=code&state=${asked.get('state')}`);
};

const codeOf = async (answer: Response): Promise<unknown> => [
  answer.status,
  ((await answer.json()) as { code: string }).code,
];

const hour = 3_600;
const now = (): number => Math.floor(Date.now() / 1_000);

describe('a provider without fault', () => {
  it('signs in', async () => {
    const browser = createBrowser();
    expect((await comeBack({}, browser)).status).toBe(302);
    expect(await userOf(browser, api.origin)).toMatchObject({
      email: 'handmade@example.com',
      firstName: null,
    });
  });
});

describe('an id token', () => {
  it.each<[string, Answers]>([
    ['signed with another key', { wrongKey: true }],
    ['without a signature', { unsigned: true }],
    ['that says it needs none', { header: { alg: 'none' }, unsigned: true }],
    ['signed in a way nobody agreed on', { header: { alg: 'HS256' } }],
    ['for another client', { claims: { aud: 'somebody-else' } }],
    ['for several clients without saying whose', { claims: { aud: ['tapedeck', 'somebody-else'] } }],
    ['of another issuer', { claims: { iss: 'https://another.example' } }],
    ['that is over', { claims: { iat: now() - 2 * hour, exp: now() - hour } }],
    ['without a subject', { claims: { sub: undefined } }],
    ['without a nonce', { claims: { nonce: undefined } }],
  ])('%s signs nobody in', async (_what, answers) => {
    const browser = createBrowser();
    expect(await codeOf(await comeBack(answers, browser))).toEqual([400, 'SIGN_IN_FAILED']);
    expect((await browser.request(`${api.origin}/api/auth/user`)).status).toBe(401);
  });

  it('of another sign-in signs nobody in', async () => {
    expect(await codeOf(await comeBack({}, createBrowser(), 'N'.repeat(43)))).toEqual([
      400,
      'SIGN_IN_FAILED',
    ]);
  });
});

describe('a provider that', () => {
  it.each<[string, Answers, number, string]>([
    ['speaks of two people', { user: { sub: 'another' } }, 400, 'SIGN_IN_FAILED'],
    ['keeps the address to itself', { user: { email: undefined } }, 400, 'SIGN_IN_WITHOUT_EMAIL'],
    ['has an address that is none', { user: { email: 'nobody' } }, 400, 'SIGN_IN_WITHOUT_EMAIL'],
    ['refuses the code', { token: { status: 400, body: { error: 'invalid_grant' } } }, 400, 'SIGN_IN_FAILED'],
    [
      'has a fault of its own',
      { token: { status: 500, body: { error: 'server_error' } } },
      503,
      'IDENTITY_PROVIDER_UNAVAILABLE',
    ],
    [
      'is hidden by a broken proxy',
      { token: { status: 502, body: '<h1>Bad Gateway</h1>' } },
      503,
      'IDENTITY_PROVIDER_UNAVAILABLE',
    ],
  ])('%s is told apart', async (_what, answers, status, code) => {
    expect(await codeOf(await comeBack(answers))).toEqual([status, code]);
  });

  it('gives the same person another address changes that, and nothing else', async () => {
    const browser = createBrowser();
    await comeBack({ user: { email: 'before@example.com', given_name: 'Jane' } }, browser);
    const before = await userOf(browser, api.origin);
    await comeBack({ user: { email: 'after@example.com' } }, browser);
    const after = await userOf(browser, api.origin);
    expect(after).toEqual({ ...before, email: 'after@example.com' });
  });

  it('gives two people the same address has two accounts', async () => {
    const user = { email: 'shared@example.com' };
    const ids = await Promise.all(
      ['one', 'two'].map(async (sub) => {
        const stream = accountStream(accountId(derivedId('account', provider.issuer, sub)));
        return { sub, stream };
      }),
    );
    for (const { sub, stream } of ids) {
      await comeBack({ claims: { sub }, user: { ...user, sub } });
      const events = await api.store.readStream(stream);
      expect(events.map(({ type }) => type)).toEqual(['AccountRegistered']);
    }
  });
});
