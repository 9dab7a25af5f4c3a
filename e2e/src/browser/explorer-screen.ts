import { Exploration } from '@tapedeck/explorer/contract';
import { facetFields, facets } from '@tapedeck/search-engine/contract';
import type { Locator, Page } from 'playwright-core';
import { formatWhole } from '@tapedeck/web/format';

/** Fails unless the element appears within the page's timeout. */
export const expectShown = (element: Locator): Promise<void> => element.first().waitFor();

/** Fails unless the element disappears within the page's timeout. */
export const expectHidden = (element: Locator): Promise<void> => element.first().waitFor({ state: 'hidden' });

export const resultsText = (total: number): string =>
  `${formatWhole(total)} ${total === 1 ? 'result' : 'results'}`;

/** Fails unless the badge shows this total within the page's timeout. */
export const expectTotal = (page: Page, total: number): Promise<void> =>
  expectShown(page.getByRole('status').filter({ hasText: new RegExp(`^${resultsText(total)}$`) }));

/** With the sandbox's one-click sign-in; ends on the explorer. */
export const signIn = async (page: Page): Promise<void> => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Sign in as Pro' }).click();
  await page.getByRole('heading', { name: 'Strategy Explorer' }).waitFor();
};

/** Opens the explorer with these filters and waits for the results. */
export const openExplorer = async (page: Page, query = ''): Promise<void> => {
  await page.goto(`/strategies${query && `?${query}`}`);
  await resultsLoaded(page);
};

export const resultsLoaded = (page: Page): Promise<void> =>
  page.locator('.cards[aria-busy=false], .empty').waitFor();

/** The answer to the next exploration that `act` causes. */
export const explorationAfter = async (page: Page, act: () => Promise<unknown>): Promise<Exploration> => {
  const answered = page.waitForResponse((response) => response.url().includes('/api/strategies/explore'));
  await act();
  return Exploration.parse(await (await answered).json());
};

/** The server's answer, requested without the screen. */
export const requestExploration = async (page: Page, query: string): Promise<Exploration> => {
  const answer = await page.request.get(`/api/strategies/explore?limit=1&${query}`);
  return Exploration.parse(await answer.json());
};

/** The path of the coloured bars. */
export const drawnBars = (page: Page, slider: string): Promise<string | null> =>
  page
    .getByRole('group', { name: slider, exact: true })
    .locator('svg.bars.in path')
    .first()
    .getAttribute('d');

/** Without those in the collapsed part of the panel. */
const sliderNames = facetFields
  .filter((field) => facets[field].group !== 'more')
  .map((field) => facets[field].label);

/** Everything that depends on the filters: controls, total, cards and bars. */
export type ScreenState = Readonly<{
  fields: Readonly<Record<string, string | boolean>>;
  total: string | null;
  titles: readonly string[];
  chips: readonly string[];
  bars: readonly (string | null)[];
  page: string | null;
}>;

export const screenState = async (page: Page): Promise<ScreenState> => {
  await page.locator('.group .chip .n').first().waitFor();
  return {
    fields: await page
      .locator(
        '#filters input:not([type=range]), #filters select, .sort select, .sort button, #filters .chip',
      )
      .evaluateAll((controls) =>
        Object.fromEntries(
          controls.map((control) => {
            const name =
              control.getAttribute('aria-label') ?? control.closest('.field, label')?.textContent ?? '';
            if (control instanceof HTMLInputElement && control.type === 'checkbox') {
              return [name, control.checked] as const;
            }
            if (control instanceof HTMLInputElement || control instanceof HTMLSelectElement) {
              return [name, control.value] as const;
            }
            return [
              control.textContent || 'direction',
              control.getAttribute('aria-pressed') ?? name,
            ] as const;
          }),
        ),
      ),
    total: await page.locator('.tally').textContent(),
    titles: await page.locator('.cards .strategy-title').allTextContents(),
    chips: await page.getByRole('list', { name: 'Active filters' }).locator('.chip').allTextContents(),
    bars: await Promise.all(sliderNames.map((name) => drawnBars(page, name))),
    page: await page.locator('.pager [aria-current=page]').textContent(),
  };
};

/** Fails unless the page aborts a request whose URL contains this text. */
export const expectAborted = (page: Page, text: string): Promise<unknown> =>
  page.waitForEvent('requestfailed', (request) => request.url().includes(text));

/** From now on requests that match wait until the returned function is called. */
export const holdRequests = async (page: Page, match: string | RegExp): Promise<() => void> => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(match, async (route) => {
    await released;
    // The page may have aborted the request.
    await route.continue().catch(() => undefined);
  });
  return release;
};
