import { expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { expectShown } from '../explorer-screen.ts';

/** The text of each element as it is shown, in one line. */
export const textsOf = async (elements: Locator): Promise<readonly string[]> =>
  (await elements.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());

/** Fails unless one toast is shown, with these texts, and since the last call: the same one is not found twice. */
export const expectNewToast = async (
  page: Page,
  title: string,
  text: string | RegExp,
  kind: 'ok' | 'danger' = 'danger',
): Promise<void> => {
  const toast = page
    .locator(`.toast--${kind}:not([data-seen])`)
    .filter({ has: page.getByText(title, { exact: true }) })
    .filter({ has: page.getByText(text, { exact: true }) });
  await expectShown(toast);
  expect(await page.locator('.toast').count()).toBe(1);
  await toast.evaluate((element) => element.setAttribute('data-seen', ''));
};
