import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { clippedTexts, overflow, smallTargets } from './layout-checks.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules whose result depends on colours, and so on the theme. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** The violations of all rules, or of some, that axe reports, as `rule: element`. */
const violations = async (page: Page, rules?: readonly string[]): Promise<readonly string[]> => {
  // `evaluate` bypasses the content policy, which allows no foreign script.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  const { violations: found } = await page.evaluate(
    (runOnly) =>
      // The script above defines it, which the window's type cannot know.
      (window as unknown as { axe: { run: (options: unknown) => Promise<AxeResults> } }).axe.run({
        resultTypes: ['violations'],
        ...(runOnly ? { runOnly } : {}),
      }),
    rules,
  );
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
};

/** Fails with everything that the checks of accessibility and layout report. */
export const expectAccessible = async (page: Page, display?: string): Promise<void> => {
  const problems = {
    display,
    violations: await violations(page),
    overflow: await page.evaluate(overflow),
    clipped: await page.evaluate(clippedTexts),
    small: await page.evaluate(smallTargets),
  };
  expect(problems).toEqual({ display, violations: [], overflow: [], clipped: [], small: [] });
};

export const sizes = [
  { width: 1_440, height: 900 },
  { width: 390, height: 844 },
] as const;
type Size = Readonly<{ width: number; height: number }>;

/** Without motion, so that no colour is between two themes. */
export const setSize = async (page: Page, size: Size): Promise<void> => {
  await page.setViewportSize(size);
  await page.emulateMedia({ reducedMotion: 'reduce' });
};

/** In the theme and the size that the page has. */
export const expectAccessibleAsShown = async (page: Page): Promise<void> => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expectAccessible(page);
  await page.emulateMedia({ reducedMotion: null });
};

/** Light, and the colours of dark, in the size of the window. `display` says in a failure what is shown. */
export const expectAccessibleInThemes = async (page: Page, display = 'the page'): Promise<void> => {
  const shownIn = (theme: string): string => `${display}, ${theme}, ${page.viewportSize()?.width} wide`;
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await expectAccessible(page, shownIn('light'));
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  expect([shownIn('dark'), ...(await violations(page, colourRules))]).toEqual([shownIn('dark')]);
};

/** Wide and narrow, light and dark; then the window is as it was before. */
export const expectAccessibleEverywhere = async (page: Page): Promise<void> => {
  const before = page.viewportSize();
  for (const size of sizes) {
    await setSize(page, size);
    await expectAccessibleInThemes(page);
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  if (before) await page.setViewportSize(before);
};
