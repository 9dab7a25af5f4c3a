import { describe, expect, it } from '@jest/globals';
import type { Locator, Page, Route } from 'playwright-core';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { expectShown } from './explorer-screen.ts';
import { expectShownInTime, stopTimeBeforeOpening } from './stopped-time.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment({
  strategies: 30,
  expectedErrors: /status of (?:429|500|503)|ERR_FAILED/,
});

const path = '/test-screenshot';
const call = '**/api/chart-screenshot';

const chartOf = (page: Page): Locator => page.getByRole('img', { name: /^Performance chart/ });
/** A capture begins with the start of a browser. */
const expectChart = (page: Page): Promise<void> => chartOf(page).waitFor({ timeout: 60_000 });
const retry = (page: Page): Locator => page.getByRole('button', { name: /^Try again/ });

const problem =
  (status: number, code: string, retryAfter?: number) =>
  (route: Route): Promise<void> =>
    route.fulfill({
      status,
      headers: {
        'content-type': 'application/problem+json',
        ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
      },
      body: JSON.stringify({ type: 'about:blank', title: '', status, detail: code, code, requestId: 'x' }),
    });

/** How wide the picture itself is: 0 when it could not be shown. */
const widthOf = (image: Locator): Promise<number> =>
  image.evaluate((element) => (element instanceof HTMLImageElement ? element.naturalWidth : 0));

describe('the test page of chart capture', () => {
  it('shows a visitor the chart of the first strategy, captured by a real browser', async () => {
    const page = await environment.openPage('visitor');
    await page.goto(path);
    const chart = chartOf(page);
    await expectChart(page);
    await chart.evaluate((element) => (element instanceof HTMLImageElement ? element.decode() : undefined));
    expect(await widthOf(chart)).toBeGreaterThan(1_000);
    await expectShown(page.getByText(/^Captured /));
    await expectAccessibleEverywhere(page);
  }, 180_000);

  it('says that it is loading, and after a while that it takes long', async () => {
    const page = await environment.openPage('visitor');
    await page.route(call, () => undefined);
    await stopTimeBeforeOpening(page);
    await page.goto(path);
    await expectShownInTime(page, page.getByRole('status').getByText('Loading performance chart'));
    await page.clock.runFor(5_000);
    await expectShown(page.getByRole('status').getByText(/can take half a minute/));
    await page.clock.resume();
    await expectAccessibleEverywhere(page);
  });

  it.each([
    [404, 'CHART_NOT_ON_SITE', 'This strategy is not available on TradingView'],
    [404, 'CHART_MISSING', 'Performance chart not available for this strategy'],
    [503, 'CHART_TIMEOUT', 'Loading timeout - please try again later'],
    [503, 'CHART_UNREACHABLE', 'Unable to load performance chart - please try again later'],
    [503, 'CHART_CAPTURE_UNAVAILABLE', 'Performance chart not available'],
    [500, 'INTERNAL_ERROR', 'Performance chart not available'],
  ])(
    'answers %d %s with "%s", and a new try works',
    async (status, code, text) => {
      const page = await environment.openPage('visitor');
      await page.route(call, problem(status, code));
      await page.goto(path);
      await expectShown(page.getByRole('alert').getByText(text, { exact: true }));
      await page.unroute(call);
      await retry(page).click();
      await expectChart(page);
    },
    120_000,
  );

  it('offers a new try when its time has come, and none when that is far away', async () => {
    const page = await environment.openPage('visitor');
    await page.route(call, problem(503, 'CHART_TIMEOUT', 60));
    await page.clock.install();
    await page.goto(path);
    await expectShown(page.getByRole('button', { name: 'Try again', exact: true, disabled: true }));
    const alert = page.getByRole('alert').filter({ hasText: 'Loading timeout' });
    const spoken = await alert.textContent();
    expect(spoken).toMatch(/It can be tried again in 60 seconds\.$/);
    await page.clock.runFor(61_000);
    await expectShown(page.getByRole('button', { name: 'Try again', exact: true, disabled: false }));
    expect(await alert.textContent()).toBe(spoken);
    await expectAccessibleEverywhere(page);
    await page.unroute(call);
    await page.route(call, problem(404, 'CHART_NOT_ON_SITE', 86_400));
    await retry(page).click();
    await expectShown(page.getByText('This strategy is not available on TradingView'));
    expect(await retry(page).count()).toBe(0);
  });

  it('says that the picture cannot be shown, or that the server cannot be reached', async () => {
    const page = await environment.openPage('visitor');
    await page.route('**/public-objects/**', (route) => route.abort());
    await page.goto(path);
    await expectShown(page.getByRole('alert').getByText('Failed to display performance chart'));
    await page.unroute('**/public-objects/**');
    await page.route(call, (route) => route.abort());
    await page.reload();
    await expectShown(page.getByText('Unable to load performance chart - please try again later'));
  });
});

describe('opening a strategy', () => {
  it('has its chart captured, whatever is looked at', async () => {
    const { page } = environment;
    const { urlId } = (await (await page.request.get('/api/chart-screenshot/sample')).json()) as {
      urlId: string;
    };
    const asked = page.waitForRequest((request) => request.url().endsWith('/api/chart-screenshot'));
    await page.goto(`/strategy/${urlId}`);
    expect((await asked).postDataJSON()).toEqual({ urlId });
  });
});
