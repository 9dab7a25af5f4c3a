import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { favouriteRoutes, FavouriteList, type Favourite } from '@tapedeck/favourites/contract';
import type { Page } from 'playwright-core';
import { expectHidden, expectShown } from './explorer-screen.ts';
import {
  expectCount,
  expectToast,
  newAddress,
  openWithFavourites,
  rows,
  tagsOf,
  titles,
  type Starred,
} from './favourites-screen.ts';
import { openMember, openProMember, tabTo } from './membership-screen.ts';
import { eventually } from '@tapedeck/eventing/testing';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment({ product: 'shared', expectedErrors: /status of 500/ });

const list = `**${favouriteRoutes.list}`;

const served = async (page: Page): Promise<readonly Favourite[]> =>
  FavouriteList.parse(await (await page.request.get(favouriteRoutes.list)).json());

const openAll = (count: number, tagsAt?: (at: number) => readonly string[]): Promise<Starred> =>
  openWithFavourites(environment, count, tagsAt);

/** The tags of each row. */
const shownTags = async (page: Page): Promise<readonly string[]> =>
  Promise.all((await rows(page).all()).map(async (row) => (await tagsOf(row)).join(' ')));

describe('the list', () => {
  const names = ['x', 'y', 'z'];

  it('shows favourites with any of the pressed tags, and keeps them in the address', async () => {
    const { page } = await openAll(6, (at) => (at < 3 ? [`${names[at]}`, 'some'] : []));
    await page.getByRole('button', { name: 'x 1' }).click();
    await expectShown(page.getByText('1 of 6'));
    expect(await rows(page).count()).toBe(1);
    await page.getByRole('button', { name: 'z 1' }).click();
    await expectShown(page.getByText('2 of 6'));
    expect(await rows(page).count()).toBe(2);
    expect(new URL(page.url()).search).toBe('?tag=x&tag=z');
    // Two presses before anything is drawn: both count.
    await page.getByRole('group', { name: 'By tag' }).evaluate((tags) => {
      const pressed = [...tags.querySelectorAll<HTMLElement>('[aria-pressed=true]')];
      for (const tag of [...pressed, ...pressed]) tag.click();
    });
    await expectShown(page.getByText('2 of 6'));
    expect(new URL(page.url()).search).toBe('?tag=x&tag=z');
    await page.reload();
    await expectShown(page.getByText('2 of 6'));
    await expectCount(page, 6);
    // A tag that no favourite has any more is not a filter any more.
    for (const row of [0, 0]) await rows(page).nth(row).getByTitle('Remove from favorites').click();
    await expectCount(page, 4);
    expect(await rows(page).count()).toBe(4);
    await expectHidden(page.getByText('2 of 6'));
  }, 120_000);

  it('is sorted by each figure in both directions, with unknown ones last', async () => {
    const { page } = await openAll(25);
    const all = await served(page);
    const columns: readonly (readonly [string, (favourite: Favourite) => string | number | null])[] = [
      ['P&L', ({ strategy }) => strategy?.total_pandl_percent ?? null],
      ['Max DD', ({ strategy }) => strategy?.max_drawdown_percent ?? null],
      ['PF', ({ strategy }) => strategy?.profit_factor_numeric ?? null],
      ['Sharpe', ({ strategy }) => strategy?.sharpe_ratio_numeric ?? null],
      ['Trades', ({ strategy }) => strategy?.total_trades ?? null],
      ['Likes', ({ strategy }) => strategy?.likes ?? null],
      ['Views', ({ strategy }) => strategy?.views ?? null],
    ];
    for (const [name, valueOf] of columns) {
      const header = page.getByRole('columnheader', { name, exact: true });
      for (let direction = 0; direction < 2; direction++) {
        const before = await header.getAttribute('aria-sort');
        await header.getByRole('button').click();
        await eventually(async () => {
          const sorted = await header.getAttribute('aria-sort');
          expect(sorted).not.toBe(before);
          const sign = sorted === 'ascending' ? 1 : -1;
          const links = await rows(page)
            .locator('h3 a')
            .evaluateAll((each) => each.map((link) => link.getAttribute('href')));
          const values = links.map((href) => {
            const favourite = all.find(({ urlId }) => href === `/strategy/${urlId}`);
            const value = favourite ? valueOf(favourite) : null;
            return value === null ? null : Number(value);
          });
          const known = values.filter((value) => value !== null);
          expect(values.slice(known.length)).toEqual(values.slice(known.length).map(() => null));
          expect(known).toEqual([...known].sort((a, b) => (a === b ? 0 : sign * (a < b ? -1 : 1))));
        });
      }
    }
    await page.getByLabel('Sort favorites').selectOption('Title');
    await eventually(async () => {
      const shown = await titles(page);
      expect(shown).toEqual([...shown].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)));
      expect(new URL(page.url()).search).toBe('?sort_by=title');
    });
  }, 120_000);

  it('says that it could not be loaded, and tries again', async () => {
    const page = await openMember(environment, newAddress());
    // When the stream of changes begins, the list is asked for again: here nothing but the button does that.
    await page.route('**/api/changes', () => undefined);
    await page.route(list, (route) => route.fulfill({ status: 500, json: { title: 'Out of order' } }));
    await page.goto('/favorites');
    await expectShown(page.getByText('Error loading favorites. Please try again.'));
    await page.unroute(list);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expectShown(page.getByText('No favorites yet.'));
  }, 60_000);
});

describe('many favourites', () => {
  it('are tagged by one request after a click with Shift, and that is undone', async () => {
    const { page } = await openAll(6, (at) => (at === 4 ? ['new'] : ['old']));
    const boxes = page.getByRole('checkbox', { name: /^Select (?!all)/ });
    await boxes.nth(1).click();
    await boxes.nth(4).click({ modifiers: ['Shift'] });
    await expectShown(page.getByText('4 selected'));
    const requests: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') requests.push(`${request.method()} ${new URL(request.url()).pathname}`);
    });
    await page.getByLabel('Tag to add to the selected favorites').fill(' new ');
    await page.getByRole('button', { name: 'Add tag' }).click();
    await expectToast(page, 'Success', 'Tags updated successfully');
    // Under the pointer it does not disappear by itself.
    await page.locator('.toast').hover();
    expect(requests).toEqual([`POST ${favouriteRoutes.tagsOfMany}`]);
    await eventually(async () =>
      expect(await shownTags(page)).toEqual(['old', 'new', 'old new', 'old new', 'old new', 'old']),
    );
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(async () =>
      expect(await shownTags(page)).toEqual(['old', 'new', 'old', 'old', 'old', 'old']),
    );
  }, 60_000);

  it('are selected and tagged by keyboard alone', async () => {
    const { page } = await openAll(5, () => ['old']);
    const boxes = page.getByRole('checkbox', { name: /^Select (?!all)/ });
    await tabTo(page, boxes.first());
    for (const key of ['ArrowDown', 'Space', 'Shift+ArrowDown', 'Shift+ArrowDown', 'ArrowUp', 'Space']) {
      await page.keyboard.press(key);
    }
    await expectShown(page.getByText('2 selected'));
    await page.keyboard.press('t');
    await page.keyboard.type('kept');
    await page.keyboard.press('Enter');
    await expectToast(page, 'Success', 'Tags updated successfully');
    await tabTo(page, page.getByRole('button', { name: 'Remove tag' }));
    await page.keyboard.press('Enter');
    // The menu takes the focus after it is drawn.
    const focused = page.locator('[role=menuitem]:focus');
    await expectShown(focused);
    await page.keyboard.press('ArrowDown');
    await expectShown(focused.filter({ hasText: 'old' }));
    await page.keyboard.press('Enter');
    await eventually(async () =>
      expect(await shownTags(page)).toEqual(['old', 'kept', 'old', 'kept', 'old']),
    );
  }, 60_000);

  it('are drawn in part beyond 200, with the focus kept and every row counted', async () => {
    const count = 205;
    const { page } = await openAll(count);
    const table = page.getByRole('table');
    expect(await table.getAttribute('aria-rowcount')).toBe(String(count + 1));
    expect(await rows(page).count()).toBeLessThan(60);
    const rowOfFocus = page.getByRole('row').filter({ has: page.locator(':focus') });
    await page
      .getByRole('checkbox', { name: /^Select (?!all)/ })
      .first()
      .focus();
    await page.mouse.wheel(0, 60_000);
    await expectShown(page.locator(`[aria-rowindex="${count + 1}"]`));
    expect(await rowOfFocus.getAttribute('aria-rowindex')).toBe('2');
    expect(await rows(page).count()).toBeLessThan(60);
    await page.keyboard.press('ArrowDown');
    await expectShown(page.locator('[aria-rowindex="3"] :focus'));
    for (let row = 4; row <= 33; row++) {
      await page.keyboard.press('Shift+ArrowDown');
      // It may have to be drawn before it takes the focus.
      await expectShown(page.locator(`[aria-rowindex="${row}"] :focus`));
    }
    await expectShown(page.getByText('31 selected'));
    await page.locator('[aria-rowindex="33"]').getByTitle('Remove from favorites').click();
    await expectCount(page, count - 1);
    await expectShown(page.locator('[aria-rowindex="33"] [title="Remove from favorites"]:focus'));
  }, 180_000);
});

describe('the CSV export', () => {
  it('contains what is shown, for a paid member', async () => {
    const page = await openProMember(environment, newAddress());
    await page.goto('/strategies?sort_by=likes');
    for (const at of [0, 1]) {
      await page.getByTitle('Add to favorites').nth(at).click();
      await expectToast(page, 'Added to favorites', 'Strategy has been saved to your favorites');
      await expectShown(page.locator('.nav-count').getByText(String(at + 1), { exact: true }));
    }
    await page.goto('/favorites?sort_by=title');
    await expectCount(page, 2);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    await expectToast(page, 'CSV exported', '2 favorites are in your downloads');
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^tapedeck-favorites-[\d-]{10}\.csv$/);
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n');
    const shown = await titles(page);
    expect(lines).toHaveLength(shown.length + 1);
    expect(lines.slice(1).map((line, at) => line.includes(shown[at] ?? '?'))).toEqual(shown.map(() => true));
  }, 120_000);

  it('is explained to a member who does not pay, without a request for it', async () => {
    const { page } = await openAll(1);
    const requests: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes(favouriteRoutes.export)) requests.push(request.url());
    });
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const dialog = page.getByRole('dialog');
    await expectShown(dialog.getByText('CSV export is for paid members'));
    await expectShown(dialog.getByRole('link', { name: 'See plans in My Account' }));
    expect(requests).toEqual([]);
    expect((await page.request.get(favouriteRoutes.export)).status()).toBe(403);
  }, 60_000);
});
