import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Page, Response } from 'playwright-core';
import {
  expectAborted,
  expectShown,
  expectTotal,
  holdRequests,
  openExplorer,
  requestExploration,
  resultsLoaded,
} from './explorer-screen.ts';
import { openPart } from './more-figures-cases.ts';
import { describeThumbs } from './slider-cases.ts';
import {
  drawnNow,
  drawnOf,
  expectDrawn,
  highOf,
  logRequests,
  lowOf,
  minimum,
  searchRequests,
  thumbTexts,
  trackOf,
  type RequestLog,
} from './slider-screen.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const lists = '**/api/strategies/explore*';
const slices = '**/api/strategies/brush*';
// One test answers requests with 503.
const environment = setUpTestEnvironment({ product: 'shared', expectedErrors: /status of 503/ });
let page: Page;
let requests: RequestLog;

beforeEach(() => {
  ({ page } = environment);
  requests = logRequests(page);
});

/** Opens the explorer with all sliders in sight, in the places where they stay: between them are chips that are counted later. */
const openSliders = async (query = ''): Promise<void> => {
  await openExplorer(page, query);
  await openPart(page, 'More figures');
  await expectShown(page.getByRole('region', { name: 'More figures' }));
  await expectShown(page.locator('.group .chip .n'));
};

/** Until the page has decoded an answer. */
const decoded = async (answered: Promise<Response>): Promise<void> => {
  await (await answered).finished();
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
};

/** Counts the changes of the cards from now on, in their `data-changes`. */
const watchCards = (): Promise<void> =>
  page.evaluate(() => {
    const cards = document.querySelector<HTMLElement>('.cards');
    if (!cards) throw new Error('There are no cards.');
    const changes = new MutationObserver((records) => {
      // A chart image that is missing is replaced when that is known, whatever the sliders do.
      const own = records.filter(
        ({ target }) => !(target instanceof Element && target.matches('.strategy-thumb')),
      );
      if (own.length === 0) return;
      cards.dataset['changes'] = String(Number(cards.dataset['changes'] ?? 0) + own.length);
    });
    const all = { childList: true, subtree: true, characterData: true };
    changes.observe(cards, all);
  });

/** The cards' texts and their numbers of lit segments. */
const cardsOf = (page: Page): Promise<readonly string[]> =>
  page
    .locator('.strategy-card')
    .evaluateAll((cards) =>
      cards.map((card) =>
        [
          card.textContent,
          ...[...card.querySelectorAll('.meter')].map((bar) => bar.getAttribute('style')),
        ].join(),
      ),
    );

describe('a drag', () => {
  it('moves all histograms from one slice, and makes no request until the thumb is released', async () => {
    await openSliders();
    requests.take();
    const track = await trackOf(page, 'Sharpe ratio');
    await track.hover();
    expect(searchRequests(requests.take())).toEqual([expect.stringContaining('/brush?active=sharpeRatio')]);
    await watchCards();
    await track.moveTo(0.005);
    await page.mouse.down();
    const lows = new Set<string>();
    for (let step = 1; step <= 60; step++) {
      await track.moveTo(0.005 + step * 0.013);
      if (step % 6 !== 0) continue;
      const drawn = await drawnNow(page);
      const low = await lowOf(page, 'Sharpe ratio');
      lows.add(low);
      const answer = await requestExploration(page, `min_sharpe_ratio=${low}`);
      expect(drawn).toEqual(drawnOf(answer));
      expect((await thumbTexts(page, 'Sharpe ratio'))[0]).toBe(
        `${Number(low)}, ${answer.total.toLocaleString('en')} strategies`,
      );
    }
    expect(lows.size).toBe(10);
    expect(await page.locator('.cards').getAttribute('data-changes')).toBeNull();
    // Other tests use the same account, whose other changes the page follows.
    expect(searchRequests(requests.take())).toEqual([]);
    const low = await lowOf(page, 'Sharpe ratio');
    await page.mouse.up();
    await page.waitForURL(`**/strategies?min_sharpe_ratio=${low}`);
    await page.locator('.cards[data-changes]').waitFor();
    expect(searchRequests(requests.take())).toEqual([
      expect.stringContaining(`/explore?min_sharpe_ratio=${low}`),
    ]);
  });

  it('keeps its counts until the answer is there, and the answer has the same counts', async () => {
    await openSliders();
    const release = await holdRequests(page, lists);
    const track = await trackOf(page, 'Total P&L');
    await track.hover();
    await track.moveTo(0.005);
    await page.mouse.down();
    await track.moveTo(0.7, 20);
    const held = await drawnNow(page);
    const wanted = page.waitForRequest(lists);
    await page.mouse.up();
    await wanted;
    const waiting = await drawnNow(page);
    expect(waiting).toEqual(held);
    const answered = page.waitForResponse(lists);
    release();
    await answered;
    const low = await lowOf(page, 'Total P&L');
    const drawn = drawnOf(await requestExploration(page, `min_total_pandl_percent=${low}`));
    await resultsLoaded(page);
    expect(await drawnNow(page)).toEqual(drawn);
    expect(held).toEqual(drawn);
  });

  it('counts from a typed bound between two snap points', async () => {
    await openSliders('min_sharpe_ratio=0.837');
    const track = await trackOf(page, 'Sharpe ratio');
    await track.hover();
    await track.moveTo(0.995);
    await page.mouse.down();
    await track.moveTo(0.75, 10);
    const query = `min_sharpe_ratio=0.837&max_sharpe_ratio=${await highOf(page, 'Sharpe ratio')}`;
    expect(await drawnNow(page)).toEqual(drawnOf(await requestExploration(page, query)));
    await page.mouse.up();
    await page.waitForURL(`**/strategies?${query}`);
  });

  it('can be followed by a drag of another slider before a list has arrived', async () => {
    await openSliders();
    const release = await holdRequests(page, lists);
    const first = await trackOf(page, 'Profit factor');
    await first.hover();
    await first.moveTo(0.005);
    await page.mouse.down();
    await first.moveTo(0.15, 10);
    await page.mouse.up();
    const factor = await lowOf(page, 'Profit factor');
    const second = await trackOf(page, 'Max drawdown');
    await second.hover();
    await second.moveTo(0.995);
    await page.mouse.down();
    await second.moveTo(0.4, 10);
    const drawn = await drawnNow(page);
    const query = `min_profit_factor=${factor}&max_max_drawdown_percent=${await highOf(page, 'Max drawdown')}`;
    expect(drawn).toEqual(drawnOf(await requestExploration(page, query)));
    const aborted = page.waitForEvent('requestfailed', (request) =>
      /explore\?min_profit_factor=[\d.]+&limit/.test(request.url()),
    );
    await page.mouse.up();
    await aborted;
    release();
    await resultsLoaded(page);
    expect(await drawnNow(page)).toEqual(drawn);
  });
});

describe('a key press', () => {
  it('updates bars and total at once where they are known exactly, and never shows a wrong total', async () => {
    await openSliders();
    const release = await holdRequests(page, lists);
    const answered = page.waitForResponse(slices);
    await minimum(page, 'Comments').focus();
    await decoded(answered);
    let known = 0;
    for (let press = 0; press < 12; press++) {
      await page.keyboard.press(press % 4 === 3 ? 'PageUp' : 'ArrowRight');
      const drawn = await drawnNow(page);
      const [text] = await thumbTexts(page, 'Comments');
      if (!text?.includes('strategies')) continue;
      known++;
      expect(drawn).toEqual(
        drawnOf(await requestExploration(page, `min_comments=${await lowOf(page, 'Comments')}`)),
      );
    }
    expect(known).toBeGreaterThanOrEqual(8);
    release();
    const low = await lowOf(page, 'Comments');
    await expectDrawn(page, drawnOf(await requestExploration(page, `min_comments=${low}`)));
  });
});

describe('a change of scale', () => {
  it('makes one request, keeps the rows, and brushing works with the new scale', async () => {
    await openSliders();
    const query = 'scales=maxDrawdownPercent:log';
    const before = await cardsOf(page);
    requests.take();
    const answered = page.waitForResponse(lists);
    await page.getByLabel('Scale of Max drawdown').selectOption('log');
    await answered;
    expect(searchRequests(requests.take())).toEqual([
      expect.stringMatching(/explore\?scales=maxDrawdownPercent/),
    ]);
    await expectDrawn(page, drawnOf(await requestExploration(page, query)));
    expect(await cardsOf(page)).toEqual(before);
    const track = await trackOf(page, 'Max drawdown');
    await track.hover();
    await track.moveTo(0.005);
    await page.mouse.down();
    await track.moveTo(0.6, 10);
    const range = `min_max_drawdown_percent=${await lowOf(page, 'Max drawdown')}`;
    expect(await drawnNow(page)).toEqual(drawnOf(await requestExploration(page, `${range}&${query}`)));
    await page.mouse.up();
  });
});

describe('a drag without a slice', () => {
  it('uses rounded values', async () => {
    await openSliders();
    await page.route(slices, (route) => route.fulfill({ status: 503, body: '{}' }));
    const before = await drawnNow(page);
    const track = await trackOf(page, 'Views');
    await track.hover();
    await track.moveTo(0.005);
    await page.mouse.down();
    await track.moveTo(0.6, 10);
    expect(await drawnNow(page)).toEqual(before);
    await page.mouse.up();
    const low = await lowOf(page, 'Views');
    expect(Number(low)).toBeGreaterThan(0);
    await expectTotal(page, (await requestExploration(page, `min_views=${low}`)).total);
    expect(await drawnNow(page)).toEqual(drawnOf(await requestExploration(page, `min_views=${low}`)));
  });

  it('uses a slice that arrives during the drag', async () => {
    await openSliders();
    const release = await holdRequests(page, slices);
    const before = await drawnNow(page);
    const track = await trackOf(page, 'Sharpe ratio');
    await track.moveTo(0.005);
    await page.mouse.down();
    await track.moveTo(0.4, 5);
    expect(await drawnNow(page)).toEqual(before);
    const answered = page.waitForResponse(slices);
    release();
    await decoded(answered);
    await track.moveTo(0.6, 5);
    const low = await lowOf(page, 'Sharpe ratio');
    expect(await drawnNow(page)).toEqual(drawnOf(await requestExploration(page, `min_sharpe_ratio=${low}`)));
    await page.mouse.up();
  });

  it('drops the pending slice when the pointer moves to another slider', async () => {
    await openSliders();
    await page.route('**/api/strategies/brush?active=likes', () => undefined);
    const likes = await trackOf(page, 'Likes');
    const wanted = page.waitForRequest('**/api/strategies/brush?active=likes');
    await likes.moveTo(0.5);
    await wanted;
    const aborted = expectAborted(page, 'active=likes');
    await (await trackOf(page, 'Views')).hover();
    await aborted;
  });
});

describe('the thumbs of a slider', () => {
  describeThumbs(environment);
});
