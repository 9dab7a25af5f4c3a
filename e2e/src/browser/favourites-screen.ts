import { randomUUID } from 'node:crypto';
import { explorerRoutes, StrategyList } from '@tapedeck/explorer/contract';
import { favouriteRoutes } from '@tapedeck/favourites/contract';
import type { Locator, Page } from 'playwright-core';
import { expectShown } from './explorer-screen.ts';
import { openMember } from './membership-screen.ts';
import type { TestEnvironment } from './test-environment.ts';

export const newAddress = (): string => `${randomUUID().slice(0, 8)}@favourites.example`;

const maxPage = 100;

/** The ids of strategies of the catalogue, those with the most likes first. */
const strategyIds = async (page: Page, count: number): Promise<readonly string[]> => {
  const pages = Array.from({ length: Math.ceil(count / maxPage) }, async (_, at) => {
    const query = `limit=${maxPage}&page=${at + 1}&sort_by=likes`;
    const answer = await page.request.get(`${explorerRoutes.filtered}?${query}`);
    return StrategyList.parse(await answer.json()).strategies.map(({ url_id }) => url_id);
  });
  return (await Promise.all(pages)).flat().slice(0, count);
};

/** Sends a change as another page of the account does. */
export const send = async (
  page: Page,
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  data?: object,
): Promise<void> => {
  const { origin } = new URL(page.url());
  const headers = { origin };
  const answer = await page.request.fetch(path, { method, headers, ...(data ? { data } : {}) });
  if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`);
};

export type Starred = Readonly<{ page: Page; ids: readonly string[] }>;

/** A new member with favourites, the last one added last; `tagsOf` says the tags of each. */
export const openWithFavourites = async (
  environment: TestEnvironment,
  count: number,
  tagsOf: (at: number) => readonly string[] = () => [],
): Promise<Starred> => {
  const page = await openMember(environment, newAddress());
  const ids = await strategyIds(page, count);
  for (const [at, urlId] of ids.entries()) {
    await send(page, 'POST', favouriteRoutes.list, { urlId, tags: tagsOf(at) });
  }
  await page.goto('/favorites');
  if (count > 0) {
    await expectShown(rows(page));
    await expectCount(page, count);
  }
  return { page, ids };
};

export const rows = (page: Page): Locator => page.getByRole('table').locator('.fav');

export const titles = (page: Page): Promise<readonly string[]> => rows(page).locator('h3').allInnerTexts();

/** The tags that a row shows. */
export const tagsOf = (row: Locator): Promise<readonly string[]> =>
  row.getByRole('list', { name: 'Tags' }).getByRole('listitem').allInnerTexts();

export const expectToast = (page: Page, title: string, text: string): Promise<void> =>
  expectShown(
    page.locator('.toast', { has: page.getByText(title, { exact: true }) }).filter({ hasText: text }),
  );

/** Fails unless page, dashboard and top bar say this number within the page's timeout. */
export const expectCount = async (page: Page, count: number): Promise<void> => {
  await expectShown(page.locator('.badge--plain').getByText(String(count), { exact: true }));
  await expectShown(page.locator('.nav-count').getByText(String(count), { exact: true }));
};

/** From now on answers to requests that match are as they were, but arrive when the returned function is called. */
export const holdAnswers = async (page: Page, match: string): Promise<() => void> => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(match, async (route) => {
    const response = await route.fetch();
    await released;
    await route.fulfill({ response });
  });
  return release;
};

/** From now on records the texts of an element, also those that are shown for a moment only. */
export const recordTexts = async (
  page: Page,
  selector: string,
): Promise<() => Promise<readonly string[]>> => {
  const element = page.locator(selector);
  await element.evaluate((target) => {
    const texts: string[] = [];
    Object.assign(window, { recordedTexts: texts });
    new MutationObserver(() => texts.push(target.textContent ?? '')).observe(target, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
  // The script above defines it.
  return () => page.evaluate(() => (window as unknown as { recordedTexts: string[] }).recordedTexts);
};
