import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import type { Page, Route } from 'playwright-core';
import { explorationAfter, shows } from './explorer-screen.ts';
import { clippedTexts, overflow, smallTargets } from './layout-checks.ts';
import { openStage, type Stage } from './test-environment.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let opening: Promise<Stage>;
let stage: Stage;
let page: Page;

beforeAll(async () => {
  opening = openStage();
  stage = await opening;
  ({ page } = stage);
}, 120_000);
afterAll(async () => (await opening).close(), 120_000);

/** What the checker objects to, as `rule: element`. */
const violations = async (): Promise<readonly string[]> => {
  // Past the page's policy, which allows no foreign script.
  await page.evaluate(axe);
  const { violations: found } = await page.evaluate(() =>
    // The script above has put it there, which the window's type cannot know.
    (window as unknown as { axe: { run: (options: unknown) => Promise<AxeResults> } }).axe.run({
      resultTypes: ['violations'],
    }),
  );
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
};

const objections = async (): Promise<Readonly<Record<string, readonly string[]>>> => ({
  violations: await violations(),
  overflow: await page.evaluate(overflow),
  clipped: await page.evaluate(clippedTexts),
  small: await page.evaluate(smallTargets),
});

const none = { violations: [], overflow: [], clipped: [], small: [] };

const sizes = [
  { width: 1_440, height: 900 },
  { width: 390, height: 844 },
] as const;
const looks = sizes.flatMap((size) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ ...size, colorScheme })),
);
type Look = (typeof looks)[number];

const dress = async ({ colorScheme, ...size }: Look): Promise<void> => {
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
};

const explore = '**/api/strategies/explore*';
const answerExplore = async (answer: (route: Route) => Promise<void>): Promise<void> => {
  await page.unroute(explore);
  await page.route(explore, answer);
};
const fail =
  (status: number) =>
  (route: Route): Promise<void> =>
    route.fulfill({
      status,
      json: { title: 'Unavailable', requestId: 'r-1' },
      headers: { 'retry-after': '60' },
    });

describe.each(looks)('the explorer at $width, $colorScheme', (look) => {
  beforeAll(async () => {
    await page.unroute(explore);
    await dress(look);
  });

  it('with everything set', async () => {
    await page.goto(
      `${stage.url}/strategies?search=a&min_total_pandl_percent=-50&max_code_lines=900&symbol=b&pine_version=v5` +
        '&publication_date_start=2019-01-02&has_performance=true&scales=totalPandlPercent:log',
    );
    await page.locator('.cards[aria-busy=false]').waitFor();
    expect(await objections()).toEqual(none);
  });

  it('with the panel the other way', async () => {
    const name = look.width > 960 ? 'Close the filter panel' : /^Filters/;
    await page.getByRole('button', { name }).click();
    await page
      .getByRole('button', { name: look.width > 960 ? /^Filters/ : 'Close the filter panel' })
      .waitFor();
    expect(await objections()).toEqual(none);
    await page
      .getByRole('button', { name: look.width > 960 ? /^Filters/ : 'Close the filter panel' })
      .click();
  });

  it('without any strategy', async () => {
    await page.goto(`${stage.url}/strategies?search=zzzz&symbol=qqqq&pine_version=v5`);
    await page.locator('.suggestions button').first().waitFor();
    expect(await objections()).toEqual(none);
  });

  it('while it loads', async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await answerExplore(async (route) => {
      await held;
      await route.abort();
    });
    await page.goto(`${stage.url}/strategies?search=loading`);
    await page.getByText('Loading strategies').waitFor();
    expect(await objections()).toEqual(none);
    release();
  });

  it.each([500, 503])('after a failure with %d', async (status) => {
    await answerExplore(fail(status));
    await page.goto(`${stage.url}/strategies?search=failure`);
    await page.getByText('Failed to fetch filtered strategies').waitFor();
    expect(await objections()).toEqual(none);
  });
});

describe.each(looks)('other pages at $width, $colorScheme', (look) => {
  it('a strategy', async () => {
    await page.unroute(explore);
    await dress(look);
    await page.goto(`${stage.url}/strategies?sort_by=likes`);
    await page.locator('.strategy-title a').first().click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await objections()).toEqual(none);
  });
});

describe('by keyboard alone', () => {
  it('searches, takes a preset, sorts, turns the page and opens a strategy', async () => {
    await dress({ width: 1_440, height: 900, colorScheme: 'light' });
    await page.goto(`${stage.url}/strategies?sort_order=asc`);
    await shows(page, 4_500);
    const focused = page.locator(':focus');
    await page.keyboard.press('/');
    await page.keyboard.type('rsi');
    await page.keyboard.press('Enter');
    await page.waitForURL(/search=rsi/);
    await page.keyboard.press('Tab');
    await expect(focused.textContent()).resolves.toContain('Low drawdown');
    await page.keyboard.press('Space');
    await page.waitForURL(/max_max_drawdown_percent=10/);
    await page.locator('.cards[aria-busy=false]').waitFor();
    await page.getByLabel('Sort by').focus();
    const sorted = await explorationAfter(page, () => page.keyboard.press('End'));
    await page.waitForURL(/sort_by=views/);
    await page.keyboard.press('Tab');
    const turned = await explorationAfter(page, () => page.keyboard.press('Enter'));
    expect(turned.strategies[0]?.url_id).not.toBe(sorted.strategies[0]?.url_id);
    await explorationAfter(page, () => page.keyboard.press(']'));
    await page.waitForURL(/page=2/);
    await page.locator('.cards[aria-busy=false]').waitFor();
    for (let presses = 0; presses < 12; presses++) {
      await page.keyboard.press('Tab');
      if (await focused.evaluate((element) => element.matches('.strategy-title a'))) break;
    }
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/strategy\//);
  });
});
