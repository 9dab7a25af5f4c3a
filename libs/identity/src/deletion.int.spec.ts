import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { commandContext, handle } from '@tapedeck/eventing';
import { startReactions, type RunningReactions } from '@tapedeck/eventing/reactions';
import { eventually } from '@tapedeck/eventing/testing';
import { accountId, type AccountId } from '@tapedeck/kernel';
import type { Browser } from '@tapedeck/sandbox/testing';
import { accountDecider, type AccountCommand } from './domain/decide.ts';
import { accountStream, identityEvents } from './domain/account.ts';
import { identityEffects } from './projections.ts';
import {
  signedInBrowser,
  signIn,
  startSignInEnvironment,
  userOf,
  type SignInEnvironment,
} from './testing/test-sign-in.ts';
import type { TestApi } from './testing/test-api.ts';

let environment: SignInEnvironment;
let api: TestApi;
let effects: RunningReactions | undefined;
beforeAll(async () => {
  environment = await startSignInEnvironment();
  api = environment.api;
});
afterEach(async () => {
  await effects?.stop();
  effects = undefined;
});
afterAll(() => environment.close());

const startEffects = (): void => {
  const { store, databases } = api;
  const pool = databases.tapedeck;
  effects = startReactions({ store, pool, effects: identityEffects({ store, databases: databases.pools }) });
};

const deleteAccount = (browser: Browser, confirmation: string): Promise<Response> =>
  browser.request(`${api.origin}/api/account`, {
    method: 'DELETE',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ confirmation }),
  });
const status = async (browser: Browser): Promise<number> =>
  (await browser.request(`${api.origin}/api/sessions`)).status;
const idOf = async (browser: Browser): Promise<AccountId> =>
  accountId(String((await userOf(browser, api.origin))['id']));
const send = (id: AccountId, command: AccountCommand): Promise<unknown> =>
  handle(api.store, accountDecider, identityEvents)(
    accountStream(id),
    command,
    commandContext({ actor: { id, kind: 'member' }, clock: api.clock }),
  );
/** What is left that could be read or used. */
const remains = async (id: AccountId): Promise<unknown> => {
  const { rows } = await api.databases.tapedeck.query(
    `select (select count(*)::int from sessions where account_id = $1) as sessions,
            (select count(*)::int from personal_data_keys where subject = $1::text and wrapped is not null) as keys`,
    [id],
  );
  return rows[0];
};

describe('DELETE /api/account', () => {
  it('deletes the key, ends every session and clears the cookie, once the address is typed', async () => {
    const email = 'leaving@example.com';
    const [browser, other] = [
      await signedInBrowser(api.origin, email),
      await signedInBrowser(api.origin, email),
    ];
    const id = await idOf(browser);
    const refused = await deleteAccount(browser, 'staying@example.com');
    expect([refused.status, await refused.json()]).toMatchObject([422, { code: 'CONFIRMATION_WRONG' }]);
    expect(await remains(id)).toEqual({ sessions: 2, keys: 1 });
    const answer = await deleteAccount(browser, email);
    expect(answer.status).toBe(204);
    expect(answer.headers.get('clear-site-data')).toBe('"storage"');
    expect(browser.cookieHeader(api.origin)).toBe('');
    expect(await remains(id)).toEqual({ sessions: 0, keys: 0 });
    expect(await status(other)).toBe(401);
    expect((await api.store.readStream(accountStream(id))).at(-1)?.type).toBe('AccountForgotten');
    expect(await signIn(other, api.origin, email)).toMatch(/^403 .*This account was deleted permanently/s);
  });

  it.each([
    ['the event', async () => {}],
    ['the key', (id: AccountId) => api.store.forget(id)],
  ])('is completed when the process dies after %s', async (point, before) => {
    const browser = await signedInBrowser(api.origin, `${point.replace(' ', '-')}@example.com`);
    const id = await idOf(browser);
    await send(id, {
      type: 'ForgetAccount',
      accountId: id,
      confirmation: `${point.replace(' ', '-')}@example.com`,
    });
    await before(id);
    expect(await remains(id)).toMatchObject({ sessions: 1 });
    startEffects();
    await eventually(async () => expect(await remains(id)).toEqual({ sessions: 0, keys: 0 }));
    expect(await status(browser)).toBe(401);
  });

  it('can be repeated by the member when the process dies after the event', async () => {
    const email = 'again@example.com';
    const browser = await signedInBrowser(api.origin, email);
    const id = await idOf(browser);
    await send(id, { type: 'ForgetAccount', accountId: id, confirmation: email });
    expect((await deleteAccount(browser, email)).status).toBe(204);
    expect(await remains(id)).toEqual({ sessions: 0, keys: 0 });
  });
});

describe('a change of roles', () => {
  it('is completed when the process dies after the event', async () => {
    const id = await idOf(await signedInBrowser(api.origin, 'role@example.com'));
    await send(id, { type: 'GrantRole', accountId: id, role: 'support', reason: 'test' });
    startEffects();
    await eventually(async () => {
      const { rows } = await api.databases.tapedeck.query(
        'select roles, version from account_roles where account_id = $1',
        [id],
      );
      expect(rows).toEqual([{ roles: ['support'], version: 1 }]);
    });
  });
});
