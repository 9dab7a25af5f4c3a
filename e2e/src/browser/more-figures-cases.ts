import { it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { expectHidden, expectShown, expectTotal, openExplorer } from './explorer-screen.ts';
import type { TestEnvironment } from './test-environment.ts';

/** Opens the part of the filter panel with this heading. */
export const openPart = async (page: Page, heading: string): Promise<void> => {
  const part = page.locator('details', { has: page.getByText(heading, { exact: true }) });
  if (!(await part.evaluate((details: HTMLDetailsElement) => details.open)))
    await part.locator('summary').click();
};

/** The figures beyond those of the panel's other parts. */
export const describeMoreFigures = (environment: TestEnvironment): void => {
  const part = (page: Page): Locator => page.getByRole('region', { name: 'More figures' });

  it('hides "More figures" until their heading is pressed', async () => {
    const { page } = environment;
    await openExplorer(page);
    await expectHidden(part(page));
    await openPart(page, 'More figures');
    await expectShown(part(page));
  });

  it('keeps "More figures" open, or closed, on the next visit', async () => {
    const { page } = environment;
    await openExplorer(page);
    await openPart(page, 'More figures');
    await expectShown(part(page));
    await openExplorer(page);
    await expectShown(part(page));
    await page.locator('summary', { hasText: 'More figures' }).press('Enter');
    await expectHidden(part(page));
    // The browser hides it before the page learns of it.
    await page.waitForFunction(() => localStorage.getItem('tapedeck.more-figures') === 'closed');
    await openExplorer(page);
    await expectHidden(part(page));
  });

  it('shows "More figures" when one of them is a filter in the address', async () => {
    const { page, catalogue } = environment;
    await openExplorer(page, 'min_total_trades=300&sort_by=total_trades');
    await expectShown(part(page));
    await expectTotal(page, await catalogue.countWhere(`replace(total_trades, ',', '')::numeric >= 300`));
    await page.getByRole('button', { name: 'Remove filter Trades ≥ 300' }).click();
    await page.waitForURL((url) => url.search === '?sort_by=total_trades');
    await expectShown(part(page));
  });
};
