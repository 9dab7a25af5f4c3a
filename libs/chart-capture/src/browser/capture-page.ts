import { errors, type Browser, type BrowserContext, type Page, type Response } from 'playwright-core';
import type { ChartFailure } from '../domain/chart-failure.ts';
import type { Destinations } from '../egress/destinations.ts';
import { destinationOf } from '../egress/destinations.ts';
import { BrowserEnded, type BrowserControl } from './browser-pool.ts';
import { openEgressProxy, type EgressProxy } from '../egress/egress-proxy.ts';

/** The chart could not be captured, for a reason that is about the strategy or the site. */
export class CaptureFailure extends Error {
  readonly failure: ChartFailure;

  constructor(failure: ChartFailure, reason: string) {
    super(reason);
    this.failure = failure;
  }
}

export type PageLimits = Readonly<{
  gotoMs: number;
  /** For the chart to appear, and for the page to load nothing any more. */
  settleMs: number;
  shotMs: number;
  /** For all of it. */
  jobMs: number;
  closeMs: number;
  /** Both directions together. */
  maxBytes: number;
}>;

export const pageLimits: PageLimits = {
  gotoMs: 10_000,
  settleMs: 5_000,
  shotMs: 5_000,
  jobMs: 20_000,
  closeMs: 2_000,
  maxBytes: 20 * 1_024 * 1_024,
};

export type Target = Readonly<{
  url: string;
  /** A CSS selector of the element that is the chart. */
  selector: string;
  destinations: Destinations;
}>;

const viewport = { width: 1_280, height: 900 };
const scale = 2;
/** Without a request for so long the page is complete. */
const quietMs = 100;
const answersMs = 1_000;
const unwanted = new Set(['media', 'websocket', 'eventsource', 'ping', 'prefetch', 'manifest', 'texttrack']);

const contextOptions = {
  viewport,
  deviceScaleFactor: scale,
  serviceWorkers: 'block',
  acceptDownloads: false,
  locale: 'en-US',
  timezoneId: 'UTC',
  colorScheme: 'light',
  reducedMotion: 'reduce',
} as const;

const isTimeout = (error: unknown): boolean => error instanceof errors.TimeoutError;

/** Playwright’s errors that say the page was refused by the proxy, or could not be reached. */
const failureOf = (error: unknown): CaptureFailure => {
  if (error instanceof CaptureFailure) return error;
  const reason = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
  return new CaptureFailure(isTimeout(error) ? 'timeout' : 'unreachable', reason);
};

const assertFound = (response: Response | null, { url }: Target): void => {
  const status = response?.status() ?? 0;
  if (status === 404 || status === 410)
    throw new CaptureFailure('not-on-site', `The site answered ${status}.`);
  if (!response?.ok()) throw new CaptureFailure('unreachable', `The site answered ${status}.`);
  if (new URL(response.url()).origin !== new URL(url).origin)
    throw new CaptureFailure('unreachable', `The site led to ${new URL(response.url()).origin}.`);
};

type Traffic = Readonly<{
  /** Milliseconds since the last request has begun or ended; 0 while one is open. */
  quietFor: () => number;
  /** Whether the page has tried to go to another place than the site. */
  hasLeft: () => boolean;
}>;

/** Refuses what is not a part of the page before it leaves the browser; the proxy refuses it for certain. */
const watchTraffic = async (
  context: BrowserContext,
  page: Page,
  { destinations }: Target,
): Promise<Traffic> => {
  const open = new Set<unknown>();
  let changedAt = performance.now();
  let hasLeft = false;
  const begin = (request: unknown): void => {
    open.add(request);
    changedAt = performance.now();
  };
  const end = (request: unknown): void => {
    open.delete(request);
    changedAt = performance.now();
  };
  page.on('request', begin).on('requestfinished', end).on('requestfailed', end);
  await context.route('**/*', async (route, request) => {
    const url = new URL(request.url());
    const isInline = url.protocol === 'data:' || url.protocol === 'blob:';
    const isNavigation = request.isNavigationRequest();
    const isWanted =
      isInline || (!unwanted.has(request.resourceType()) && destinations.isAllowed(destinationOf(url)));
    if (isWanted && !(isInline && isNavigation)) return route.continue();
    if (isNavigation && request.frame() === page.mainFrame()) hasLeft = true;
    return route.abort('blockedbyclient');
  });
  await context.routeWebSocket(/.*/, (socket) => void socket.close());
  return {
    quietFor: () => (open.size > 0 ? 0 : performance.now() - changedAt),
    hasLeft: () => hasLeft,
  };
};

/** Whether a page that lacks something still runs. */
const isAlive = (page: Page): Promise<boolean> =>
  Promise.race([
    page.evaluate(() => true).catch(() => false),
    new Promise<boolean>((resolve) => {
      setTimeout(resolve, answersMs, false);
    }),
  ]);

const waitForChart = async (
  page: Page,
  { selector }: Target,
  traffic: Traffic,
  limits: PageLimits,
): Promise<void> => {
  const endAt = performance.now() + limits.settleMs;
  try {
    await page.locator(selector).first().waitFor({ state: 'visible', timeout: limits.settleMs });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    if (traffic.hasLeft()) throw new CaptureFailure('unreachable', 'The page went to another site.');
    if (!(await isAlive(page))) throw new CaptureFailure('timeout', 'The page did not answer any more.');
    throw new CaptureFailure('no-chart', 'The page has no chart element.');
  }
  await page.evaluate('document.fonts.ready.then(() => true)');
  while (traffic.quietFor() < quietMs && performance.now() < endAt)
    await new Promise((resolve) => {
      setTimeout(resolve, quietMs / 4);
    });
};

/** The chart, or of one that is larger than the window its upper left part. */
const shoot = async (page: Page, { selector }: Target, { shotMs }: PageLimits): Promise<Buffer> => {
  const chart = page.locator(selector).first();
  await chart.scrollIntoViewIfNeeded({ timeout: shotMs });
  const box = await chart.boundingBox({ timeout: shotMs });
  const isEmpty = !box || box.width < 40 || box.height < 40;
  if (isEmpty) throw new CaptureFailure('no-chart', 'The chart element is empty.');
  const x = Math.max(0, box.x);
  const y = Math.max(0, box.y);
  const clip = {
    x,
    y,
    width: Math.min(box.width, viewport.width - x),
    height: Math.min(box.height, viewport.height - y),
  };
  return page.screenshot({ type: 'png', clip, animations: 'disabled', caret: 'hide', timeout: shotMs });
};

const goTo = async (page: Page, target: Target, { gotoMs }: PageLimits): Promise<void> => {
  let answered: Response | undefined;
  page.on('response', (response) => {
    if (response.request().isNavigationRequest() && response.frame() === page.mainFrame())
      answered = response;
  });
  try {
    const response = await page.goto(target.url, { waitUntil: 'domcontentloaded', timeout: gotoMs });
    assertFound(response, target);
  } catch (error) {
    // Chromium shows a page of its own instead of an error without a body.
    if (answered && !answered.ok()) assertFound(answered, target);
    throw error;
  }
};

const visit = async (
  page: Page,
  context: BrowserContext,
  target: Target,
  limits: PageLimits,
): Promise<Buffer> => {
  page.setDefaultTimeout(limits.shotMs);
  context.on('page', (another) => {
    if (another !== page) void another.close().catch(() => undefined);
  });
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined));
  page.on('download', (download) => void download.cancel().catch(() => undefined));
  const traffic = await watchTraffic(context, page, target);
  await goTo(page, target, limits);
  await waitForChart(page, target, traffic, limits);
  return shoot(page, target, limits);
};

/** Rejects when the page has crashed, when it has loaded too much, and when the time is over. */
const alarm = (
  limits: PageLimits,
): Readonly<{ raise: (error: Error) => void; raised: Promise<never>; clear: () => void }> => {
  let raise: (error: Error) => void = () => undefined;
  const raised = new Promise<never>((_resolve, reject) => {
    raise = reject;
  });
  raised.catch(() => undefined);
  const timer = setTimeout(
    () => raise(new CaptureFailure('timeout', 'The capture took too long.')),
    limits.jobMs,
  );
  return { raise, raised, clear: () => clearTimeout(timer) };
};

/** Closes the page in time, or the browser with it; without a context the browser was not able to make one. */
const closeOrKill = async (
  context: BrowserContext | undefined,
  closeMs: number,
  { kill }: BrowserControl,
): Promise<void> => {
  if (!context) return kill();
  const timer = setTimeout(kill, closeMs);
  await context.close().catch(() => undefined);
  clearTimeout(timer);
};

const openContext = async (browser: Browser, proxyUrl: string): Promise<BrowserContext> => {
  try {
    return await browser.newContext({
      ...contextOptions,
      permissions: [],
      proxy: { server: proxyUrl, bypass: '<-loopback>' },
    });
  } catch (error) {
    throw browser.isConnected() ? error : new BrowserEnded();
  }
};

/**
 * A picture of the chart on a page, as PNG. The page has a context and a way out of its own: nothing of it is left for the next
 * one.
 * @throws CaptureFailure, BrowserEnded
 */
export const capturePage = async (
  browser: Browser,
  target: Target,
  limits: PageLimits,
  control: BrowserControl,
): Promise<Buffer> => {
  const { raise, raised, clear } = alarm(limits);
  let proxy: EgressProxy | undefined;
  let context: BrowserContext | undefined;
  const work = async (): Promise<Buffer> => {
    proxy = await openEgressProxy({
      destinations: target.destinations,
      maxBytes: limits.maxBytes,
      onTooMuch: () => raise(new CaptureFailure('unreachable', 'The page has loaded too much.')),
    });
    context = await openContext(browser, proxy.url);
    const page = await context.newPage();
    page.once('crash', () => raise(new CaptureFailure('unreachable', 'The page has crashed.')));
    return visit(page, context, target, limits);
  };
  const working = work();
  working.catch(() => undefined);
  try {
    return await Promise.race([working, raised]);
  } catch (error) {
    if (error instanceof BrowserEnded) throw error;
    const failure = failureOf(error);
    // What such a page still computes must not slow down the next one.
    if (failure.failure === 'timeout') control.retire();
    throw failure;
  } finally {
    clear();
    await closeOrKill(context, limits.closeMs, control);
    await proxy?.close();
  }
};
