import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { paymentRoutes } from '@tapedeck/payments/contract';
import type { BrowserContextOptions, Page, Route } from 'playwright-core';
import { expectShown } from './explorer-screen.ts';
import { openServedPage, type ServedPage } from './failing-server.ts';
import { signInAs } from './membership-screen.ts';
import { expectShownInTime } from './stopped-time.ts';
import { setUpTestEnvironment } from './test-environment.ts';

// The tests answer requests with errors, or not at all, which the browser logs.
const environment = setUpTestEnvironment({
  product: 'shared',
  expectedErrors: /status of (?:429|50[03])|ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_ABORTED/,
});

const maxRequestsInAMinute = 12;

const answerWith =
  (status: number, headers: Readonly<Record<string, string>> = {}) =>
  (route: Route): Promise<void> =>
    route.fulfill({ status, json: { title: 'Out of order', status }, headers });

/** How a server fails; `null` never answers. */
const failures = {
  500: answerWith(500),
  503: answerWith(503, { 'retry-after': '2' }),
  429: answerWith(429, { 'retry-after': '1' }),
  hang: () => new Promise<void>(() => undefined),
  offline: (route: Route) => route.abort('internetdisconnected'),
} as const;
const modes = Object.keys(failures) as readonly (keyof typeof failures)[]; // `Object.keys` forgets the names.

let admin: BrowserContextOptions;

/** An account for every page. */
beforeAll(async () => {
  const page = await environment.openPage('visitor');
  await signInAs(page, 'admin@tapedeck.example');
  const { cookies } = await page.context().storageState();
  admin = { storageState: { cookies, origins: [] } };
}, 60_000);

const forVisitors = ['/', '/landing', '/payment-success?session_id=cs_test_1', '/pages/terms-of-service'];
const forMembers = [
  '/',
  '/landing',
  '/?section=my-account',
  '/complete-profile',
  '/strategies',
  '/strategy/Demo0001',
];
const forAdmins = [
  '/admin/members',
  '/admin/figures',
  '/admin/projections',
  '/admin/parked-events',
  '/admin/queues',
  '/admin/prices',
  '/admin/upload',
  '/admin/sql',
  '/admin/replays',
];
const everything = /\/api\//;
/** The page itself opens, and nothing that it shows is answered. */
const allButSession = /\/api\/(?!auth\/|config)/;

const open = async (
  who: 'visitor' | 'admin',
  path: string,
  before: (page: Page) => Promise<unknown>,
): Promise<ServedPage> => {
  const page = await environment.openPage('visitor', who === 'admin' ? admin : {});
  return openServedPage(page, path, () => before(page));
};

type Case = Readonly<{ who: 'visitor' | 'admin'; path: string; failing: RegExp }>;

const cases: readonly Case[] = [
  ...forVisitors.map((path): Case => ({ who: 'visitor', path, failing: everything })),
  ...forMembers.map((path): Case => ({ who: 'admin', path, failing: everything })),
  ...[...forMembers, ...forAdmins].map((path): Case => ({ who: 'admin', path, failing: allButSession })),
];

const nameOf = ({ who, path, failing }: Case): string =>
  `${path} as ${who}, ${failing === everything ? 'nothing' : 'only the session'} answered`;

/** What one minute of it costs the server, and what is left on the screen. */
const minuteOf = async (one: Case, mode: keyof typeof failures): Promise<readonly unknown[]> => {
  const served = await open(one.who, one.path, (page) => page.route(one.failing, failures[mode]));
  await served.pass(60);
  const report = [nameOf(one), served.requests() <= maxRequestsInAMinute || served.requests()];
  const isBlank = ((await served.page.locator('main').textContent()) ?? '').trim() === '';
  await served.close();
  return [...report, isBlank ? 'blank' : 'shows something'];
};

const inGroups = <T>(all: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));

describe.each(modes)('a server that fails by %s', (mode) => {
  it.each([
    ['visitors', cases.filter(({ who }) => who === 'visitor')],
    ['members', cases.filter(({ who, failing }) => who === 'admin' && failing === everything)],
    ['admins', cases.filter(({ failing }) => failing === allButSession)],
  ] as const)(
    'is asked at most 12 times in a minute by each page for %s, none of which is blank',
    async (_who, some) => {
      const reports: (readonly unknown[])[] = [];
      for (const group of inGroups(some, 3))
        reports.push(...(await Promise.all(group.map((one) => minuteOf(one, mode)))));
      expect(reports).toEqual(some.map((one) => [nameOf(one), true, 'shows something']));
    },
    240_000,
  );

  it('is asked at most 12 times in a minute by pages that were open before', async () => {
    const reports: unknown[] = [];
    for (const path of ['/strategies', '/?section=my-account', '/admin/projections', '/admin/queues']) {
      const served = await open('admin', path, () => Promise.resolve());
      await expectShownInTime(served.page, served.page.getByRole('heading', { level: 1 }));
      await served.pass(3);
      await served.page.route(everything, failures[mode]);
      // The stream of changes ends with the server.
      await served.page.evaluate(() => window.dispatchEvent(new Event('online')));
      served.countAgain();
      await served.pass(60);
      reports.push([path, served.requests() <= maxRequestsInAMinute || served.requests()]);
      await served.close();
    }
    expect(reports.map((report) => Object(report)[1])).toEqual([true, true, true, true]);
  }, 240_000);
});

describe('a page that waits for the server', () => {
  it('says after 2 s that it still works, and after 10 s offers a choice', async () => {
    const { page, pass } = await open('admin', '/strategies', (on) => on.route(everything, failures.hang));
    const main = page.locator('main');
    expect(await main.textContent()).toBe('');
    await pass(3);
    await expectShown(main.getByText('Still working...'));
    expect(await main.getByRole('button').count()).toBe(0);
    await pass(8);
    await expectShown(main.getByRole('button', { name: 'Reload the page' }));
    await expectShown(main.getByRole('link', { name: 'Go to the landing page' }));
  });

  it('says beside a list that it still works, and then offers the choice', async () => {
    const { page, pass } = await open('admin', '/strategies', (on) => on.route(allButSession, failures.hang));
    await expectShownInTime(page, page.getByText('Loading strategies'));
    await pass(3);
    await expectShown(page.locator('.still-working').getByText('Still working...'));
    await pass(8);
    await expectShown(page.getByRole('button', { name: 'Reload the page' }));
  });

  it('shows the account while billing is not answered, and says that it still works', async () => {
    const { page, pass } = await open('admin', '/?section=my-account', (on) =>
      on.route(`**${paymentRoutes.billing}`, failures.hang),
    );
    await expectShownInTime(page, page.getByRole('region', { name: 'History' }), 100);
    await pass(3);
    await expectShown(page.locator('.still-working').getByText('Still working...'));
    await pass(8);
    await expectShown(page.getByRole('button', { name: 'Reload the page' }));
  });

  it.each(['/admin/figures', '/admin/projections', '/?section=my-account'])(
    'says in place of %s that it still works, and then offers the choice',
    async (path) => {
      const { page, pass } = await open('admin', path, (on) => on.route(allButSession, failures.hang));
      const waiting = page.locator('.still-working');
      await eventually(async () => {
        await page.clock.runFor(20);
        expect(await waiting.count()).toBeGreaterThan(0);
      });
      await pass(3);
      await expectShown(waiting.getByText('Still working...'));
      await pass(8);
      await expectShown(page.getByRole('button', { name: 'Reload the page' }));
    },
  );

  it('goes on when the network returns, without a press', async () => {
    const { page, pass } = await open('admin', '/strategies', (on) => on.route(everything, failures.offline));
    await expectShownInTime(page, page.getByRole('heading', { name: 'The server is not answering' }));
    await pass(50);
    await page.unroute(everything);
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await expectShownInTime(page, page.getByRole('heading', { name: 'Strategy Explorer' }));
  });

  it('goes on when it is shown again', async () => {
    const { page, pass, show, requests } = await open('admin', '/strategies', (on) =>
      on.route(everything, failures[500]),
    );
    await expectShownInTime(page, page.getByRole('heading', { name: 'The server is not answering' }));
    await show(false);
    const before = requests();
    await pass(120);
    expect(requests()).toBe(before);
    await page.unroute(everything);
    await show(true);
    await pass(1);
    await expectShownInTime(page, page.getByRole('heading', { name: 'Strategy Explorer' }));
  });

  it('waits as long as the server wishes', async () => {
    const { page, pass, requests } = await open('admin', '/strategies', (on) =>
      on.route(everything, answerWith(503, { 'retry-after': '40' })),
    );
    await expectShownInTime(page, page.getByRole('heading', { name: 'The server is not answering' }));
    await pass(39);
    const before = requests();
    await pass(14);
    await eventually(() => expect(requests()).toBe(before + 1));
  });
});
