import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { accountId, derivedId } from '@tapedeck/kernel';
import { freePort } from '@tapedeck/platform/testing';
import { createBrowser, type Browser } from '@tapedeck/sandbox/testing';
import { accountStream } from './domain/account.ts';
import { startFakeProvider, type FakeAnswers, type FakeProvider } from './testing/fake-provider.ts';
import { startTestApi, type TestApi } from './testing/test-api.ts';
import { loginUrl, userOf } from './testing/test-sign-in.ts';

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

/** Signs in while the provider gives these answers; returns the answer of the callback. */
const signInWith = async (
  answers: FakeAnswers,
  browser: Browser = createBrowser(),
  nonce?: string,
): Promise<Response> => {
  const begun = await browser.request(loginUrl(api.origin, {}));
  const parameters = new URL(begun.headers.get('location') ?? '').searchParams;
  provider.answer(answers, nonce ?? parameters.get('nonce') ?? '');
  return browser.request(`${api.origin}/api/login/callback?code=code&state=${parameters.get('state')}`);
};

/** Answers about another person than those of the other tests. */
const person = (sub: string, user: Readonly<Record<string, unknown>> = {}): FakeAnswers => ({
  claims: { sub },
  user: { sub, ...user },
});

const statusAndCode = async (answer: Response): Promise<unknown> => [
  answer.status,
  ((await answer.json()) as { code: string }).code,
];

const hour = 3_600;
const now = (): number => Math.floor(Date.now() / 1_000);

describe('a provider whose answers are correct', () => {
  it('signs in', async () => {
    const browser = createBrowser();
    expect((await signInWith(person('correct'), browser)).status).toBe(302);
    expect(await userOf(browser, api.origin)).toMatchObject({
      email: 'person@example.com',
      firstName: null,
    });
  });
});

describe('an id token', () => {
  it.each<[string, FakeAnswers]>([
    ['signed with an unpublished key', { wrongKey: true }],
    ['without a signature', { unsigned: true }],
    ['with the algorithm "none"', { header: { alg: 'none' }, unsigned: true }],
    ['with another algorithm than the provider’s', { header: { alg: 'HS256' } }],
    ['for another client', { claims: { aud: 'somebody-else' } }],
    ['for several clients without an authorized party', { claims: { aud: ['tapedeck', 'somebody-else'] } }],
    ['of another issuer', { claims: { iss: 'https://another.example' } }],
    ['that has expired', { claims: { iat: now() - 2 * hour, exp: now() - hour } }],
    ['without a subject', { claims: { sub: undefined } }],
    ['without a nonce', { claims: { nonce: undefined } }],
  ])('%s is refused', async (_what, answers) => {
    const browser = createBrowser();
    expect(await statusAndCode(await signInWith(answers, browser))).toEqual([400, 'SIGN_IN_FAILED']);
    expect((await browser.request(`${api.origin}/api/auth/user`)).status).toBe(401);
  });

  it('of another sign-in is refused', async () => {
    expect(await statusAndCode(await signInWith({}, createBrowser(), 'N'.repeat(43)))).toEqual([
      400,
      'SIGN_IN_FAILED',
    ]);
  });
});

describe('a provider', () => {
  it.each<[string, number, string, FakeAnswers]>([
    ['names two subjects', 400, 'SIGN_IN_FAILED', { user: { sub: 'another' } }],
    ['sends no e-mail address', 400, 'SIGN_IN_WITHOUT_EMAIL', { user: { email: undefined } }],
    ['sends an invalid e-mail address', 400, 'SIGN_IN_WITHOUT_EMAIL', { user: { email: 'nobody' } }],
    ['refuses the code', 400, 'SIGN_IN_FAILED', { token: { status: 400, body: { error: 'invalid_grant' } } }],
    [
      'answers with a server error',
      503,
      'IDENTITY_PROVIDER_UNAVAILABLE',
      { token: { status: 500, body: { error: 'server_error' } } },
    ],
    [
      'is behind a broken proxy',
      503,
      'IDENTITY_PROVIDER_UNAVAILABLE',
      { token: { status: 502, body: '<h1>Bad Gateway</h1>' } },
    ],
  ])('that %s leads to the problem %i %s', async (_what, status, code, answers) => {
    expect(await statusAndCode(await signInWith(answers))).toEqual([status, code]);
  });

  it('that sends another e-mail address changes only the address of the account', async () => {
    const browser = createBrowser();
    const before = { email: 'before@example.com', given_name: 'Jane' };
    await signInWith(person('moving', before), browser);
    const userBefore = await userOf(browser, api.origin);
    await signInWith(person('moving', { email: 'after@example.com' }), browser);
    const userAfter = await userOf(browser, api.origin);
    expect(userAfter).toEqual({ ...userBefore, email: 'after@example.com' });
  });

  it('that sends one e-mail address for two subjects has two accounts', async () => {
    for (const sub of ['one', 'two']) {
      await signInWith(person(sub, { email: 'shared@example.com' }));
      const stream = accountStream(accountId(derivedId('account', provider.issuer, sub)));
      const events = await api.store.readStream(stream);
      expect(events.map(({ type }) => type)).toEqual(['AccountRegistered']);
    }
  });
});
