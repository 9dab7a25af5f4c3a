import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from '@tapedeck/sandbox/testing';
import { commandContext, handle } from '@tapedeck/eventing';
import { accountId, derivedId } from '@tapedeck/kernel';
import { accountDecider } from './domain/decide.ts';
import { accountStream, identityEvents } from './domain/account.ts';
import { runRoleCommand } from './roles.ts';
import {
  signedInBrowser,
  startSignInEnvironment,
  userOf,
  type SignInEnvironment,
} from './testing/test-sign-in.ts';
import type { TestApi } from './testing/test-api.ts';

let environment: SignInEnvironment;
let api: TestApi;

// No projector runs in this environment.
beforeAll(async () => {
  environment = await startSignInEnvironment();
  api = environment.api;
});
afterAll(() => environment.close());

const run = async (...args: readonly string[]): Promise<string> => {
  let text = '';
  const write = (part: string): void => void (text += part);
  const { store, databases, clock } = api;
  const options = { args, store, pool: databases.tapedeck, clock };
  const status = await runRoleCommand({ ...options, output: { write }, errors: { write } });
  return `${status} ${text}`;
};

const adminStatus = async (browser: Browser): Promise<unknown> => {
  const answer = await browser.request(`${api.origin}/api/auth/admin-status`);
  return answer.status === 200 ? answer.json() : answer.status;
};

describe('npm run role', () => {
  it('grants a role from the next sign-in on, and takes it away from the next request on', async () => {
    const before = await signedInBrowser(api.origin, 'ada@example.com');
    const { id } = (await userOf(before, api.origin)) as { id: string };
    expect(await adminStatus(before)).toEqual({ isAdmin: false, isSupport: false });
    expect(await run('grant', 'admin', ' ADA@example.com ', '--reason', 'on call')).toMatch(
      /^0 .* has the role admin from the next sign-in on\.\n$/,
    );
    const { rows } = await api.databases.tapedeck.query('select 1 from sessions where account_id = $1', [id]);
    expect(rows).toEqual([]);
    expect(await adminStatus(before)).toBe(401);
    const asAdmin = await signedInBrowser(api.origin, 'ada@example.com');
    expect(await adminStatus(asAdmin)).toEqual({ isAdmin: true, isSupport: false });
    expect(await run('list')).toBe(`0 admin           ada@example.com  ${id}\n`);
    expect(await run('revoke', 'admin', id)).toBe(
      `0 ${id} no longer has the role admin, and is signed out.\n`,
    );
    expect(await adminStatus(asAdmin)).toBe(401);
    const after = await signedInBrowser(api.origin, 'ada@example.com');
    expect(await adminStatus(after)).toEqual({ isAdmin: false, isSupport: false });
    expect(await run('list')).toBe('0 No account has a role.\n');
    const [granted] = (await api.store.readStream(accountStream(accountId(id)))).slice(1);
    expect(granted).toMatchObject({
      type: 'RoleGranted',
      data: { role: 'admin', reason: 'on call' },
      metadata: { actorId: 'command-line', actorKind: 'system' },
    });
  });

  it('completes a revocation that was interrupted after its event', async () => {
    const email = 'interrupted@example.com';
    await signedInBrowser(api.origin, email);
    await run('grant', 'support', email);
    const browser = await signedInBrowser(api.origin, email);
    const { tapedeck } = api.databases;
    await tapedeck.query('alter table account_roles rename to account_roles_renamed');
    expect(await run('revoke', 'support', email)).toMatch(/^1 ✗ /);
    await tapedeck.query('alter table account_roles_renamed rename to account_roles');
    expect(await adminStatus(browser)).toEqual({ isAdmin: false, isSupport: true });
    expect(await run('revoke', 'support', email)).toMatch(/^0 /);
    expect(await adminStatus(browser)).toBe(401);
  });

  it('finds the account whose address the provider has verified, not one that only claims it', async () => {
    const email = 'claimed@example.com';
    const register = async (subject: string, emailVerified: boolean): Promise<string> => {
      const id = accountId(derivedId('account', subject));
      const person = {
        subject,
        email,
        emailVerified,
        firstName: null,
        lastName: null,
        profileImageUrl: null,
      };
      await handle(api.store, accountDecider, identityEvents)(
        accountStream(id),
        { type: 'RegisterAccount', accountId: id, issuer: 'test', ...person },
        commandContext({ actor: { id, kind: 'member' }, clock: api.clock }),
      );
      return id;
    };
    await register('claims it', false);
    expect(await run('grant', 'admin', email)).toMatch(/^1 ✗ The sign-in provider has not verified/);
    const owner = await register('owns it', true);
    expect(await run('grant', 'admin', email)).toMatch(/^0 /);
    expect(await run('list')).toBe(`0 admin           ${email}  ${owner}\n`);
    await register('owns it too', true);
    expect(await run('grant', 'admin', email)).toMatch(/^1 ✗ Several accounts have the address/);
  });

  it('says what is wrong in one sentence', async () => {
    expect(await run('grant', 'admin', 'nobody@example.com')).toBe(
      '1 ✗ There is no account with the address nobody@example.com: its owner has to sign in once.\n',
    );
    for (const args of [[], ['grant', 'owner', 'a@example.com'], ['list', '--all'], ['grant', 'admin']]) {
      expect(await run(...args)).toMatch(/^1 ✗ Usage: npm run role -- [^\n]+\n$/);
    }
  });
});
