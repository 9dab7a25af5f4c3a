import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { missingFeatureText } from '@tapedeck/plans/contract';
import type { Page, Route } from 'playwright-core';
import { expectNoJson } from './error-screen.ts';
import { expectHidden, expectShown, openExplorer, resultsLoaded } from './explorer-screen.ts';
import { stopClock } from './specification/stopped-clock.ts';
import { expectShownInTime, stopTimeBeforeOpening } from './stopped-time.ts';
import { setUpTestEnvironment } from './test-environment.ts';

// The tests answer requests with errors, which the browser logs.
const environment = setUpTestEnvironment({
  product: 'shared',
  expectedErrors: /status of (?:401|403|429|50[03])|ERR_CONNECTION_REFUSED/,
});
let page: Page;

beforeEach(() => {
  ({ page } = environment);
});

const explore = '**/api/strategies/explore*';
const favourites = '**/api/member/favorites*';
const favourite = '**/api/member/favorites/*';

const answerWith =
  (status: number, headers: Readonly<Record<string, string>> = {}) =>
  (route: Route): Promise<void> =>
    route.fulfill({ status, json: { title: 'Out of order', status, requestId: 'r-42' }, headers });
const expectText = (text: string): Promise<void> => expectShown(page.getByText(text, { exact: true }));
const expectToast = (title: string, text: string): Promise<void> =>
  expectShown(
    page.locator('.toast', { has: page.getByText(title, { exact: true }) }).filter({ hasText: text }),
  );

describe('Filtered strategies fetch fails', () => {
  it('shows the reason, keeps the filters and tries again on request', async () => {
    await page.route(explore, answerWith(500));
    await page.goto('/strategies?symbol=btc');
    await expectText('Failed to fetch filtered strategies');
    await expectText('Your filters are kept; nothing else is affected.');
    await expectNoJson(page);
    await page.getByText('Details', { exact: true }).click();
    await expectShown(page.getByText('500: {"title":"Out of order"'));
    await expectShown(page.getByText('Request: r-42'));
    expect(await page.getByLabel('Symbol', { exact: true }).inputValue()).toBe('btc');
    await page.unroute(explore);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expectShown(page.locator('.strategy-card h2'));
    expect(await page.getByText('Failed to fetch filtered strategies').count()).toBe(0);
  });

  it('says that the server is not answering', async () => {
    await page.route(explore, (route) => route.abort('connectionrefused'));
    await page.goto('/strategies?symbol=eth');
    await expectText('Failed to fetch filtered strategies');
    await expectShown(page.getByText('The server cannot be reached.'));
  });

  it('says that the search engine is unavailable, and retries by itself after Retry-After', async () => {
    let requests = 0;
    await page.route(explore, (route) =>
      requests++ === 0 ? answerWith(503, { 'retry-after': '2' })(route) : route.continue(),
    );
    await stopTimeBeforeOpening(page);
    await page.goto('/strategies?symbol=sol');
    await expectShownInTime(page, page.getByText('The search engine is not answering.'));
    await expectShown(page.getByText(/or wait, next try in [12] s/));
    await page.clock.resume();
    await expectShown(page.locator('.strategy-card h2'));
    expect(requests).toBe(2);
  });
});

describe('A busy search', () => {
  const busy = (route: Route): Promise<void> =>
    route.fulfill({
      status: 503,
      json: { status: 503, code: 'SEARCH_BUSY' },
      headers: { 'retry-after': '1' },
    });
  const symbol = (): Promise<string | null> => page.locator('.strategy-card').first().textContent();
  /** The search is tried again so soon that what is shown until then may be missed. */
  const openStopped = async (query: string): Promise<void> => {
    await page.clock.install();
    await openExplorer(page, query);
    await stopClock(page);
  };

  it('keeps the last results with a hint, and tries again by itself', async () => {
    await openStopped('symbol=btc');
    const before = await symbol();
    let requests = 0;
    await page.route(explore, (route) => (requests++ === 0 ? busy(route) : route.continue()));
    await page.getByLabel('Symbol', { exact: true }).fill('eth');
    const hint = page.getByText('The search is busy: these are the results of your last search.');
    await expectShownInTime(page, hint);
    expect(await symbol()).toBe(before);
    await page.clock.resume();
    await expectHidden(page.getByText('The search is busy'));
    expect(await symbol()).not.toBe(before);
    expect(requests).toBe(2);
  });

  it('keeps the last results when this browser has sent too many requests, and tries again by itself', async () => {
    await openStopped('symbol=btc');
    let requests = 0;
    await page.route(explore, (route) =>
      requests++ === 0
        ? route.fulfill({
            status: 429,
            json: { status: 429, code: 'RATE_LIMITED' },
            headers: { 'retry-after': '1' },
          })
        : route.continue(),
    );
    await page.getByLabel('Symbol', { exact: true }).fill('eth');
    await expectShownInTime(
      page,
      page.getByText('You are searching faster than allowed: these are the results'),
    );
    await page.clock.resume();
    await expectHidden(page.getByText('You are searching faster than allowed'));
    expect(requests).toBe(2);
  });

  it('says so when there are no earlier results', async () => {
    let requests = 0;
    await page.route(explore, (route) => (requests++ === 0 ? busy(route) : route.continue()));
    await stopTimeBeforeOpening(page);
    await page.goto('/strategies?symbol=sol');
    await expectShownInTime(page, page.getByText('The search is busy at the moment.'));
    await page.clock.resume();
    await expectShown(page.locator('.strategy-card h2'));
  });
});

describe('A plan', () => {
  const expectUpgrade = async (text: string): Promise<void> => {
    await expectShown(page.getByText(text));
    const link = page.getByRole('link', { name: 'See plans in My Account' }).first();
    expect(await link.getAttribute('href')).toBe('/?section=my-account');
  };

  it('without the explorer shows which one has it, and no filters', async () => {
    const detail = missingFeatureText('explorer');
    await page.route(explore, (route) =>
      route.fulfill({ status: 403, json: { status: 403, code: 'FEATURE_NOT_INCLUDED', detail } }),
    );
    await page.goto('/strategies?symbol=btc');
    await expectUpgrade(detail);
    expect(await page.getByLabel('Symbol', { exact: true }).count()).toBe(0);
  });

  it('without the source code shows which one has it, beside the figures', async () => {
    await page.route('**/api/strategies/details/*', async (route) => {
      const response = await route.fetch();
      const details = (await response.json()) as object;
      await route.fulfill({ response, json: { ...details, pineScript: null, sourceCodeIncluded: false } });
    });
    await openExplorer(page, 'symbol=btc');
    await page.locator('.strategy-card h2 a').first().click();
    await expectUpgrade(missingFeatureText('sourceCode'));
    await expectShown(page.getByText('Strategy Description', { exact: true }));
    expect(await page.getByRole('region', { name: 'Source code' }).count()).toBe(0);
  });
});

describe('No strategies', () => {
  it('No strategies found. Try adjusting your filters to see more results.', async () => {
    await page.goto('/strategies?search=zzzz');
    await expectShown(page.locator('.empty h2'));
    const [title, text] = await page.locator('.empty > :is(h2, p)').allTextContents();
    expect(`${title} ${text}`).toBe('No strategies found. Try adjusting your filters to see more results.');
  });
});

describe('Favourites', () => {
  const star = (): Promise<void> => page.getByTitle('Add to favorites').first().click();
  const unstar = (): Promise<void> => page.getByTitle('Remove from favorites').first().click();

  /** Opens the explorer as a new member, who then stars the first strategy or none. */
  const openWith = async (starred: 'no star' | 'a star'): Promise<void> => {
    page = await environment.openPage('visitor');
    const signIn = { login_hint: `${randomUUID()}@example.com`, returnTo: '/strategies?sort_by=likes' };
    await page.goto(`/api/login?${new URLSearchParams(signIn)}`);
    await resultsLoaded(page);
    if (starred === 'no star') return;
    await star();
    await expectShown(page.getByTitle('Remove from favorites'));
  };

  it('Add favourite fails', async () => {
    await openWith('no star');
    await page.route(favourites, (route) =>
      route.request().method() === 'POST' ? answerWith(500)(route) : route.continue(),
    );
    await star();
    await expectToast('Error', 'Failed to add strategy to favorites');
    expect(await page.getByTitle('Remove from favorites').count()).toBe(0);
  });

  it('Favourite added', async () => {
    await openWith('no star');
    await star();
    await expectToast('Added to favorites', 'Strategy has been saved to your favorites');
    await expectShown(page.getByTitle('Remove from favorites'));
  });

  it('Remove favourite fails', async () => {
    await openWith('a star');
    await page.route(favourite, answerWith(500));
    await unstar();
    await expectToast('Error', 'Failed to remove strategy from favorites');
    await expectShown(page.getByTitle('Remove from favorites'));
  });

  it('Favourite removed', async () => {
    await openWith('a star');
    await unstar();
    await expectToast('Removed from favorites', 'Strategy has been removed from your favorites');
    expect(await page.locator('.toast').count()).toBe(1);
    expect(await page.getByTitle('Remove from favorites').count()).toBe(0);
  });
});

describe('An address', () => {
  it('is sent with status 200 for every route of the client, and with 404 for any other', async () => {
    const router = readFileSync(new URL('../../../apps/web/src/app/router.tsx', import.meta.url), 'utf8');
    const paths = [...router.matchAll(/'(\/[^']*)'/g)].flatMap(([, path = '']) => path);
    for (const path of ['/', '/strategies', '/favorites', '/admin/sql']) expect(paths).toContain(path);
    const statusOf = async (path: string): Promise<unknown> => {
      const { status } = await fetch(new URL(path.replaceAll(/:\w+/g, 'x'), page.url()));
      return [path, status];
    };
    await page.goto('/');
    for (const path of paths) expect(await statusOf(path)).toEqual([path, 200]);
    expect(await statusOf('/no-such-page')).toEqual(['/no-such-page', 404]);
  });

  it('without a route shows Page Not Found', async () => {
    await page.goto('/nowhere');
    await expectShown(page.getByRole('heading', { name: 'Page Not Found' }));
  });
});

describe('Strategy detail error or empty', () => {
  it('Strategy not found', async () => {
    await page.goto('/strategy/no-such-strategy');
    await expectShown(page.getByRole('heading', { name: 'Strategy not found' }));
  });
});

describe('Signed out access', () => {
  type Redirect = Readonly<{ toast: string; returnTo: string | null }>;
  /** Runs in the page: stores the text of the first toast. */
  const recordToast = (): void =>
    new MutationObserver(() => {
      const toast = document.querySelector('.toast')?.textContent;
      if (toast && sessionStorage.getItem('toast') === null) sessionStorage.setItem('toast', toast);
    }).observe(document, { childList: true, subtree: true });
  const redirectAfter = async (on: Page, act: () => Promise<unknown>): Promise<Redirect> => {
    // An answer without content keeps the page.
    await on.route('**/api/login?*', (route) => route.fulfill({ status: 204 }));
    const login = on.waitForResponse(/\/api\/login\?/);
    await act();
    const returnTo = new URL((await login).url()).searchParams.get('returnTo');
    return { toast: await on.evaluate(() => sessionStorage.getItem('toast') ?? ''), returnTo };
  };
  const expectRedirect = ({ toast, returnTo }: Redirect, path: string): void => {
    expect(toast).toMatch(/Unauthorized.*You are logged out\. Logging in again\.\.\./s);
    expect(returnTo).toBe(path);
  };

  it('shows Unauthorized, and redirects to sign-in and back', async () => {
    const visitor = await environment.openPage('visitor');
    await visitor.addInitScript(recordToast);
    const redirect = await redirectAfter(visitor, () =>
      visitor.goto('/strategies?symbol=btc', { waitUntil: 'commit' }),
    );
    expectRedirect(redirect, '/strategies?symbol=btc');
  });

  it('does the same when the session ends while a page is open', async () => {
    page = await environment.openPage('member');
    await page.addInitScript(recordToast);
    await openExplorer(page, 'symbol=ada');
    await page.route(explore, answerWith(401));
    const redirect = await redirectAfter(page, () => page.getByLabel('Symbol', { exact: true }).fill('doge'));
    expectRedirect(redirect, '/strategies?symbol=doge');
  });
});
