import { describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { favouriteRoutes } from '@tapedeck/favourites/contract';
import { savedSearchRoutes } from '@tapedeck/saved-searches/contract';
import type { Page } from 'playwright-core';
import { expectHidden, expectShown } from './explorer-screen.ts';
import { expectCount, newAddress, openWithFavourites, rows } from './favourites-screen.ts';
import { layoutShiftOf, recordLayoutShift } from './layout-shift.ts';
import { openMember, openProMember, signInAs } from './membership-screen.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment({ product: 'shared', expectedErrors: /status of 503/ });

const widths = [1_440, 1_024, 768, 390] as const;

const openDashboard = async (page: Page): Promise<void> => {
  await page.goto('/');
  await expectShown(page.getByRole('heading', { name: 'Community' }));
};

const openAs = async (email: string): Promise<Page> => {
  const page = await environment.openPage('visitor');
  await signInAs(page, email);
  return page;
};

/** Points between the cards' grid's edges that no card covers, apart from the gaps between cards. */
const holes = (page: Page): Promise<readonly string[]> =>
  page.locator('.dash-grid').evaluate((grid) => {
    const gap = 17;
    const step = 9;
    const box = grid.getBoundingClientRect();
    const cards = [...grid.querySelectorAll('.card')].map((card) => card.getBoundingClientRect());
    const found: string[] = [];
    for (let x = box.left + 1; x < box.right; x += step) {
      for (let y = box.top + 1; y < box.bottom; y += step) {
        const isCovered = cards.some(
          ({ left, right, top, bottom }) =>
            x > left - gap && x < right + gap && y > top - gap && y < bottom + gap,
        );
        if (!isCovered) found.push(`${Math.round(x)}, ${Math.round(y)}`);
      }
    }
    return found;
  });

const primaryButtons = (page: Page): Promise<readonly string[]> =>
  page.locator('.btn--primary:visible').allInnerTexts();

describe('the dashboard', () => {
  it('greets, and says what is new since the last visit, for each saved search', async () => {
    const page = await openMember(environment, newAddress());
    const saved = { savedAt: '2027-01-01T00:00:00.000Z', query: 'search=macd' };
    const searches = [
      { ...saved, id: '1', name: 'Calm ones', newMatches: 0 },
      { ...saved, id: '2', name: 'Fast ones', newMatches: 3 },
      { ...saved, id: '3', name: 'Old ones', newMatches: null },
    ];
    await page.route(`**${savedSearchRoutes.searches}`, (route) => route.fulfill({ json: searches }));
    let seen = '';
    await page.route(`**${savedSearchRoutes.seen('*')}`, (route) => {
      seen = new URL(route.request().url()).pathname;
      return route.fulfill({ status: 204 });
    });
    await openDashboard(page);
    const greeting = await page.getByRole('heading', { level: 1 }).innerText();
    expect(greeting).toMatch(/^Good (morning|afternoon|evening), /);
    await expectShown(page.getByText('Three new strategies match your saved searches.'));
    const lines = page.getByRole('region', { name: 'Saved searches' }).getByRole('listitem');
    const texts = (await lines.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
    expect(texts).toEqual([
      'Fast ones 3 new since your last visit',
      'Calm ones Nothing new since your last visit',
      'Old ones New matches cannot be counted at the moment',
    ]);
    await page.getByRole('link', { name: 'Fast ones' }).click();
    await page.waitForURL(/\/strategies\?search=macd/);
    await eventually(() => expect(seen).toBe(savedSearchRoutes.seen('2')));
  }, 60_000);

  it.each([0, 1, 3, 8])(
    'has no holes at any width with %d favourites',
    async (count) => {
      const { page } = await openWithFavourites(environment, count, (at) => [`tag ${at}`]);
      await openDashboard(page);
      // What was just added may be read late.
      await expectCount(page, count);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        await eventually(async () =>
          expect({ width, holes: await holes(page) }).toEqual({ width, holes: [] }),
        );
      }
    },
    120_000,
  );

  it.each(widths)(
    'does not move while it loads, at %d',
    async (width) => {
      const { page } = await openWithFavourites(environment, 6, (at) => [`tag ${at}`, `group ${at % 2}`]);
      await expectCount(page, 6);
      await recordLayoutShift(page);
      await page.setViewportSize({ width, height: 900 });
      for (const path of ['/', '/favorites']) {
        await page.goto(path);
        await expectShown(rows(page));
        await page.waitForLoadState('networkidle');
        expect(await layoutShiftOf(page)).toBeLessThanOrEqual(0.02);
      }
    },
    120_000,
  );

  it('has one primary button, which is what the membership needs or the explorer', async () => {
    const free = await openMember(environment, newAddress());
    await openDashboard(free);
    await eventually(async () => expect(await primaryButtons(free)).toEqual(['Upgrade to Pro']));
    const pro = await openProMember(environment, newAddress());
    await openDashboard(pro);
    await eventually(async () => expect(await primaryButtons(pro)).toEqual(['Explore Strategies']));
  }, 120_000);

  it.each(['admin', 'support'])(
    'does not ask %s to upgrade',
    async (role) => {
      const page = await openAs(`${role}@tapedeck.example`);
      await expectShown(page.getByText('Your role includes every feature of every plan.'));
      await expectHidden(page.getByText('Upgrade to Pro'));
      await openDashboard(page);
      await expectShown(page.getByText('Your role includes every feature of every plan.'));
      expect(await page.getByText('Upgrade').count()).toBe(0);
      await eventually(async () =>
        expect(await primaryButtons(page)).toEqual([role === 'admin' ? 'Execute' : 'Explore Strategies']),
      );
    },
    60_000,
  );

  it('shows everything else when the favourites cannot be loaded, and does not keep asking', async () => {
    const page = await openMember(environment, newAddress());
    let requests = 0;
    await page.route(`**${favouriteRoutes.list}`, (route) => {
      requests++;
      return route.fulfill({ status: 503, json: { title: 'Unavailable' } });
    });
    await openDashboard(page);
    await expectShown(page.getByText('Error loading favorites. Please try again.'));
    await page.waitForLoadState('networkidle');
    expect(requests).toBeLessThanOrEqual(3);
    // The list is asked for once more when the stream of changes begins: here nothing but the button does that.
    await page.route('**/api/changes', () => undefined);
    await openDashboard(page);
    await expectShown(page.getByText('Error loading favorites. Please try again.'));
    await page.unroute(`**${favouriteRoutes.list}`);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expectShown(page.getByText('No favorites yet.'));
  }, 120_000);

  it('is at the address / when it is typed, while a reload and Back keep the section', async () => {
    const { page } = environment;
    const section = page.getByRole('heading', { name: 'Trading Bots' });
    await page.goto('/?section=trading-bots');
    await expectShown(section);
    await page.waitForURL(({ search }) => search === '');
    await page.reload();
    await expectShown(section);
    await page.goto('/favorites');
    await page.goBack();
    await expectShown(section);
    await page.goto('/');
    await expectShown(page.getByRole('heading', { name: 'Community' }));
  }, 120_000);
});
