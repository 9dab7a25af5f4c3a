import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { openPage } from './browser.ts';
import { openStage, type Stage } from './test-environment.ts';

let opening: Promise<Stage>;
let stage: Stage;
let page: Page;

beforeAll(async () => {
  opening = openStage();
  stage = await opening;
  ({ page } = stage);
}, 120_000);
afterAll(async () => (await opening).close(), 120_000);

const explore = '**/api/strategies/explore*';
const favourites = '**/api/member/favorites*';
const favourite = '**/api/member/favorites/*';

const problem =
  (status: number, headers: Readonly<Record<string, string>> = {}) =>
  (route: Route): Promise<void> =>
    route.fulfill({ status, json: { title: 'Out of order', status, requestId: 'r-42' }, headers });
const words = (text: string): Promise<void> => page.getByText(text, { exact: true }).first().waitFor();
/** The one toast on show. */
const toast = (title: string, text: string): Promise<void> =>
  page
    .locator('.toast', { has: page.getByText(title, { exact: true }) })
    .filter({ hasText: text })
    .waitFor();

beforeEach(async () => {
  for (const path of [explore, favourites, favourite]) await page.unroute(path);
});

describe('Filtered strategies fetch fails', () => {
  it('says so with the reason, keeps the filters and tries again when told', async () => {
    await page.route(explore, problem(500));
    await page.goto(`${stage.url}/strategies?symbol=btc`);
    await words('Failed to fetch filtered strategies');
    await page.getByText('500: {"title":"Out of order"').waitFor();
    await words('500 · request r-42');
    expect(await page.getByLabel('Symbol', { exact: true }).inputValue()).toBe('btc');
    await page.unroute(explore);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.strategy-card h2').first().waitFor();
    expect(await page.getByText('Failed to fetch filtered strategies').count()).toBe(0);
  });

  it('says that the server is not there', async () => {
    await page.route(explore, (route) => route.abort('connectionrefused'));
    await page.goto(`${stage.url}/strategies?symbol=eth`);
    await words('Failed to fetch filtered strategies');
    await page.getByText('The server is not answering.').waitFor();
  });

  it('says that the search engine is away, and asks again by itself when it was told to (D20)', async () => {
    let asked = 0;
    await page.route(explore, (route) =>
      asked++ === 0 ? problem(503, { 'retry-after': '2' })(route) : route.continue(),
    );
    await page.goto(`${stage.url}/strategies?symbol=sol`);
    await page.getByText('The search engine is not answering.').waitFor();
    await page.getByText(/or wait, next try in [12] s/).waitFor();
    await page.locator('.strategy-card h2').first().waitFor();
    expect(asked).toBe(2);
  });
});

describe('No strategies', () => {
  it('No strategies found. Try adjusting your filters to see more results.', async () => {
    await page.goto(`${stage.url}/strategies?search=zzzz`);
    await page.locator('.empty h2').waitFor();
    const [title, text] = await page.locator('.empty > :is(h2, p)').allTextContents();
    expect(`${title} ${text}`).toBe('No strategies found. Try adjusting your filters to see more results.');
  });
});

describe('Favourites', () => {
  const add = (): Promise<void> => page.getByTitle('Add to favorites').first().click();
  const remove = (): Promise<void> => page.getByTitle('Remove from favorites').first().click();

  it('Add favourite fails', async () => {
    await page.goto(`${stage.url}/strategies?sort_by=likes`);
    await page.route(favourites, (route) =>
      route.request().method() === 'POST' ? problem(500)(route) : route.continue(),
    );
    await add();
    await toast('Error', 'Failed to add strategy to favorites');
    expect(await page.getByTitle('Remove from favorites').count()).toBe(0);
  });

  it('Favourite added', async () => {
    await add();
    await toast('Added to favorites', 'Strategy has been saved to your favorites');
  });

  it('Remove favourite fails', async () => {
    await page.route(favourite, problem(500));
    await remove();
    await toast('Error', 'Failed to remove strategy from favorites');
    await page.getByTitle('Remove from favorites').waitFor();
  });

  it('Favourite removed', async () => {
    await remove();
    await toast('Removed from favorites', 'Strategy has been removed from your favorites');
    expect(await page.locator('.toast').count()).toBe(1);
  });
});

describe('Unknown route', () => {
  it('Page Not Found', async () => {
    await page.goto(`${stage.url}/nowhere`);
    await page.getByRole('heading', { name: 'Page Not Found' }).waitFor();
  });
});

describe('Strategy detail error or empty', () => {
  it('Strategy not found', async () => {
    await page.goto(`${stage.url}/strategy/no-such-strategy`);
    await page.getByRole('heading', { name: 'Strategy not found' }).waitFor();
  });
});

describe('Signed out access', () => {
  type Leaving = Readonly<{ toast: string; waited: number; returnTo: string | null }>;
  /** Keeps what the first toast said and the milliseconds from it to leaving, as the page itself sees them. */
  const noteLeaving = (): void => {
    let seen: Readonly<{ toast: string; at: number }> | undefined;
    new MutationObserver(() => {
      const toast = document.querySelector('.toast')?.textContent;
      if (toast) seen ??= { toast, at: performance.now() };
    }).observe(document, { childList: true, subtree: true });
    window.addEventListener('beforeunload', () => {
      if (!seen) return;
      const waited = performance.now() - seen.at;
      sessionStorage.setItem('leaving', JSON.stringify({ toast: seen.toast, waited }));
    });
  };
  const leaves = async (on: Page, begin: () => Promise<unknown>): Promise<Leaving> => {
    // An answer without content leaves the page where it is.
    await on.route('**/api/login?*', (route) => route.fulfill({ status: 204 }));
    const login = on.waitForResponse(/\/api\/login\?/);
    await begin();
    const returnTo = new URL((await login).url()).searchParams.get('returnTo');
    const left = await on.evaluate(() => sessionStorage.getItem('leaving') ?? '{}');
    await on.unroute('**/api/login?*');
    return { ...(JSON.parse(left) as { toast: string; waited: number }), returnTo };
  };
  const unauthorized = /Unauthorized.*You are logged out\. Logging in again\.\.\./s;

  it('Unauthorized, and after 500 ms to sign in and back', async () => {
    const { page: visitor } = await openPage(stage.browser);
    await visitor.addInitScript(noteLeaving);
    const {
      toast: said,
      waited,
      returnTo,
    } = await leaves(visitor, () =>
      visitor.goto(`${stage.url}/strategies?symbol=btc`, { waitUntil: 'commit' }),
    );
    expect(said).toMatch(unauthorized);
    expect(waited).toBeGreaterThan(450);
    expect(returnTo).toBe('/strategies?symbol=btc');
    await visitor.context().close();
  });

  it('says the same when a session ends while somebody reads', async () => {
    await page.addInitScript(noteLeaving);
    await page.goto(`${stage.url}/strategies?symbol=ada`);
    await page.locator('.strategy-card h2').first().waitFor();
    await page.route(explore, problem(401));
    const {
      toast: said,
      waited,
      returnTo,
    } = await leaves(page, () => page.getByLabel('Symbol', { exact: true }).fill('doge'));
    expect(said).toMatch(unauthorized);
    expect(waited).toBeGreaterThan(450);
    expect(returnTo).toBe('/strategies?symbol=doge');
  });
});
