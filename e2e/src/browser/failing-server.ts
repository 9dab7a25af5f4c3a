import type { Page } from 'playwright-core';
import { stopTimeBeforeOpening } from './stopped-time.ts';

/** A page whose time passes only when a test lets it, and whose requests to the server are counted. */
export type ServedPage = Readonly<{
  page: Page;
  /** Lets time pass, second by second; after each one every answer has arrived and has been drawn. */
  pass: (seconds: number) => Promise<void>;
  requests: () => number;
  countAgain: () => void;
  /** As if the person changed to another tab, or back. */
  show: (isVisible: boolean) => Promise<void>;
  close: () => Promise<void>;
}>;

/** Until all tasks that are due in the page have run, and what they begin: message channels are not part of the clock that is stopped. */
const runDueTasks = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const channel = new MessageChannel();
    channel.port1.start();
    for (let round = 0; round < 4; round++) {
      const received = new Promise((resolve) =>
        channel.port1.addEventListener('message', resolve, { once: true }),
      );
      channel.port2.postMessage(null);
      await received;
    }
    channel.port1.close();
  });

/** Opens an address with a clock that stands still, however long the answers take; `before` runs before the first request. */
export const openServedPage = async (
  page: Page,
  path: string,
  before: () => Promise<unknown>,
): Promise<ServedPage> => {
  let counted = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/')) counted++;
  });
  await stopTimeBeforeOpening(page);
  await before();
  await page.goto(path);
  /** Until no more requests follow the last ones, whose number before is given. */
  const settle = async (before: number): Promise<void> => {
    for (let last = before; ; last = counted) {
      await runDueTasks(page);
      if (last === counted) return;
    }
  };
  await settle(-1);
  return {
    page,
    pass: async (seconds) => {
      for (let second = 0; second < seconds; second++) {
        const before = counted;
        await page.clock.runFor(1_000);
        await settle(before);
      }
    },
    requests: () => counted,
    countAgain: () => {
      counted = 0;
    },
    show: async (isVisible) => {
      await page.evaluate((hidden) => {
        Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
        Object.defineProperty(document, 'visibilityState', {
          configurable: true,
          value: hidden ? 'hidden' : 'visible',
        });
        document.dispatchEvent(new Event('visibilitychange'));
      }, !isVisible);
      await settle(-1);
    },
    close: () => page.context().close(),
  };
};
