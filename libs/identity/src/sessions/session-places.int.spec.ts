import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createBrowser, type Browser } from '@tapedeck/sandbox/testing';
import { SessionList } from '../contract.ts';
import { countryFile } from '../testing/country-file.ts';
import {
  startSignInEnvironment,
  visitUntilCallback,
  type SignInEnvironment,
} from '../testing/test-sign-in.ts';

const folder = mkdtempSync(join(tmpdir(), 'tapedeck-places-'));
const path = join(folder, 'country.mmdb');
let environment: SignInEnvironment;
let origin: string;
beforeAll(async () => {
  writeFileSync(path, countryFile('81.2.69.0', 24, 'GB'));
  environment = await startSignInEnvironment({ COUNTRY_DATABASE: path, TRUSTED_PROXIES: '1' });
  origin = environment.api.origin;
});
afterAll(async () => {
  await environment.close();
  rmSync(folder, { recursive: true });
});

const signInFrom = async (address: string, email: string): Promise<Browser> => {
  const browser = createBrowser();
  const callback = await visitUntilCallback(browser, origin, { login_hint: email });
  await browser.request(callback.href, { headers: { 'x-forwarded-for': address } });
  return browser;
};

const sessionsOf = async (browser: Browser): Promise<SessionList> =>
  SessionList.parse(await (await browser.request(`${origin}/api/sessions`)).json());

describe('the sessions of an account', () => {
  it('say from which country and network they began, and keep no address', async () => {
    const email = 'places@example.com';
    const addresses = ['81.2.69.142', '81.2.69.7', '203.0.113.9', '192.168.1.5'];
    const [current = createBrowser()] = await Promise.all(
      addresses.map((address) => signInFrom(address, email)),
    );
    const places = (await sessionsOf(current)).map(({ place, isSameNetwork }) => [place, isSameNetwork]);
    expect(places).toHaveLength(4);
    expect(places).toEqual(
      expect.arrayContaining([
        ['United Kingdom', true],
        [null, false],
        ['a private network', false],
      ]),
    );
    expect(places.filter(([, isSame]) => isSame)).toHaveLength(2);
    const { rows } = await environment.api.databases.tapedeck.query<{ row: string }>(
      'select s::text as row from sessions s',
    );
    for (const { row } of rows) for (const address of addresses) expect(row).not.toContain(address);
  });
});
