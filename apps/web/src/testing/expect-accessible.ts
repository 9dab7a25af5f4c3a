import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { clippedTexts, overflow, smallTargets } from './layout-checks.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The violations that axe reports, as `rule: element`. */
const violations = async (page: Page): Promise<readonly string[]> => {
  // `evaluate` bypasses the content policy, which allows no foreign script.
  await page.evaluate(axe);
  const { violations: found } = await page.evaluate(() =>
    // The script above defines it, which the window's type cannot know.
    (window as unknown as { axe: { run: (options: unknown) => Promise<AxeResults> } }).axe.run({
      resultTypes: ['violations'],
    }),
  );
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
};

/** Fails with everything that the checks of accessibility and layout report. */
export const expectAccessible = async (page: Page): Promise<void> => {
  const problems = {
    violations: await violations(page),
    overflow: await page.evaluate(overflow),
    clipped: await page.evaluate(clippedTexts),
    small: await page.evaluate(smallTargets),
  };
  expect(problems).toEqual({ violations: [], overflow: [], clipped: [], small: [] });
};

const sizes = [
  { width: 1_440, height: 900 },
  { width: 390, height: 844 },
] as const;

/** Wide and narrow, light and dark. */
export const displays = sizes.flatMap((size) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ ...size, colorScheme })),
);
type Display = (typeof displays)[number];

export const setDisplay = async (page: Page, { colorScheme, ...size }: Display): Promise<void> => {
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
};

/** The same in all displays, then in the one that it was before. */
export const expectAccessibleEverywhere = async (page: Page): Promise<void> => {
  const before = page.viewportSize();
  for (const display of displays) {
    await setDisplay(page, display);
    await expectAccessible(page);
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  if (before) await page.setViewportSize(before);
};
