import { describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import type { Page } from 'playwright-core';
import { expectShown } from './explorer-screen.ts';
import { openServedPage } from './failing-server.ts';
import { expectShownInTime } from './stopped-time.ts';
import { setUpTestEnvironment } from './test-environment.ts';

// The tests refuse scripts, which the browser logs.
const environment = setUpTestEnvironment({
  product: 'shared',
  expectedErrors: /ERR_FAILED|ERR_ABORTED|dynamically imported/,
});

const pagesScript = /\/assets\/member-pages-[\w-]+\.js/;

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const favourites = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Favorites/ });

describe('a page whose code is loaded when it is opened', () => {
  it('says that it could not be loaded, and is shown after a reload', async () => {
    const page = await environment.openPage('member');
    await page.route(pagesScript, (route) => route.abort());
    await page.goto('/strategies');
    await favourites(page).click();
    await expectShown(heading(page, 'This page could not be loaded'));
    await page.unroute(pagesScript);
    await page.getByRole('button', { name: 'Reload the page' }).click();
    await expectShown(heading(page, 'Favorites'));
  });

  it('says the same when it is the first page that is opened', async () => {
    const page = await environment.openPage('member');
    await page.route(pagesScript, (route) => route.abort());
    await page.goto('/favorites');
    await expectShown(heading(page, 'This page could not be loaded'));
  });

  it('leaves the page before it on the screen while it is on its way, and says so after 2 s', async () => {
    const page = await environment.openPage('member');
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const served = await openServedPage(page, '/strategies', () =>
      page.route(pagesScript, async (route) => {
        await held;
        await route.continue();
      }),
    );
    await expectShownInTime(page, heading(page, 'Strategy Explorer'));
    await favourites(page).click();
    await served.pass(3);
    await expectShown(page.getByText('Still working...'));
    expect(await heading(page, 'Strategy Explorer').isVisible()).toBe(true);
    letGo();
    await expectShownInTime(page, heading(page, 'Favorites'));
    await eventually(async () => expect(await page.getByText('Still working...').count()).toBe(0));
  });
});
