import { expect } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import type { Locator, Page } from 'playwright-core';

/** The clock of what the page opens next stands still until `page.clock.resume()`. */
export const stopTimeBeforeOpening = async (page: Page): Promise<void> => {
  await page.clock.install();
  // The clock goes on until it is stopped, and never back.
  await page.clock.pauseAt(Date.now() + 60_000);
};

/** Lets the time of a stopped clock pass until an element is shown: what an answer changes is drawn with the next frame. */
export const expectShownInTime = (page: Page, element: Locator, stepMs = 20): Promise<void> =>
  eventually(async () => {
    await page.clock.runFor(stepMs);
    expect(await element.first().isVisible()).toBe(true);
  });
