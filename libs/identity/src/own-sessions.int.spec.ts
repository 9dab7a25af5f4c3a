import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createBrowser, type Browser } from '@tapedeck/sandbox/testing';
import type { SessionList } from './contract.ts';
import {
  signedInBrowser,
  startSignInEnvironment,
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

const sessionsOf = async (browser: Browser): Promise<SessionList> =>
  (await (await browser.request(`${origin}/api/sessions`)).json()) as SessionList;
const end = async (browser: Browser, id?: string): Promise<number> => {
  const url = `${origin}/api/sessions${id === undefined ? '' : `/${id}`}`;
  return (await browser.request(url, { method: 'DELETE', headers: { 'sec-fetch-site': 'same-origin' } }))
    .status;
};
const status = async (browser: Browser): Promise<number> =>
  (await browser.request(`${origin}/api/auth/user`)).status;
const currentId = async (browser: Browser): Promise<string> =>
  (await sessionsOf(browser)).find(({ isCurrent }) => isCurrent)?.id ?? '';

describe('the sessions of an account', () => {
  it('are listed with the browser family, and the current one is marked', async () => {
    const laptop = createBrowser();
    const callback = await visitUntilCallback(laptop, origin, { login_hint: 'list@example.com' });
    const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.7) Gecko/20100101 Firefox/128.7';
    await laptop.request(callback.href, { headers: { 'user-agent': userAgent } });
    await signedInBrowser(origin, 'list@example.com');
    await signedInBrowser(origin, 'another@example.com');
    const now = new Date(environment.api.clock.now()).toISOString();
    const listed = await sessionsOf(laptop);
    expect(listed).toHaveLength(2);
    expect(listed).toContainEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      startedAt: now,
      seenAt: now,
      endsAt: new Date(environment.api.clock.now() + 7 * 86_400_000).toISOString(),
      browser: 'Firefox on Linux',
      place: 'this computer',
      isSameNetwork: true,
      isCurrent: true,
    });
    expect(listed.filter(({ isCurrent }) => isCurrent)).toHaveLength(1);
    const { rows } = await environment.api.databases.tapedeck.query<{ row: string }>(
      'select s::text as row from sessions s',
    );
    expect(rows.some(({ row }) => row.includes('128.7'))).toBe(false);
  });

  it('end one by one, from the next request on', async () => {
    const [laptop, phone] = [
      await signedInBrowser(origin, 'one@example.com'),
      await signedInBrowser(origin, 'one@example.com'),
    ];
    const id = await currentId(phone);
    expect(await end(laptop, id)).toBe(204);
    expect([await status(phone), await status(laptop)]).toEqual([401, 200]);
    expect(await end(laptop, id)).toBe(404);
    expect(await end(laptop, await currentId(laptop))).toBe(204);
    expect(await status(laptop)).toBe(401);
  });

  it('end together except the current one', async () => {
    const browsers: Browser[] = [];
    for (let n = 0; n < 3; n++) browsers.push(await signedInBrowser(origin, 'all@example.com'));
    const [current = createBrowser(), ...others] = browsers;
    const stranger = await signedInBrowser(origin, 'stranger@example.com');
    expect(await end(current)).toBe(204);
    expect(await Promise.all(others.map(status))).toEqual([401, 401]);
    expect([await status(current), await status(stranger)]).toEqual([200, 200]);
    expect(await sessionsOf(current)).toHaveLength(1);
  });

  it('cannot be ended by another account', async () => {
    const owner = await signedInBrowser(origin, 'owner@example.com');
    const stranger = await signedInBrowser(origin, 'stranger@example.com');
    expect(await end(stranger, await currentId(owner))).toBe(404);
    for (const id of ['nonsense', '%00', '%F0%9F'])
      expect(await end(stranger, id)).toBe(id === '%F0%9F' ? 400 : 404);
    expect(await status(owner)).toBe(200);
  });
});
