import { describe, it } from '@jest/globals';
import { favouriteRoutes } from '@tapedeck/favourites/contract';
import type { Page } from 'playwright-core';
import { expectAccessibleEverywhere, expectAccessibleInThemes, setSize } from './expect-accessible.ts';
import { expectShown, holdRequests } from './explorer-screen.ts';
import { expectCount, newAddress, openWithFavourites, rows } from './favourites-screen.ts';
import { openMember } from './membership-screen.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment({ product: 'shared', expectedErrors: /status of 503/ });

const list = `**${favouriteRoutes.list}`;
const long = 'a very long tag of forty characters long';

/** The four sizes in which the page is laid out differently. */
const expectAccessibleInSizes = async (page: Page): Promise<void> => {
  await expectAccessibleEverywhere(page);
  for (const width of [1_024, 768]) {
    await setSize(page, { width, height: 900 });
    await expectAccessibleInThemes(page);
  }
};

describe('favourites are accessible', () => {
  it.each(['/favorites', '/'])(
    'at %s with tags, a selection, an edit and a message',
    async (path) => {
      const { page } = await openWithFavourites(environment, 4, (at) => [`tag ${at}`, long]);
      await page.goto(path);
      // What was just added may be read late.
      await expectCount(page, 4);
      await expectAccessibleInSizes(page);
      await page.setViewportSize({ width: 1_440, height: 900 });
      await rows(page).nth(1).getByTitle('Edit tags').click();
      await expectShown(rows(page).nth(1).locator('[aria-label="New tag"]:focus'));
      await page.keyboard.type('another');
      if (path === '/favorites') {
        await page
          .getByRole('checkbox', { name: /^Select (?!all)/ })
          .first()
          .click();
        await page.getByRole('button', { name: 'tag 1 1' }).click();
        await page.getByRole('button', { name: 'tag 2 1' }).click();
      }
      await expectAccessibleInSizes(page);
      await page.setViewportSize({ width: 1_440, height: 900 });
      await rows(page).last().getByTitle('Remove from favorites').click();
      await expectShown(page.getByRole('button', { name: 'Undo' }));
      await page.locator('.toast').hover();
      await expectAccessibleInThemes(page);
    },
    180_000,
  );

  it.each(['/favorites', '/'])(
    'at %s without favourites and without tags',
    async (path) => {
      const page = await openMember(environment, newAddress());
      await page.goto(path);
      await expectShown(page.getByText('No favorites yet.'));
      await expectAccessibleInSizes(page);
      const { page: other } = await openWithFavourites(environment, 1);
      await other.goto(path);
      await expectShown(other.getByText('No tags yet: add some with the tag button of a favorite.'));
      await expectAccessibleInSizes(other);
    },
    180_000,
  );

  it.each(['/favorites', '/'])(
    'at %s while they are loaded, and when that fails',
    async (path) => {
      const page = await openMember(environment, newAddress());
      const release = await holdRequests(page, list);
      await page.goto(path);
      await expectShown(page.getByText('Loading favorites...'));
      await expectAccessibleInSizes(page);
      release();
      await page.unroute(list);
      await page.route(list, (route) => route.fulfill({ status: 503, json: { title: 'Unavailable' } }));
      await page.goto(path);
      await expectShown(page.getByText('Error loading favorites. Please try again.'));
      await expectAccessibleInSizes(page);
    },
    180_000,
  );

  it('in forced colours', async () => {
    const { page } = await openWithFavourites(environment, 3, (at) => [`tag ${at}`]);
    await page.emulateMedia({ forcedColors: 'active' });
    await page.getByRole('button', { name: 'tag 1 1' }).click();
    await page
      .getByRole('checkbox', { name: /^Select (?!all)/ })
      .first()
      .click();
    await expectAccessibleEverywhere(page);
  }, 90_000);
});
