import { expect } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { Exploration, explorerRoutes, type StrategyListItem } from '@tapedeck/explorer/contract';
import type { Locator, Page, Request } from 'playwright-core';
import { expectHidden, expectShown } from '../explorer-screen.ts';
import { expectToast } from './expectations.ts';

export const lists = `**${explorerRoutes.explore}*`;

export const field = (page: Page, name: string): Locator => page.getByLabel(name, { exact: true });

export const type = async (page: Page, name: string, text: string): Promise<void> => {
  await field(page, name).fill(text);
  await field(page, name).press('Enter');
};

/** The filters in the address. */
export const filtersOf = (page: Page): URLSearchParams => new URL(page.url()).searchParams;

export const pressedPage = (page: Page): Locator => page.locator('.pager [aria-current=page]');

/** Fails unless this page of the list is shown within the page's timeout. */
export const expectPage = (page: Page, number: number): Promise<void> =>
  expectShown(pressedPage(page).getByText(String(number), { exact: true }));

export const pageButtons = (page: Page): Promise<readonly string[]> =>
  page.locator('.pager button[aria-label^="Page "]').allInnerTexts();

/** The parameters of the next list that is requested because of `act`, once it is answered. */
export const listRequestAfter = async (page: Page, act: () => Promise<unknown>): Promise<URLSearchParams> => {
  const answered = page.waitForResponse(lists);
  await act();
  return new URL((await answered).url()).searchParams;
};

/** From now on the first strategies of every list have other values. */
export const changeCards = async (
  page: Page,
  changes: readonly Partial<StrategyListItem>[],
): Promise<void> => {
  await page.route(lists, async (route) => {
    const response = await route.fetch();
    if (!response.ok()) return route.fulfill({ response });
    const answer = Exploration.parse(await response.json());
    const strategies = answer.strategies.map((strategy, at) => ({ ...strategy, ...changes[at] }));
    return route.fulfill({ response, json: { ...answer, strategies } });
  });
};

/** The requests of a page whose address contains a text, from now on. */
export const requestsTo = (page: Page, text: string): readonly Request[] => {
  const requests: Request[] = [];
  page.on('request', (request) => {
    if (request.url().includes(text)) requests.push(request);
  });
  return requests;
};

/** `act` shows a toast that says this: one that was there before does not count. */
export const expectToastAfter = async (
  page: Page,
  act: () => Promise<unknown>,
  title: string,
  text: string,
): Promise<void> => {
  const toast = page.locator('.toast');
  // Where there is one: meanwhile it may close by itself.
  await toast
    .getByRole('button', { name: 'Dismiss' })
    .evaluateAll((all) => all.forEach((button) => (button as HTMLElement).click()));
  await expectHidden(toast);
  await act();
  await expectToast(page, title, text);
};

/** Until what is due has been rendered, for a page with a stopped clock: message channels are not part of it. */
export const dueTasksDone = async (page: Page): Promise<void> => {
  for (let round = 0; round < 2; round++) {
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const { port1, port2 } = new MessageChannel();
          port1.addEventListener('message', () => resolve());
          port1.start();
          port2.postMessage(null);
        }),
    );
  }
};

type Colour = 'green' | 'orange' | 'blue' | 'purple';

const hues: readonly (readonly [Colour, from: number, to: number])[] = [
  ['orange', 15, 45],
  ['green', 90, 165],
  ['blue', 195, 245],
  ['purple', 255, 300],
];

/** The name of an element's colour, by its hue. */
export const colourOf = async (element: Locator, property: 'color' | 'stroke'): Promise<string> => {
  const rgb = await element.evaluate(
    (target, name) => getComputedStyle(target).getPropertyValue(name),
    property,
  );
  const [red = 0, green = 0, blue = 0] = rgb.match(/\d+/g)?.map(Number) ?? [];
  const max = Math.max(red, green, blue);
  const range = max - Math.min(red, green, blue);
  const sector =
    max === red
      ? (green - blue) / range
      : max === green
        ? (blue - red) / range + 2
        : (red - green) / range + 4;
  const hue = (sector * 60 + 360) % 360;
  return hues.find(([, from, to]) => hue >= from && hue <= to)?.[0] ?? `${property} ${rgb}`;
};

/** Fails unless each text is inside one of the elements, and there are no more elements, within 20 seconds. */
export const expectAllTexts = (elements: Locator, texts: readonly string[]): Promise<void> =>
  eventually(async () =>
    expect((await elements.allTextContents()).map((text) => text.trim())).toEqual(texts),
  );
