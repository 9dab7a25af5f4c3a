import { expect } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import type { Locator, Page, Route } from 'playwright-core';
import { expectHidden, expectShown } from './explorer-screen.ts';
import { dialogOf } from './membership-screen.ts';

/** The text of the answer is JSON that no person should see. */
export const failWith =
  (status: number, detail?: string) =>
  (route: Route): Promise<void> =>
    route.fulfill({
      status,
      contentType: 'application/problem+json',
      json: { title: 'Out of order', status, requestId: 'r-42', ...(detail === undefined ? {} : { detail }) },
    });

/** Requests that change something fail; others are answered. */
export const failChanges = (page: Page, match: string): Promise<unknown> =>
  page.route(match, (route) =>
    route.request().method() === 'GET' ? route.fallback() : failWith(500)(route),
  );

export const hasFocus = (control: Locator): Promise<boolean> =>
  control.evaluate((element) => element === document.activeElement);

export const expectNoJson = async (page: Page): Promise<void> =>
  expect(await page.locator('body').innerText()).not.toMatch(/[{[]\s*"/);

export const toastOf = (page: Page): Locator => page.locator('.toast[data-state=open]');

export type InlineError = Readonly<{ page: Page; within: Locator; text: string; pressed: Locator }>;

/** In danger colours, announced, with the details of the answer on request; what was pressed has kept the focus. */
export const expectInlineError = async ({ page, within, text, pressed }: InlineError): Promise<void> => {
  const notice = within
    .locator('.notice--danger', { has: page.getByRole('alert') })
    .filter({ hasText: text });
  await expectShown(notice);
  // It returns to what has failed a moment after the error is shown.
  await eventually(async () => expect(await hasFocus(pressed)).toBe(true));
  await expectNoJson(page);
  const colours = await notice.evaluate((element) => {
    const probe = document.createElement('i');
    probe.className = 'required';
    element.append(probe);
    const danger = getComputedStyle(probe).color;
    probe.remove();
    return { danger, border: getComputedStyle(element).borderTopColor };
  });
  expect(colours.border).toBe(colours.danger);
  const details = notice.locator('pre');
  expect(await details.isVisible()).toBe(false);
  await notice.locator('summary').click();
  expect(await details.innerText()).toMatch(/^Status: 500 Out of order\nRequest: r-42\n500: \{"title":/);
};

export type Failing = Readonly<{
  page: Page;
  /** The requests that fail. */
  match: string;
  /** What the person has typed. */
  typed?: readonly (readonly [field: string, text: string])[];
  /** The name of the button that is pressed. */
  action: string;
  text: string;
  /** Of the toast that the specification demands. */
  toast?: string;
}>;

/** In the dialog that is open the action fails; the next time it succeeds, which closes the dialog. */
export const expectRecovers = async (failing: Failing): Promise<void> => {
  const { page, match, typed = [], action, text, toast } = failing;
  const dialog = dialogOf(page);
  for (const [field, value] of typed) await dialog.getByLabel(field).fill(value);
  const button = dialog.getByRole('button', { name: action, exact: true });
  await failChanges(page, match);
  await button.press('Enter');
  // First of all: it disappears by itself.
  if (toast !== undefined) await expectShown(toastOf(page));
  await expectShown(dialog.getByText(text));
  expect(await toastOf(page).locator('b').allTextContents()).toEqual(toast === undefined ? [] : [toast]);
  await expectInlineError({ page, within: dialog, text, pressed: button });
  for (const [field, value] of typed) expect(await dialog.getByLabel(field).inputValue()).toBe(value);
  await page.unroute(match);
  await button.press('Enter');
  await expectHidden(dialog);
};
