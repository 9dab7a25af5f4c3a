import type { Browser, Page } from 'playwright-core';
import { ms, table, type Claim } from '../print.ts';
import { percentile } from '../statistics.ts';

const phone = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 3,
  isMobile: true,
  hasTouch: true,
} as const;
const slowdown = 4;
const maxLcpMs = 1_800;
const maxInpMs = 100;

type Times = Readonly<{
  /** Of the largest contentful paint, milliseconds from the navigation. */
  lcp: number;
  /** Milliseconds from each input to the next paint. */
  interactions: readonly number[];
}>;

/** Runs in the page. */
const script = `globalThis.paintTimes = (() => {
  let lcp = 0;
  let markPainted;
  const painted = new Promise((resolve) => (markPainted = resolve));
  const interactions = new Map();
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) lcp = startTime;
    markPainted();
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) {
      if (interactionId !== 0) interactions.set(interactionId, Math.max(interactions.get(interactionId) ?? 0, duration));
    }
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 });
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  return async () => {
    // The network may be idle before anything is painted.
    await painted;
    // Entries of the last interaction come with the next frames.
    await nextFrame();
    await nextFrame();
    return { lcp, interactions: [...interactions.values()] };
  };
})();`;

const timesOf = (page: Page): Promise<Times> => page.evaluate<Times>('paintTimes()');

/** What somebody does with a finger on the landing page. */
const use = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Menu' }).tap();
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'FAQ' }).tap();
  await page.getByText('Is it free?').tap();
  await page.locator('#explorer').scrollIntoViewIfNeeded();
  const sharpe = page.getByRole('slider', { name: 'Sharpe ratio minimum' });
  await sharpe.focus();
  for (let step = 0; step < 10; step++) await page.keyboard.press('ArrowRight');
  await page.locator('.choice label', { hasText: 'Annual' }).tap();
  await page.getByRole('button', { name: /^Pro: Pay/ }).tap();
  await page.getByRole('dialog').getByLabel('E-mail address').pressSequentially('somebody');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Switch between light and dark' }).tap();
};

/** The landing page on a phone whose processor is four times slower than this one: largest paint, slowest interaction. */
export const measurePhone = async (
  browser: Browser,
  origin: string,
  rounds: number,
): Promise<readonly Claim[]> => {
  const largest: number[] = [];
  const slowest: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const context = await browser.newContext(phone);
    const page = await context.newPage();
    await page.addInitScript({ content: script });
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.goto(origin, { waitUntil: 'networkidle' });
    largest.push((await timesOf(page)).lcp);
    await use(page);
    const { interactions } = await timesOf(page);
    slowest.push(Math.max(0, ...Object.values(interactions)));
    await context.close();
  }
  const [lcp, inp] = [percentile(largest, 0.5), percentile(slowest, 0.5)];
  table(
    [`landing page on a phone, processor ${slowdown} times slower`, 'median ms', 'worst ms'],
    [
      ['largest contentful paint', ms(lcp), ms(percentile(largest, 1))],
      ['slowest interaction of a visit', ms(inp), ms(percentile(slowest, 1))],
    ],
  );
  const claim = (name: string, aim: number, measured: number): Claim => ({
    claim: `landing page on a slow phone: ${name}`,
    aim: `≤ ${aim} ms`,
    measured: `${ms(measured)} ms`,
    reached: measured > 0 && measured <= aim,
  });
  return [claim('largest paint', maxLcpMs, lcp), claim('slowest interaction', maxInpMs, inp)];
};
