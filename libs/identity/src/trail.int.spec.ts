import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Browser } from '@tapedeck/sandbox/testing';
import { createBrowser } from '@tapedeck/sandbox/testing';
import type { TestApi } from './testing/test-api.ts';
import {
  signedInBrowser,
  startSignInEnvironment,
  userOf,
  visitUntilCallback,
  type SignInEnvironment,
} from './testing/test-sign-in.ts';

let environment: SignInEnvironment;
let api: TestApi;
let lines: unknown[][];

beforeAll(async () => {
  environment = await startSignInEnvironment();
  api = environment.api;
});
afterAll(() => environment.close());
beforeEach(() => {
  lines = [];
  jest.spyOn(api.logger, 'info').mockImplementation((...line: unknown[]) => void lines.push(line));
});

const trail = (): unknown[] => lines.flatMap(([fields, text]) => (text === 'security' ? [fields] : []));
const accountOf = async (browser: Browser): Promise<string> =>
  String((await userOf(browser, api.origin))?.['id']);

describe('the trail', () => {
  it('has a line for signing in and one for signing out, with the account and the address', async () => {
    const browser = await signedInBrowser(api.origin, 'trail@example.com');
    const account = await accountOf(browser);
    await browser.request(`${api.origin}/api/logout`, { headers: { 'sec-fetch-site': 'same-origin' } });
    const address = expect.stringMatching(/^(?:127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)$/);
    expect(trail()).toEqual([
      expect.objectContaining({ event: 'authn_login_success', account, address }),
      expect.objectContaining({ event: 'authn_logout', account, address }),
    ]);
  });

  it('has a line for a sign-in that failed', async () => {
    const browser = createBrowser();
    const callback = await visitUntilCallback(browser, api.origin, { login_hint: 'failed@example.com' });
    await createBrowser().request(callback.href);
    expect(trail()).toEqual([
      expect.objectContaining({ event: 'authn_login_fail', code: 'SIGN_IN_EXPIRED', account: undefined }),
    ]);
  });

  it('has a line for a request that is forbidden', async () => {
    const browser = await signedInBrowser(api.origin, 'refused@example.com');
    lines = [];
    await browser.request(`${api.origin}/api/test`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect(trail()).toEqual([
      expect.objectContaining({ event: 'authz_fail', code: 'CROSS_SITE_REQUEST', method: 'POST' }),
    ]);
  });

  it('and the lines of requests name the account and no address of a person', async () => {
    const browser = await signedInBrowser(api.origin, 'named@example.com');
    const account = await accountOf(browser);
    expect(lines).toContainEqual([expect.objectContaining({ route: '/api/auth/user', account }), 'request']);
    expect(JSON.stringify(lines)).not.toContain('named@example.com');
  });
});
