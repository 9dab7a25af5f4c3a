import { describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { favouriteRoutes, FavouriteList, type Favourite } from '@tapedeck/favourites/contract';
import { changesReady, platformRoutes } from '@tapedeck/platform/contract';
import type { Page } from 'playwright-core';
import { expectHidden, expectShown } from './explorer-screen.ts';
import {
  expectCount,
  expectToast,
  holdAnswers,
  openWithFavourites,
  recordTexts,
  rows,
  send,
  tagsOf,
  titles,
  type Starred,
} from './favourites-screen.ts';
import { tabTo } from './membership-screen.ts';
import { dueTasksDone } from './specification/catalogue-screen.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment({ product: 'shared', expectedErrors: /status of 500|ERR_FAILED/ });

const list = `**${favouriteRoutes.list}`;
const one = `**${favouriteRoutes.list}/*`;
const fail = { status: 500, json: { title: 'Out of order', status: 500 } };

const served = async (page: Page): Promise<readonly Favourite[]> =>
  FavouriteList.parse(await (await page.request.get(favouriteRoutes.list)).json());

const openAll = (count: number, tagsAt?: (at: number) => readonly string[]): Promise<Starred> =>
  openWithFavourites(environment, count, tagsAt);

const focusedLabel = (page: Page): Promise<string | null> =>
  page.locator(':focus').getAttribute('aria-label');

/** Removes a favourite as another page of the account does; resolves when the change was reported to this one's browser. */
const removeElsewhere = (page: Page, address: string): Promise<void> =>
  page.evaluate(
    async ([changes, ready, removed]) => {
      const source = new EventSource(changes);
      await new Promise((resolve) => source.addEventListener(ready, resolve));
      const reported = new Set<string>();
      source.addEventListener('message', ({ data }) => {
        reported.add((JSON.parse(String(data)) as Readonly<{ position: string }>).position);
      });
      const { headers } = await fetch(removed, { method: 'DELETE' });
      const position = String(headers.get('tape-position'));
      while (!reported.has(position)) await new Promise(requestAnimationFrame);
      source.close();
    },
    [platformRoutes.changes, changesReady, address] as const,
  );

describe('the number of favourites', () => {
  it('is the same on the page, on the dashboard and in the top bar, whatever changes it', async () => {
    const { page, ids } = await openAll(7);
    await page.getByRole('link', { name: 'Dashboard' }).click();
    // The page that was left has the same number.
    await eventually(async () => expect(await rows(page).count()).toBe(5));
    await expectCount(page, 7);
    await rows(page).first().getByTitle('Remove from favorites').click();
    await expectCount(page, 6);
    expect(await rows(page).count()).toBe(5);
    // Another page of the account.
    await send(page, 'DELETE', favouriteRoutes.one(ids[0] ?? ''));
    await expectCount(page, 5);
    await page.goto('/strategies?sort_by=likes');
    await expectShown(page.locator('.nav-count').getByText('5', { exact: true }));
    await page.getByTitle('Add to favorites').first().click();
    await expectToast(page, 'Added to favorites', 'Strategy has been saved to your favorites');
    await page.locator('.nav a[href="/favorites"]').click();
    await expectCount(page, 6);
  }, 120_000);

  it('follows another page of the account whose change arrives while the list is being read', async () => {
    const { page, ids } = await openAll(3);
    const [first = '', second = ''] = ids;
    const left = (await served(page)).filter(({ urlId }) => urlId !== first);
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    let reads = 0;
    await page.route(list, async (route) => {
      if (route.request().method() !== 'GET' || ++reads > 1) return route.fallback();
      await answered;
      return route.fulfill({ json: left });
    });
    await removeElsewhere(page, favouriteRoutes.one(first));
    await eventually(() => expect(reads).toBe(1));
    await removeElsewhere(page, favouriteRoutes.one(second));
    answer();
    await expectCount(page, 1);
  }, 60_000);
});

describe('a removal', () => {
  it('is taken back by keyboard alone, with the tags and to the place', async () => {
    const { page } = await openAll(4, (at) => [`tag ${at}`, 'all']);
    const before = await titles(page);
    const second = rows(page).nth(1);
    const next = await rows(page).nth(2).getByTitle('Remove from favorites').getAttribute('aria-label');
    await tabTo(page, second.getByTitle('Remove from favorites'));
    await page.keyboard.press('Enter');
    await expectCount(page, 3);
    await expectToast(page, 'Success', 'Strategy removed from favorites');
    expect(await focusedLabel(page)).toBe(next);
    await page.keyboard.press('F8');
    await tabTo(page, page.getByRole('button', { name: 'Undo' }));
    const restored = page.waitForResponse(
      (response) => response.request().method() === 'POST' && response.url().endsWith(favouriteRoutes.list),
    );
    await page.keyboard.press('Enter');
    await expectCount(page, 4);
    expect(await titles(page)).toEqual(before);
    expect(await tagsOf(second)).toEqual(['tag 2', 'all']);
    await expectShown(second.locator('[aria-label^=Remove]:focus'));
    await restored;
    await page.reload();
    await expectCount(page, 4);
    expect(await titles(page)).toEqual(before);
    expect(await tagsOf(second)).toEqual(['tag 2', 'all']);
  }, 120_000);

  it('that fails brings the row back', async () => {
    const { page } = await openAll(2);
    const before = await titles(page);
    await page.route(one, (route) => route.fulfill(fail));
    await rows(page).first().getByTitle('Remove from favorites').click();
    await expectToast(page, 'Error', 'Failed to remove favorite');
    await expectCount(page, 2);
    expect(await titles(page)).toEqual(before);
  }, 60_000);

  it('is shown at once, stays while older lists arrive, and outlasts the page', async () => {
    const { page } = await openAll(3);
    const answer = await holdAnswers(page, list);
    const shown = await recordTexts(page, '.nav-count');
    for (const left of [2, 1]) {
      const removed = page.waitForResponse((response) => response.request().method() === 'DELETE');
      await rows(page).first().getByTitle('Remove from favorites').click();
      await expectCount(page, left);
      await removed;
    }
    await expectToast(page, 'Success', 'Strategy removed from favorites');
    const answered = page.waitForResponse(list);
    answer();
    await answered;
    await expectCount(page, 1);
    expect(await shown()).toEqual(['2', '1']);
    await page.unrouteAll({ behavior: 'wait' });
    await page.goto('about:blank');
    await page.goBack();
    await expectCount(page, 1);
  }, 120_000);

  it('stays while a list arrives that is behind it', async () => {
    const { page } = await openAll(3);
    const behind = await (await page.request.get(favouriteRoutes.list)).text();
    const shown = await recordTexts(page, '.nav-count');
    let lists = 0;
    await page.route(list, (route) =>
      route.request().method() !== 'GET' || ++lists > 1
        ? route.fallback()
        : route.fulfill({
            body: behind,
            headers: { 'content-type': 'application/json', 'tape-stale': 'true' },
          }),
    );
    await rows(page).first().getByTitle('Remove from favorites').click();
    await eventually(() => expect(lists).toBeGreaterThan(1));
    await expectCount(page, 2);
    expect(new Set(await shown())).toEqual(new Set(['2']));
  }, 60_000);

  it('of what was just added stays, also before the list has it', async () => {
    const { page } = await openAll(0);
    await page.goto('/strategies?sort_by=likes');
    const star = page.locator('.strategy-card').first().locator('[aria-pressed][title$=favorites]');
    await expectShown(star.and(page.locator('[aria-disabled=false]')));
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(list, async (route) => {
      if (route.request().method() === 'GET') await released;
      await route.fallback();
    });
    await star.click();
    await expectToast(page, 'Added to favorites', 'Strategy has been saved to your favorites');
    await expectShown(star.and(page.locator('[aria-pressed=true][aria-disabled=false]')));
    await star.click();
    await expectToast(page, 'Removed from favorites', 'Strategy has been removed from your favorites');
    const answered = page.waitForResponse(list);
    release();
    await (await answered).finished();
    await dueTasksDone(page);
    expect(await star.getAttribute('aria-pressed')).toBe('false');
  }, 60_000);

  it('by another page is seen, and can be repeated', async () => {
    const { page, ids } = await openAll(2);
    await page.route('**/api/changes', (route) => route.abort());
    await page.reload();
    await expectCount(page, 2);
    await send(page, 'DELETE', favouriteRoutes.one(ids[1] ?? ''));
    await rows(page).first().getByTitle('Remove from favorites').click();
    await expectToast(page, 'Success', 'Strategy removed from favorites');
    await expectCount(page, 1);
  }, 120_000);

  it('of the last favourite leaves the empty page, with the focus on its heading', async () => {
    const { page } = await openAll(1);
    await rows(page).first().getByTitle('Remove from favorites').click();
    await expectShown(page.getByText('No favorites yet.'));
    await expectCount(page, 0);
    await expectShown(page.locator('h1:focus'));
  }, 60_000);
});

describe('the tags of a favourite', () => {
  it('are added, removed and saved together, by their rules', async () => {
    const { page } = await openAll(1, () => ['old']);
    const row = rows(page).first();
    await row.getByTitle('Edit tags').click();
    const field = row.getByLabel('New tag');
    const add = row.getByRole('button', { name: 'Add' });
    await expectShown(row.locator('input[aria-label="New tag"]:focus'));
    expect(await add.isDisabled()).toBe(true);
    await field.fill('   ');
    expect(await add.isDisabled()).toBe(true);
    await page.keyboard.press('Enter');
    for (const tag of ['  swing ', 'swing', 'old']) {
      await field.fill(tag);
      await page.keyboard.press('Enter');
      expect(await field.inputValue()).toBe('');
    }
    await field.fill('btc');
    await add.click();
    await row.getByRole('button', { name: 'Remove tag old' }).click();
    expect(await row.locator('.chip--filter').allInnerTexts()).toEqual(['swing', 'btc']);
    expect((await served(page))[0]?.tags).toEqual(['old']);
    await row.getByRole('button', { name: 'Save' }).click();
    await expectToast(page, 'Success', 'Tags updated successfully');
    await eventually(async () => expect(await tagsOf(row)).toEqual(['swing', 'btc']));
    await expectShown(row.locator('[title="Edit tags"]:focus'));
    await eventually(async () => expect((await served(page))[0]?.tags).toEqual(['swing', 'btc']));
  }, 60_000);

  it('stay as they were after Cancel and Escape', async () => {
    const { page } = await openAll(1, () => ['old']);
    const row = rows(page).first();
    for (const leave of [
      () => row.getByRole('button', { name: 'Cancel' }).click(),
      () => page.keyboard.press('Escape'),
    ]) {
      await row.getByTitle('Edit tags').click();
      await row.getByLabel('New tag').fill('new');
      await page.keyboard.press('Enter');
      await leave();
      await expectHidden(row.getByRole('button', { name: 'Save' }));
      expect(await tagsOf(row)).toEqual(['old']);
    }
  }, 60_000);

  it('that cannot be saved stay in the form', async () => {
    const { page } = await openAll(1);
    const row = rows(page).first();
    await page.route(`${one}/tags`, (route) => route.fulfill(fail));
    await row.getByTitle('Edit tags').click();
    await row.getByLabel('New tag').fill('kept');
    await row.getByRole('button', { name: 'Save' }).click();
    await expectShown(page.locator('.toast').getByText('Failed to update tags'));
    await expectShown(row.getByRole('button', { name: 'Save' }));
    await page.unroute(`${one}/tags`);
    await row.getByRole('button', { name: 'Save' }).click();
    await expectToast(page, 'Success', 'Tags updated successfully');
    await eventually(async () => expect(await tagsOf(row)).toEqual(['kept']));
  }, 60_000);

  it('are saved beside what another page has changed in the meantime', async () => {
    const { page, ids } = await openAll(1, () => ['a', 'b']);
    const row = rows(page).first();
    await row.getByTitle('Edit tags').click();
    await row.getByRole('button', { name: 'Remove tag a' }).click();
    await row.getByLabel('New tag').fill('mine');
    await page.keyboard.press('Enter');
    await send(page, 'PUT', favouriteRoutes.tags(ids[0] ?? ''), { tags: ['a', 'b', 'theirs'] });
    await expectShown(row.getByRole('button', { name: 'Remove tag theirs' }));
    await row.getByRole('button', { name: 'Save' }).click();
    await expectToast(page, 'Success', 'Tags updated successfully');
    await eventually(async () => expect(await tagsOf(row)).toEqual(['b', 'theirs', 'mine']));
  }, 60_000);
});
