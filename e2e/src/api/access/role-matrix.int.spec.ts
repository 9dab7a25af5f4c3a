import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sampleEvent } from '@tapedeck/eventing/testing';
import { identityRoutes } from '@tapedeck/identity/contract';
import { accountId, newId } from '@tapedeck/kernel';
import { membershipStream } from '@tapedeck/membership/events';
import { createLogger } from '@tapedeck/platform/log';
import { testDatabases, type TestDatabases } from '@tapedeck/platform/testing';
import { createBrowser, type Browser } from '@tapedeck/sandbox/testing';
import { operations, type Operation } from '../fuzz/operations.ts';
import { expectedAccess, type Access } from './expected-access.ts';
import { startWholeApi, type WholeApi } from './whole-api.ts';

const callers = [
  'visitor',
  'member',
  'Pro member',
  'Elite member',
  'expired member',
  'support',
  'admin',
] as const;
type Caller = (typeof callers)[number];
type Outcome = 'admitted' | 'signed out' | 'refused';

type Mode = 'open' | 'advertised';
const staff = ['support', 'admin'] as const;
const paid = ['Pro member', 'Elite member', ...staff] as const;
const members = ['member', 'expired member', ...paid] as const;

const admitted = (mode: Mode): Readonly<Record<Access, readonly Caller[]>> => ({
  everybody: callers,
  members,
  'members with the explorer': mode === 'open' ? members : ['Elite member', ...staff],
  'members with favourites': mode === 'open' ? members : paid,
  'paid members': paid,
  'support and admins': staff,
  admins: ['admin'],
});

const isSold = (access: Access): boolean =>
  admitted('open')[access].length > admitted('advertised')[access].length;

/** Where the plan decides nothing, a second mode could only refuse somebody without a plan. */
const askedIn = (mode: Mode, access: Access): readonly Caller[] =>
  mode === 'open' || isSold(access) ? callers : ['member'];

let databases: TestDatabases;
let api: WholeApi;
const browsers = new Map<Caller, Browser>();

const emailOf = (caller: Caller): string => `${caller.replace(' ', '.')}@example.com`;

const signIn = async (caller: Caller): Promise<void> => {
  browsers.set(caller, caller === 'visitor' ? createBrowser() : await api.signIn(emailOf(caller)));
};

/** Access to what is paid for, until then or without an end. */
const grantAccess = async (caller: Caller, tier: 'Pro' | 'Elite', until: string | null): Promise<void> => {
  const browser = browsers.get(caller) ?? createBrowser();
  const answer = await browser.request(`${api.url}${identityRoutes.user}`);
  const { id } = (await answer.json()) as { id: string };
  const data = { accountId: id, grantId: newId(), tier, until, reason: 'test' };
  const granted = sampleEvent('ComplimentaryAccessGranted', data);
  await api.product.store.append(membershipStream(accountId(id)), 'NO_STREAM', [granted]);
};

const start = async (entitlements: Mode): Promise<void> => {
  databases = await testDatabases();
  const logger = createLogger('test', 'silent');
  api = await startWholeApi({ urls: databases.urls, logger, entitlements });
  for (const caller of callers) await signIn(caller);
  for (const role of ['support', 'admin'] as const) {
    await api.grant(role, emailOf(role));
    await signIn(role);
  }
  await grantAccess('Pro member', 'Pro', null);
  await grantAccess('Elite member', 'Elite', null);
  await grantAccess('expired member', 'Elite', '2026-01-01T00:00:00.000Z');
  await api.project();
};
const stop = async (): Promise<void> => {
  await api.close();
  await databases.drop();
};

const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;

/** Of the session or the rights of the caller; everything else is answered by the operation itself. */
const outcomeOf = (answer: Response): Outcome => {
  if (answer.status === 401) return 'signed out';
  return answer.status === 403 ? 'refused' : 'admitted';
};

const request = async ({ method, path, bodyFields }: Operation, caller: Caller): Promise<Outcome> => {
  const url = `${api.url}${path.replaceAll(/\{\w+\}/g, 'unknown')}`;
  const answer = await (browsers.get(caller) ?? createBrowser()).request(url, {
    method,
    headers: {
      'sec-fetch-site': 'same-origin',
      ...(bodyFields ? { 'content-type': 'application/json' } : {}),
    },
    ...(bodyFields ? { body: '{}' } : {}),
  });
  // A stream of changes would stay open.
  await answer.body?.cancel();
  const endsSession = answer.headers.getSetCookie().length > 0;
  if (endsSession) await signIn(caller);
  return outcomeOf(answer);
};

const expectedOutcome = (access: Access, caller: Caller, mode: Mode): Outcome => {
  if (admitted(mode)[access].includes(caller)) return 'admitted';
  return caller === 'visitor' ? 'signed out' : 'refused';
};

it('the access is decided for every operation of the API, and for no other', () => {
  expect(Object.keys(expectedAccess).toSorted()).toEqual(operations.map(nameOf).toSorted());
});

describe.each(['open', 'advertised'] as const)('the access to operations, with entitlements %s,', (mode) => {
  beforeAll(() => start(mode));
  afterAll(stop);

  it.each(operations.map((operation) => [nameOf(operation), operation] as const))(
    'of %s is as decided',
    async (name, operation) => {
      const access = expectedAccess[name] ?? 'admins';
      const outcomes: Partial<Record<Caller, Outcome>> = {};
      const asked = askedIn(mode, access);
      for (const caller of asked) outcomes[caller] = await request(operation, caller);
      expect(outcomes).toEqual(
        Object.fromEntries(asked.map((caller) => [caller, expectedOutcome(access, caller, mode)])),
      );
    },
  );
});
