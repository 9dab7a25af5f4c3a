import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createBrowser, type Browser } from '@tapedeck/sandbox/testing';
import {
  problemOf,
  signedInBrowser,
  signIn,
  startSignInEnvironment,
  userOf,
  type SignInEnvironment,
} from './testing/test-sign-in.ts';

let environment: SignInEnvironment;
beforeAll(async () => (environment = await startSignInEnvironment()));
afterAll(() => environment.close());

const origin = (): string => environment.api.origin;

const idOf = async (browser: Browser): Promise<string> => String((await userOf(browser, origin()))['id']);

type Sent = Readonly<{ method?: string; expected?: string; body?: unknown }>;

const send = (browser: Browser, path: string, { method = 'POST', expected, body }: Sent): Promise<Response> =>
  browser.request(`${origin()}${path}`, {
    method,
    headers: {
      'sec-fetch-site': 'same-origin',
      ...(expected === undefined ? {} : { 'expected-account': expected }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const profile = { discordEmail: 'old-tab@discord.example', tradingViewUsername: 'old_tab' };
const codeOf = async (answer: Response): Promise<unknown> => [
  answer.status,
  (await problemOf(answer))['code'],
];

/** A browser in which one person was signed in, and now another one is. */
const sharedBrowser = async (
  one: string,
  other: string,
): Promise<Readonly<{ browser: Browser; old: string }>> => {
  const browser = await signedInBrowser(origin(), one);
  const old = await idOf(browser);
  await signIn(browser, origin(), other);
  return { browser, old };
};

describe('a change that is sent with Expected-Account', () => {
  it('is refused with 409 OTHER_ACCOUNT when another account is signed in, and changes neither account', async () => {
    const { browser, old } = await sharedBrowser('first@example.com', 'second@example.com');
    const answer = await send(browser, '/api/complete-profile', { expected: old, body: profile });
    expect(await codeOf(answer)).toEqual([409, 'OTHER_ACCOUNT']);
    const unchanged = { discordEmail: null, tradingViewUsername: null };
    expect(await userOf(browser, origin())).toMatchObject({ ...unchanged, email: 'second@example.com' });
    const first = await signedInBrowser(origin(), 'first@example.com');
    expect(await userOf(first, origin())).toMatchObject({ ...unchanged, id: old });
  });

  it('is made for the account that it names', async () => {
    const { browser } = await sharedBrowser('third@example.com', 'fourth@example.com');
    const expected = await idOf(browser);
    expect((await send(browser, '/api/complete-profile', { expected, body: profile })).status).toBe(200);
    expect(await userOf(browser, origin())).toMatchObject({ ...profile, id: expected });
  });

  it.each([
    ['the deletion of the account', 'DELETE', '/api/account', { confirmation: 'owner@example.com' }],
    ['the end of other sessions', 'DELETE', '/api/sessions', undefined],
    ['a change that visitors can make too', 'POST', '/api/test', undefined],
  ])('is refused for %s', async (_what, method, path, body) => {
    const { browser, old } = await sharedBrowser('guest@example.com', 'owner@example.com');
    const elsewhere = await signedInBrowser(origin(), 'owner@example.com');
    expect(await codeOf(await send(browser, path, { method, expected: old, body }))).toEqual([
      409,
      'OTHER_ACCOUNT',
    ]);
    expect(await userOf(elsewhere, origin())).toMatchObject({ email: 'owner@example.com' });
  });

  it('is refused when the header has several values, or none that is an account', async () => {
    const browser = await signedInBrowser(origin(), 'several@example.com');
    const own = await idOf(browser);
    for (const expected of [`${own}, ${own}`, 'nobody', '']) {
      expect(await codeOf(await send(browser, '/api/test', { expected }))).toEqual([409, 'OTHER_ACCOUNT']);
    }
  });

  it('is answered with 401 when the session has ended', async () => {
    const browser = await signedInBrowser(origin(), 'gone@example.com');
    const expected = await idOf(browser);
    await send(browser, '/api/logout', {});
    expect(await codeOf(await send(browser, '/api/test', { expected }))).toEqual([401, 'SIGNED_OUT']);
  });
});

describe('without Expected-Account', () => {
  it('nothing is different, for a session and for a visitor', async () => {
    const { browser } = await sharedBrowser('fifth@example.com', 'sixth@example.com');
    expect((await send(browser, '/api/complete-profile', { body: profile })).status).toBe(200);
    expect((await send(createBrowser(), '/api/test', {})).status).toBe(201);
  });
});

describe('a request that only reads', () => {
  it('is answered for the account of the session, whatever it expects', async () => {
    const { browser, old } = await sharedBrowser('seventh@example.com', 'eighth@example.com');
    const answer = await send(browser, '/api/auth/user', { method: 'GET', expected: old });
    expect([answer.status, await answer.json()]).toEqual([
      200,
      expect.objectContaining({ email: 'eighth@example.com' }),
    ]);
  });
});
