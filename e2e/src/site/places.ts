import { auditRoutes, FoundMembers } from '@tapedeck/audit/contract';
import type { Page } from 'playwright-core';
import { explorerRoutes, StrategyList } from '@tapedeck/explorer/contract';

export type Persona = 'visitor' | 'member' | 'support' | 'admin';

/** One page of the site, for checks and pictures of all of them. */
export type Place = Readonly<{
  name: string;
  as: Persona;
  path: string | ((page: Page) => Promise<string>);
  /** Until everything that the page loads is shown. */
  ready: (page: Page) => Promise<unknown>;
  /** Of the console: what is not there is answered with 404. */
  expectedMessages?: RegExp;
}>;

/** The heading is there, and nothing on the page is still loading. */
const settled = async (page: Page): Promise<void> => {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForFunction(() => !document.querySelector('[aria-busy=true], .skeleton'));
};

/** The histograms of the sliders come when they are near. */
const landingShown = async (page: Page): Promise<void> => {
  await page.locator('#explorer').scrollIntoViewIfNeeded();
  await page.getByRole('slider').first().waitFor();
  await page.evaluate(() => window.scrollTo(0, 0));
};

const resultsShown = (page: Page): Promise<void> => page.locator('.cards[aria-busy=false]').waitFor();

const firstStrategyPath = async (page: Page): Promise<string> => {
  const answer = await page.request.get(`${explorerRoutes.filtered}?limit=1&sort_by=likes`);
  const [first] = StrategyList.parse(await answer.json()).strategies;
  return `/strategy/${first?.url_id}`;
};

const firstMemberPath = async (page: Page): Promise<string> => {
  const answer = await page.request.get(`${auditRoutes.find}?q=pro@tapedeck.example`);
  const { members } = FoundMembers.parse(await answer.json());
  return `/admin/members/${members[0]?.accountId}`;
};

const place = (as: Persona, name: string, path: Place['path'], ready: Place['ready'] = settled): Place => ({
  as,
  name,
  path,
  ready,
});

export const places: readonly Place[] = [
  place('visitor', 'landing', '/', landingShown),
  {
    ...place('visitor', 'payment-success', '/payment-success?session_id=cs_test_unknown'),
    expectedMessages: /404 .*\/api\/verify-payment\//,
  },
  place('visitor', 'privacy-policy', '/pages/extension-privacy-policy'),
  place('visitor', 'terms-of-service', '/pages/terms-of-service'),
  place('visitor', 'test-screenshot', '/test-screenshot'),
  { ...place('visitor', 'not-found', '/nowhere'), expectedMessages: /404 .*\/nowhere$/ },
  place('member', 'dashboard', '/'),
  place('member', 'optimizer', '/?section=strategy-optimizer'),
  place('member', 'trading-bots', '/?section=trading-bots'),
  place('member', 'my-account', '/?section=my-account'),
  place('member', 'complete-profile', '/complete-profile'),
  { ...place('member', 'pay', '/pay'), expectedMessages: /(?:404|409) .*\/api\/membership\/payment-page/ },
  place('member', 'favorites', '/favorites'),
  place('member', 'explorer', '/strategies', resultsShown),
  place('member', 'strategy', firstStrategyPath),
  place('support', 'members', '/admin/members'),
  place('support', 'member', firstMemberPath),
  place('support', 'replays', '/admin/replays'),
  place('support', 'parked-events', '/admin/parked-events'),
  place('support', 'queues', '/admin/queues'),
  place('admin', 'dashboard-of-admins', '/'),
  place('admin', 'figures', '/admin/figures'),
  place('admin', 'prices', '/admin/prices'),
  place('admin', 'projections', '/admin/projections'),
  place('admin', 'upload', '/admin/upload'),
  place('admin', 'sql', '/admin/sql'),
];

export const openPlace = async (page: Page, { path, ready }: Place): Promise<void> => {
  await page.goto(typeof path === 'string' ? path : await path(page));
  await ready(page);
  await page.evaluate(() => document.fonts.ready);
};
