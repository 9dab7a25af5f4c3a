import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { Exploration, explorerRoutes } from '@tapedeck/explorer/contract';
import { platformRoutes } from '@tapedeck/platform/contract';
import type { Page, Request, Response, Route } from 'playwright-core';
import { expectShown, holdRequests, openExplorer } from '../explorer-screen.ts';
import { setUpTestEnvironment } from '../test-environment.ts';
import { changeCards, expectAllTexts, field, filtersOf, lists, requestsTo } from './catalogue-screen.ts';
import { stopClock } from './stopped-clock.ts';
import { checkRows } from './check-rows.ts';
import { answerWith, expectTexts } from './expectations.ts';

// The tests answer requests with errors, which the browser logs.
const environment = setUpTestEnvironment({
  product: 'shared',
  reusesPage: true,
  expectedErrors: /status of 50[03]/,
});
let page: Page;

beforeEach(() => {
  ({ page } = environment);
});

const titles = () => page.locator('.strategy-card .strategy-title').allTextContents();
const symbol = () => field(page, 'Symbol');
/** Whether it is a list in this order, also when another list is still under way. */
const isListBy = (order: string) => (message: Request | Response) => {
  const { pathname, searchParams } = new URL(message.url());
  return pathname === explorerRoutes.explore && searchParams.get('sort_by') === order;
};

describe('the explorer', () => {
  // A page of its own: its clock stays stopped.
  const openStopped = async (): Promise<void> => {
    page = await environment.openPage('member');
    await page.clock.install();
    const live = page.waitForResponse(`**${platformRoutes.changes}`);
    await openExplorer(page);
    await live;
    await stopClock(page);
  };
  const runFor = (milliseconds: number) => page.clock.runFor(milliseconds);
  const now = () => page.evaluate(() => Date.now());
  const runUntil = async (time: number): Promise<void> => runFor(time - (await now()));
  /** Frame by frame: what the page has learned is drawn with the next one. */
  const expectDrawn = (expectation: () => Promise<void>): Promise<void> =>
    eventually(async () => {
      await runFor(20);
      await expectation();
    });
  const expectBusy = (isBusy: boolean): Promise<void> =>
    expectDrawn(async () => expect(await page.locator(`.cards[aria-busy=${isBusy}]`).count()).toBe(1));
  /** Chooses an order, which is requested at once unless its list is fresh. */
  const sortBy = async (order: string): Promise<void> => {
    await page.getByLabel('Sort by').selectOption(order);
    await runFor(50);
  };
  /** Until the list of an order is shown. */
  const show = async (order: string): Promise<void> => {
    const answered = page.waitForResponse(isListBy(order));
    await sortBy(order);
    const { strategies } = Exploration.parse(await (await answered).json());
    await expectDrawn(async () => expect(await titles()).toEqual(strategies.map(({ title }) => title)));
    await expectBusy(false);
  };
  /** Chooses an order whose list is requested, and looks at what is shown until the answer is there. */
  const titlesBeforeAnswer = async (order: string): Promise<readonly string[]> => {
    const release = await holdRequests(page, lists);
    const requested = page.waitForRequest(isListBy(order));
    await sortBy(order);
    await requested;
    await expectBusy(true);
    const shown = await titles();
    const answered = page.waitForResponse(isListBy(order));
    release();
    await answered;
    await page.unroute(lists);
    await expectBusy(false);
    return shown;
  };
  const stored = () => page.evaluate(() => localStorage.getItem('tapedeck.explorer'));

  it('does things in time', async () => {
    await openStopped();
    const listRequests = requestsTo(page, explorerRoutes.explore);
    const all = requestsTo(page, '/api/');
    const expectFailure = (): Promise<void> =>
      expectDrawn(async () =>
        expect(await page.getByRole('heading', { name: 'Failed to fetch filtered strategies' }).count()).toBe(
          1,
        ),
      );
    let shownOfLikes: readonly string[] = [];
    await checkRows('times of the explorer', {
      'a typed filter is sent 300 ms after the last change': async () => {
        await symbol().fill('b');
        await runFor(299);
        await symbol().fill('bt');
        await runFor(299);
        expect([filtersOf(page).get('symbol'), listRequests.length]).toEqual([null, 0]);
        const requested = page.waitForRequest(/explore\?symbol=bt&/);
        await runFor(1);
        await requested;
        expect(listRequests).toHaveLength(1);
      },
      'filters are stored 1,000 ms after the last change': async () => {
        await symbol().fill('btc');
        await runFor(999);
        expect(await stored()).toBeNull();
        await runFor(1);
        expect(await stored()).toBe('symbol=btc');
      },
      'a list with its ranges is fresh for 30 seconds: until then it is not requested again': async () => {
        await show('likes');
        shownOfLikes = await titles();
        const shownAt = await now();
        await show('views');
        await runUntil(shownAt + 29_000);
        const before = listRequests.length;
        await sortBy('likes');
        await expectDrawn(async () => expect(await titles()).toEqual(shownOfLikes));
        expect(listRequests).toHaveLength(before);
      },
      'after 30 seconds it is requested again when it is shown again': async () => {
        await sortBy('views');
        await runFor(30_000);
        await show('likes');
        expect(new URL(listRequests.at(-1)?.url() ?? '').searchParams.get('sort_by')).toBe('likes');
      },
      'a list that was left is kept for 2 minutes': async () => {
        const leftAt = await now();
        await show('total_trades');
        await runUntil(leftAt + 119_000);
        expect(await titlesBeforeAnswer('likes')).toEqual(shownOfLikes);
      },
      'a list that was left longer ago is not kept': async () => {
        await show('profit_factor');
        const shown = await titles();
        await runFor(121_000);
        expect(await titlesBeforeAnswer('likes')).toEqual(shown);
        expect(shown).not.toEqual(shownOfLikes);
      },
      'the server lets no answer of histograms be kept': async () => {
        for (const path of [
          `${explorerRoutes.histogram}?field=likes`,
          `${explorerRoutes.quantileHistogram}?field=sharpeRatio`,
        ]) {
          const answer = await page.request.get(path);
          expect([path, answer.status(), answer.headers()['cache-control']]).toEqual([path, 200, 'no-store']);
        }
      },
      'nothing is requested again because time passes': async () => {
        const before = all.length;
        await runFor(600_000);
        expect(all.slice(before).map((request) => request.url())).toEqual([]);
      },
      'nothing is requested again because the window gets the focus': async () => {
        const before = all.length;
        await page.evaluate(() => window.dispatchEvent(new Event('focus')));
        await runFor(1_000);
        expect(all.slice(before).map((request) => request.url())).toEqual([]);
      },
      'a failed list is not tried again by itself': async () => {
        const stop = await answerWith(page, lists, 500, {});
        await sortBy('win_rate');
        await expectFailure();
        const before = listRequests.length;
        await runFor(600_000);
        expect(listRequests).toHaveLength(before);
        await stop();
      },
      'a search engine that is not available is tried again after the time of Retry-After': async () => {
        const answer = (route: Route): Promise<void> =>
          route.fulfill({ status: 503, headers: { 'retry-after': '7' }, json: {} });
        await page.route(lists, answer);
        const answered = page.waitForResponse(isListBy('publication_date'));
        await sortBy('publication_date');
        await answered;
        await expectFailure();
        await expectShown(page.getByText(/next try in/));
        const before = listRequests.length;
        await runFor(6_900);
        expect(listRequests).toHaveLength(before);
        // Up to a quarter more, so that clients do not return together.
        const requested = page.waitForRequest(lists);
        await runFor(7_000 * 1.25 - 6_900);
        await requested;
      },
    });
  }, 180_000);

  it('says what it has, and what it has not', async () => {
    const release = await holdRequests(page, lists);
    await page.goto('/strategies');
    const failWith = async (status: number, body: string): Promise<void> => {
      await page.unroute(lists);
      await page.route(lists, (route) => route.fulfill({ status, body }));
      const answered = page.waitForResponse(lists);
      await symbol().fill(`${status} ${body.length}`);
      await answered;
    };
    const expectReason = (text: string): Promise<void> =>
      page.locator('.error-details pre').filter({ hasText: text }).waitFor({ state: 'attached' });
    await checkRows('answers of the explorer', {
      'while strategies are loaded there are 12 skeletons': async () => {
        await expectShown(page.locator('.cards .strategy-card'));
        expect(await page.locator('.cards .strategy-card[aria-hidden=true] .skeleton-title').count()).toBe(
          12,
        );
        release();
        await expectShown(page.locator('.strategy-card a'));
        expect(await page.locator('.skeleton-title').count()).toBe(0);
      },
      'a failure says: Failed to fetch filtered strategies': async () => {
        await failWith(500, 'Out of order');
        await expectShown(page.getByRole('alert').getByText('Failed to fetch filtered strategies'));
      },
      'the details of an error have status, colon, space and body': () => expectReason('500: Out of order'),
      'without a body they have status, colon, space and status text': async () => {
        await failWith(500, '');
        await expectReason('500: Internal Server Error');
      },
      'a search engine that is not available is named, and filters are kept': async () => {
        await failWith(503, 'No engine');
        await expectShown(
          page
            .locator('.failure-text')
            .getByText(
              'The search engine is not answering. Your filters are kept; nothing else is affected.',
            ),
        );
        expect(await symbol().inputValue()).toBe('503 9');
      },
      'an empty list says: No strategies found. Try adjusting your filters to see more results.':
        async () => {
          await page.unroute(lists);
          await symbol().fill('qqqq');
          await expectTexts(page, 'No strategies found.');
          await expectAllTexts(page.locator('.empty h2, .empty h2 + p'), [
            'No strategies found.',
            'Try adjusting your filters to see more results.',
          ]);
        },
      'strategies without figures say N/A or nothing, and are in the list': async () => {
        await changeCards(page, [
          {
            total_pandl_percent: null,
            max_drawdown_percent: null,
            profit_factor_numeric: null,
            sharpe_ratio_numeric: null,
            likes: null,
          },
        ]);
        await symbol().fill('b');
        const card = page.locator('.strategy-card').first();
        await expectShown(card.getByText('No performance data'));
        await expectShown(card.locator('.strategy-counts').getByText('N/A'));
      },
    });
  }, 120_000);
});
