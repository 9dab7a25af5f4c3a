import { describe, expect, it } from '@jest/globals';
import { favouriteRoutes } from '@tapedeck/favourites/contract';
import { eventually } from '@tapedeck/eventing/testing';
import { platformRoutes } from '@tapedeck/platform/contract';
import { expectHidden, expectShown, holdRequests, openExplorer } from '../explorer-screen.ts';
import { openWithFavourites, rows, tagsOf, titles } from '../favourites-screen.ts';
import { setUpTestEnvironment } from '../test-environment.ts';
import { expectAllTexts, expectToastAfter, requestsTo } from './catalogue-screen.ts';
import { checkRows } from './check-rows.ts';
import { answerWith, expectTexts } from './expectations.ts';

// The tests answer requests with errors, which the browser logs.
const environment = setUpTestEnvironment({ product: 'shared', expectedErrors: /status of 500/ });

const list = `**${favouriteRoutes.list}`;
const one = `${list}/*`;

describe('the stars', () => {
  it('add and remove', async () => {
    const { page } = await openWithFavourites(environment, 0);
    await openExplorer(page, 'sort_by=likes');
    const card = page.locator('.strategy-card').first();
    const release = await holdRequests(page, list);
    const star = (title: string) => card.getByTitle(title, { exact: true });
    await checkRows('stars', {
      'the title of a star is Add to favorites': () => expectShown(star('Add to favorites')),
      'a star is pressed, but does not open the card': async () => {
        const requested = page.waitForRequest((request) => request.method() === 'POST');
        await star('Add to favorites').click();
        expect(new URL((await requested).url()).pathname).toBe(favouriteRoutes.list);
        expect(new URL(page.url()).pathname).toBe('/strategies');
      },
      'while the request is sent the star does nothing': async () => {
        await expectShown(card.locator('[title="Remove from favorites"][aria-disabled=true]'));
        const deletions = requestsTo(page, `${favouriteRoutes.list}/`);
        await star('Remove from favorites').click({ force: true });
        await expectShown(star('Remove from favorites'));
        expect(deletions).toEqual([]);
      },
      'Added to favorites: Strategy has been saved to your favorites': () =>
        expectToastAfter(
          page,
          async () => release(),
          'Added to favorites',
          'Strategy has been saved to your favorites',
        ),
      'then the title is Remove from favorites': () => expectShown(star('Remove from favorites')),
      'a failed removal says: Error: Failed to remove strategy from favorites': async () => {
        const stop = await answerWith(page, one, 500, {});
        await expectToastAfter(
          page,
          () => star('Remove from favorites').click(),
          'Error',
          'Failed to remove strategy from favorites',
        );
        await expectShown(star('Remove from favorites'));
        await stop();
      },
      'Removed from favorites: Strategy has been removed from your favorites': () =>
        expectToastAfter(
          page,
          () => star('Remove from favorites').click(),
          'Removed from favorites',
          'Strategy has been removed from your favorites',
        ),
      'a failed addition says: Error: Failed to add strategy to favorites': async () => {
        const stop = await answerWith(page, list, 500, {});
        await expectToastAfter(
          page,
          () => star('Add to favorites').click(),
          'Error',
          'Failed to add strategy to favorites',
        );
        await expectShown(star('Add to favorites'));
        await stop();
      },
      'Add to Favorites on the page of a strategy is the same star': async () => {
        await card.getByRole('link').click();
        const button = page.getByRole('button', { name: /^Add to Favorites: / });
        await expectShown(button);
        await expectToastAfter(
          page,
          () => button.click(),
          'Added to favorites',
          'Strategy has been saved to your favorites',
        );
        await expectShown(page.getByRole('button', { name: /^In favorites: / }));
      },
    });
  }, 180_000);
});

describe('the favourites', () => {
  it('are listed, tagged and removed', async () => {
    const { page, ids } = await openWithFavourites(
      environment,
      3,
      (at) => [['x', 'all'], ['y'], []][at] ?? [],
    );
    const [first] = ids;
    const row = rows(page).nth(2);
    const newTag = () => row.getByLabel('New tag');
    const button = (name: string) => row.getByRole('button', { name, exact: true });
    const draft = () => row.locator('.chip--filter').allInnerTexts();
    const shown = () => rows(page).count();
    let stop: () => Promise<void>;
    const release = await holdRequests(page, list);
    await page.reload();
    await checkRows('favourites', {
      'while they are loaded it says: Loading favorites...': () => expectTexts(page, 'Loading favorites...'),
      'a failure says: Error loading favorites. Please try again.': async () => {
        release();
        await page.unroute(list);
        stop = await answerWith(page, list, 500, {});
        // When changes begin to be reported the list is requested again: the button would disappear before it is pressed.
        await holdRequests(page, `**${platformRoutes.changes}`);
        await page.reload();
        await expectShown(page.getByText('Error loading favorites. Please try again.'));
        await stop();
        await page.getByRole('button', { name: 'Try again' }).click();
        await expectShown(rows(page));
      },
      'each has title, author, P&L, Max DD, PF, Sharpe, trades, likes and views': async () => {
        const names = ['P&L', 'Max DD', 'PF', 'Sharpe', 'Trades', 'Likes', 'Views'];
        await expectAllTexts(row.locator('.fav-figure-name'), names);
        for (const value of await row.locator('.fav-figure > :last-child').allInnerTexts())
          expect(value).toMatch(/^[+−]?[\d.]+[KMB]?%?$|^∞$|^N\/A$/);
        await expectShown(row.locator('h3 a'));
        expect(await row.locator('.fav-main .meta').first().innerText()).toMatch(/\S/);
      },
      'without a pressed tag all favourites are shown': async () => expect(await shown()).toBe(3),
      'with pressed tags those that have any of them are shown': async () => {
        await page.getByRole('button', { name: 'x 1', exact: true }).click();
        await eventually(async () => expect(await shown()).toBe(1));
        await page.getByRole('button', { name: 'y 1', exact: true }).click();
        await eventually(async () => expect(await shown()).toBe(2));
        await page.getByRole('button', { name: 'Show all', exact: true }).click();
        await eventually(async () => expect(await shown()).toBe(3));
      },
      'an edit has Save and Cancel': async () => {
        expect(await tagsOf(row)).toEqual(['x', 'all']);
        await row.getByTitle('Edit tags').click();
        await expectShown(button('Save'));
        await expectShown(button('Cancel'));
      },
      'Add cannot be pressed while the field is blank, and Enter adds nothing': async () => {
        for (const text of ['', '   ']) {
          await newTag().fill(text);
          expect(await button('Add').isDisabled()).toBe(true);
          await newTag().press('Enter');
        }
        expect(await draft()).toEqual(['x', 'all']);
      },
      'Enter adds a tag without the spaces around it': async () => {
        await newTag().fill('  swing ');
        await newTag().press('Enter');
        expect(await draft()).toEqual(['x', 'all', 'swing']);
      },
      'a tag that is there already is not added again': async () => {
        await newTag().fill(' x');
        await newTag().press('Enter');
        expect(await draft()).toEqual(['x', 'all', 'swing']);
      },
      'Add adds a tag': async () => {
        await newTag().fill('btc');
        await button('Add').click();
        expect(await draft()).toEqual(['x', 'all', 'swing', 'btc']);
      },
      'each tag can be removed alone': async () => {
        await button('Remove tag all').click();
        expect(await draft()).toEqual(['x', 'swing', 'btc']);
      },
      'Cancel leaves the tags as they were': async () => {
        await button('Cancel').click();
        await expectHidden(button('Save'));
        expect(await tagsOf(row)).toEqual(['x', 'all']);
      },
      'a failed change says: Failed to update tags': async () => {
        await row.getByTitle('Edit tags').click();
        await newTag().fill('new');
        await newTag().press('Enter');
        stop = await answerWith(page, `${one}/tags`, 500, {});
        await expectToastAfter(page, () => button('Save').click(), 'Failed to update tags', '');
        await stop();
      },
      'Save sends all tags, and says: Tags updated successfully': async () => {
        const requested = page.waitForRequest((request) => request.method() === 'PUT');
        const save = () => button('Save').click();
        await expectToastAfter(page, save, 'Success', 'Tags updated successfully');
        expect(new URL((await requested).url()).pathname).toBe(favouriteRoutes.tags(first ?? ''));
        expect((await requested).postDataJSON()).toEqual({ tags: ['x', 'all', 'new'] });
        await eventually(async () => expect(await tagsOf(row)).toEqual(['x', 'all', 'new']));
      },
      'a failed removal says: Error: Failed to remove favorite': async () => {
        stop = await answerWith(page, one, 500, {});
        const remove = () => row.getByTitle('Remove from favorites').click();
        await expectToastAfter(page, remove, 'Error', 'Failed to remove favorite');
        await eventually(async () => expect(await shown()).toBe(3));
        await stop();
      },
      'Success: Strategy removed from favorites': async () => {
        const requested = page.waitForRequest((request) => request.method() === 'DELETE');
        const remove = () => row.getByTitle('Remove from favorites').click();
        await expectToastAfter(page, remove, 'Success', 'Strategy removed from favorites');
        expect(new URL((await requested).url()).pathname).toBe(favouriteRoutes.one(first ?? ''));
        expect(await titles(page)).toHaveLength(2);
      },
      'the title opens the page of the strategy': async () => {
        await rows(page).nth(1).locator('h3 a').click();
        await page.waitForURL(`**/strategy/${ids[1]}`);
      },
    });
  }, 180_000);
});
