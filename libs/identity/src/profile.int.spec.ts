import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from '@tapedeck/sandbox/testing';
import { projectToEnd } from '@tapedeck/eventing/projections';
import { identityProjections } from './projections.ts';
import {
  signedInBrowser,
  startSignInEnvironment,
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

const complete = (browser: Browser, body: unknown, key?: string): Promise<Response> =>
  browser.request(`${origin}/api/complete-profile`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body: JSON.stringify(body),
  });

const profile = { discordEmail: 'jane@discord.example', tradingViewUsername: 'jane_d' };

describe('the profile', () => {
  it('is shown with the account, before and after the projector has seen it', async () => {
    const browser = await signedInBrowser(origin, 'jane@example.com');
    const answer = await complete(
      browser,
      { discordEmail: ' jane@discord.example ', tradingViewUsername: 'jane_d' },
      'k1',
    );
    expect([answer.status, await answer.json()]).toEqual([200, profile]);
    expect(answer.headers.get('tape-position')).toMatch(/^\d+$/);
    expect(await userOf(browser, origin)).toMatchObject(profile);
    const { store, databases } = environment.api;
    await projectToEnd({ store, projections: identityProjections, databases: databases.pools });
    expect(await userOf(browser, origin)).toMatchObject({ ...profile, email: 'jane@example.com' });
    const changed = { ...profile, tradingViewUsername: 'jd' };
    expect((await complete(browser, changed)).status).toBe(200);
    await projectToEnd({ store, projections: identityProjections, databases: databases.pools });
    expect(await userOf(browser, origin)).toMatchObject(changed);
  });

  it.each([
    [{}, 'Please fill in all required fields.'],
    [{ ...profile, tradingViewUsername: '  ' }, 'Please fill in all required fields.'],
    [{ ...profile, discordEmail: 'jane#1234' }, 'Please enter a valid email address.'],
    [{ ...profile, tradingViewUsername: 'x'.repeat(101) }, 'Please enter at most 100 characters.'],
  ])('is refused as %j', async (body, message) => {
    const answer = await complete(await signedInBrowser(origin, 'wrong@example.com'), body);
    expect(answer.status).toBe(400);
    expect(JSON.stringify(await answer.json())).toContain(message);
  });
});
