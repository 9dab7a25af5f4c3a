import { Exploration } from '@tapedeck/explorer/contract';
import type { Page } from 'playwright-core';

/** The sandbox's one click; ends on the explorer. */
export const signIn = async (page: Page, url: string): Promise<void> => {
  await page.goto(url);
  await page.getByRole('link', { name: 'Sign in as Pro' }).click();
  await page.getByRole('heading', { name: 'Strategy Explorer' }).waitFor();
};

/** Loads an address and waits for what it finds. */
export const openExplorer = async (page: Page, address: string): Promise<void> => {
  await page.goto(address);
  await page.locator('.cards[aria-busy=false], .empty').waitFor();
};

/** The answer to the next interaction that `act` causes. */
export const explorationAfter = async (page: Page, act: () => Promise<unknown>): Promise<Exploration> => {
  const answered = page.waitForResponse((response) => response.url().includes('/api/strategies/explore'));
  await act();
  return Exploration.parse(await (await answered).json());
};

/** Waits until the badge says so. */
export const shows = (page: Page, count: number): Promise<void> =>
  page
    .getByRole('status')
    .filter({ hasText: new RegExp(`^${count.toLocaleString('en')} results?$`) })
    .waitFor();

/** Takes back every filter, if one is set. */
export const resetExplorer = async (page: Page): Promise<void> => {
  const reset = page.getByRole('button', { name: 'Reset' }).first();
  if (await reset.isEnabled()) await reset.click();
  await shows(page, 4_500);
};

/** The bars as they are drawn, in front of the unfiltered ones. */
export const drawnBars = (page: Page, slider: string): Promise<string | null> =>
  page
    .getByRole('group', { name: slider, exact: true })
    .locator('svg.bars.in path')
    .first()
    .getAttribute('d');

export const sliderNames = [
  'Total P&L',
  'Max drawdown',
  'Profit factor',
  'Sharpe ratio',
  'Likes',
  'Views',
  'Comments',
  'Lines of code',
] as const;

/** What the screen says and draws: controls, total, cards and bars. */
export type ScreenState = Readonly<{
  fields: Readonly<Record<string, string | boolean>>;
  total: string | null;
  titles: readonly string[];
  chips: readonly string[];
  bars: readonly (string | null)[];
  page: string | null;
}>;

export const screenState = async (page: Page): Promise<ScreenState> => {
  await page.locator('.group .chip .n').first().waitFor();
  return {
    fields: await page
      .locator(
        '#filters input:not([type=range]), #filters select, .sort select, .sort button, #filters .chip',
      )
      .evaluateAll((controls) =>
        Object.fromEntries(
          controls.map((control) => {
            const name =
              control.getAttribute('aria-label') ?? control.closest('.field, label')?.textContent ?? '';
            if (control instanceof HTMLInputElement && control.type === 'checkbox') {
              return [name, control.checked] as const;
            }
            if (control instanceof HTMLInputElement || control instanceof HTMLSelectElement) {
              return [name, control.value] as const;
            }
            return [
              control.textContent || 'direction',
              control.getAttribute('aria-pressed') ?? name,
            ] as const;
          }),
        ),
      ),
    total: await page.locator('.tally').textContent(),
    titles: await page.locator('.cards .strategy-title').allTextContents(),
    chips: await page.getByRole('list', { name: 'Active filters' }).locator('.chip').allTextContents(),
    bars: await Promise.all(sliderNames.map((name) => drawnBars(page, name))),
    page: await page.locator('.pager [aria-current=page]').textContent(),
  };
};
