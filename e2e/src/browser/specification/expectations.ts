import { expect } from '@jest/globals';
import type { Locator, Page, Route } from 'playwright-core';
import { expectShown } from '../explorer-screen.ts';

/** Each text is the whole text of an element that is shown, within the page's timeout. */
export const expectTexts = async (part: Page | Locator, ...texts: readonly string[]): Promise<void> => {
  for (const text of texts) await expectShown(part.getByText(text, { exact: true }));
};

export const expectLink = async (
  link: Locator,
  address: string | RegExp,
  target: '_blank' | null = null,
): Promise<void> => {
  expect(await link.first().getAttribute('href')).toEqual(expect.stringMatching(address));
  expect(await link.first().getAttribute('target')).toBe(target);
};

/** The one toast that is shown says this. */
export const expectToast = async (page: Page, title: string, text: string): Promise<void> => {
  await expectShown(
    page.locator('.toast', { has: page.getByText(title, { exact: true }) }).filter({ hasText: text }),
  );
  expect(await page.locator('.toast').count()).toBe(1);
};

/** Answers requests that match, until the returned function is called. */
export const answerWith = async (
  page: Page,
  match: string,
  status: number,
  json: unknown,
): Promise<() => Promise<void>> => {
  const answer = (route: Route): Promise<void> => route.fulfill({ status, json });
  await page.route(match, answer);
  return () => page.unroute(match, answer);
};
