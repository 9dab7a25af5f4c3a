import type { Page } from 'playwright-core';

/** Where a page was going to, and when by its clock. */
export type Departure = Readonly<{ address: string; at: number }>;

type WindowOfTest = Window & Readonly<{ departures: Departure[] }>;

/** Stops the clock of a page that was opened after `page.clock.install()`: time passes only by `page.clock.runFor`. */
export const stopClock = async (page: Page): Promise<number> => {
  // The clock goes on until it is stopped; further ahead, queries that are under way would time out.
  const ahead = 10_000;
  const stopped = (await page.evaluate(() => Date.now())) + ahead;
  await page.clock.pauseAt(stopped);
  return stopped;
};

/** From now on the page stays where it is; the returned function says where it was going to. */
export const recordDepartures = async (page: Page): Promise<() => Promise<readonly Departure[]>> => {
  // A browser that gets 204 for an address shows what it has shown.
  await page.route('**', (route) =>
    route.request().isNavigationRequest() ? route.fulfill({ status: 204 }) : route.fallback(),
  );
  await page.evaluate(() => {
    const departures: Departure[] = [];
    Object.assign(window, { departures });
    // The types of the browser do not have it yet.
    const { navigation } = window as unknown as { navigation: EventTarget };
    navigation.addEventListener('navigate', (event) => {
      // Neither do they have its event.
      const { destination } = event as unknown as {
        destination: Readonly<{ url: string; sameDocument: boolean }>;
      };
      if (!destination.sameDocument) departures.push({ address: destination.url, at: Date.now() });
    });
  });
  // The script above defines it.
  return () => page.evaluate(() => (window as unknown as WindowOfTest).departures);
};
