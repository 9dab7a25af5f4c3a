import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startProduct, temporaryFolder, type Product } from '@tapedeck/platform/testing';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, openPage } from './browser.ts';
import { describeThumbs } from './slider-cases.ts';
import {
  askedOf,
  drawnNow,
  drawnOf,
  highOf,
  holdCalls,
  lowOf,
  minimum,
  ofFacets,
  openExplorer,
  shownTotal,
  trackOf,
  untilDrawn,
  watchRequests,
  wordsOf,
  type Requests,
} from './slider-screen.ts';

const folder = temporaryFolder();
const lists = '**/api/strategies/explore*';
const slices = '**/api/strategies/brush*';
let product: Product;
let browser: Browser;
let page: Page;
let requests: Requests;
let complaints: readonly string[];

beforeAll(async () => {
  product = await startProduct({ dataFolder: folder.path });
  browser = await openBrowser();
  const watched = await openPage(browser, { baseURL: product.url });
  [page, complaints] = [watched.page, watched.complaints];
  requests = watchRequests(page);
  // Every test begins anew.
  await page.addInitScript(() => localStorage.removeItem('tapedeck.explorer'));
  await page.goto('/');
  await page.getByRole('link', { name: 'Sign in as Pro' }).click();
  await page.getByRole('heading', { name: 'Strategy Explorer' }).waitFor();
}, 180_000);
afterAll(async () => {
  await browser.close();
  await product.stop();
  folder.remove();
}, 30_000);

afterEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }));

/** Counts what changes among the cards from now on. */
const watchCards = (): Promise<void> =>
  page.evaluate(() => {
    const cards = document.querySelector<HTMLElement>('.cards');
    if (!cards) throw new Error('There are no cards.');
    const changes = new MutationObserver((records) => {
      cards.dataset['changes'] = String(Number(cards.dataset['changes'] ?? 0) + records.length);
    });
    const all = { childList: true, subtree: true, characterData: true };
    changes.observe(cards, all);
  });

/** What the cards say, and how many parts of their bars are lit. */
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
  it('moves everything from one slice: no request on the way, one list after it', async () => {
    await openExplorer(page);
    requests.taken();
    const track = await trackOf(page, 'Sharpe ratio');
    await track.rest();
    expect(ofFacets(requests.taken())).toEqual([expect.stringContaining('/brush?active=sharpeRatio')]);
    await watchCards();
    await track.to(0.005);
    await page.mouse.down();
    const lows = new Set<string>();
    for (let step = 1; step <= 60; step++) {
      await track.to(0.005 + step * 0.013);
      if (step % 6 !== 0) continue;
      const drawn = await drawnNow(page);
      const low = await lowOf(page, 'Sharpe ratio');
      lows.add(low);
      const answer = await askedOf(page, `min_sharpe_ratio=${low}`);
      expect(drawn).toEqual(drawnOf(answer));
      expect((await wordsOf(page, 'Sharpe ratio'))[0]).toBe(
        `${Number(low)}, ${answer.total.toLocaleString('en')} strategies`,
      );
    }
    expect(lows.size).toBe(10);
    expect(await page.locator('.cards').getAttribute('data-changes')).toBeNull();
    expect(requests.taken()).toEqual([]);
    const low = await lowOf(page, 'Sharpe ratio');
    await page.mouse.up();
    await page.waitForURL(`**/strategies?min_sharpe_ratio=${low}`);
    await page.locator('.cards[data-changes]').waitFor();
    expect(ofFacets(requests.taken())).toEqual([expect.stringContaining(`/explore?min_sharpe_ratio=${low}`)]);
  });

  it('keeps what it has shown until the answer is there, and the answer says the same', async () => {
    await openExplorer(page);
    const letGo = await holdCalls(page, lists);
    const track = await trackOf(page, 'Total P&L');
    await track.rest();
    await track.to(0.005);
    await page.mouse.down();
    await track.to(0.7, 20);
    const held = await drawnNow(page);
    const wanted = page.waitForRequest(lists);
    await page.mouse.up();
    await wanted;
    const waiting = await drawnNow(page);
    expect(waiting).toEqual(held);
    const answered = page.waitForResponse(lists);
    letGo();
    await answered;
    const low = await lowOf(page, 'Total P&L');
    const drawn = drawnOf(await askedOf(page, `min_total_pandl_percent=${low}`));
    await page.locator('.cards[aria-busy=false]').waitFor();
    expect(await drawnNow(page)).toEqual(drawn);
    expect(held).toEqual(drawn);
  });

  it('counts on from a typed bound, which lies between two stops', async () => {
    await openExplorer(page, 'min_sharpe_ratio=0.837');
    const track = await trackOf(page, 'Sharpe ratio');
    await track.rest();
    await track.to(0.995);
    await page.mouse.down();
    await track.to(0.75, 10);
    const query = `min_sharpe_ratio=0.837&max_sharpe_ratio=${await highOf(page, 'Sharpe ratio')}`;
    expect(await drawnNow(page)).toEqual(drawnOf(await askedOf(page, query)));
    await page.mouse.up();
    await page.waitForURL(`**/strategies?${query}`);
  });

  it('goes on from one slider to the next before any list has come', async () => {
    await openExplorer(page);
    const letGo = await holdCalls(page, lists);
    const first = await trackOf(page, 'Profit factor');
    await first.rest();
    await first.to(0.005);
    await page.mouse.down();
    await first.to(0.15, 10);
    await page.mouse.up();
    const factor = await lowOf(page, 'Profit factor');
    const second = await trackOf(page, 'Max drawdown');
    await second.rest();
    await second.to(0.995);
    await page.mouse.down();
    await second.to(0.4, 10);
    const drawn = await drawnNow(page);
    const query = `min_profit_factor=${factor}&max_max_drawdown_percent=${await highOf(page, 'Max drawdown')}`;
    expect(drawn).toEqual(drawnOf(await askedOf(page, query)));
    const requestSignal = page.waitForEvent('requestfailed', (request) =>
      /explore\?min_profit_factor=[\d.]+&limit/.test(request.url()),
    );
    await page.mouse.up();
    await requestSignal;
    letGo();
    await page.locator('.cards[aria-busy=false]').waitFor();
    expect(await drawnNow(page)).toEqual(drawn);
  });
});

describe('keys', () => {
  it('move bars and total at once wherever they are known exactly, and never say a wrong one', async () => {
    await openExplorer(page);
    const letGo = await holdCalls(page, lists);
    const taken = page.waitForResponse(slices);
    await minimum(page, 'Comments').focus();
    await taken;
    let known = 0;
    for (let press = 0; press < 12; press++) {
      await page.keyboard.press(press % 4 === 3 ? 'PageUp' : 'ArrowRight');
      const drawn = await drawnNow(page);
      const [words] = await wordsOf(page, 'Comments');
      if (!words?.includes('strategies')) continue;
      known++;
      expect(drawn).toEqual(drawnOf(await askedOf(page, `min_comments=${await lowOf(page, 'Comments')}`)));
    }
    expect(known).toBeGreaterThanOrEqual(8);
    letGo();
    const low = await lowOf(page, 'Comments');
    await untilDrawn(page, drawnOf(await askedOf(page, `min_comments=${low}`)));
  });
});

describe('another scale', () => {
  it('is one question, leaves the rows alone, and brushing goes on with it', async () => {
    await openExplorer(page);
    const query = 'scales=maxDrawdownPercent:log';
    const before = await cardsOf(page);
    requests.taken();
    const answered = page.waitForResponse(lists);
    await page.getByLabel('Scale of Max drawdown').selectOption('log');
    await answered;
    expect(ofFacets(requests.taken())).toEqual([expect.stringMatching(/explore\?scales=maxDrawdownPercent/)]);
    await untilDrawn(page, drawnOf(await askedOf(page, query)));
    expect(await cardsOf(page)).toEqual(before);
    const track = await trackOf(page, 'Max drawdown');
    await track.rest();
    await track.to(0.005);
    await page.mouse.down();
    await track.to(0.6, 10);
    const range = `min_max_drawdown_percent=${await lowOf(page, 'Max drawdown')}`;
    expect(await drawnNow(page)).toEqual(drawnOf(await askedOf(page, `${range}&${query}`)));
    await page.mouse.up();
  });
});

describe('without a slice', () => {
  it('a drag works on readable values', async () => {
    await openExplorer(page);
    await page.route(slices, (route) => route.fulfill({ status: 503, body: '{}' }));
    const before = await drawnNow(page);
    const track = await trackOf(page, 'Views');
    await track.rest();
    await track.to(0.005);
    await page.mouse.down();
    await track.to(0.6, 10);
    expect(await drawnNow(page)).toEqual(before);
    await page.mouse.up();
    const low = await lowOf(page, 'Views');
    expect(Number(low)).toBeGreaterThan(0);
    await shownTotal(page, (await askedOf(page, `min_views=${low}`)).total);
    expect(await drawnNow(page)).toEqual(drawnOf(await askedOf(page, `min_views=${low}`)));
  });

  it('a drag that has begun is joined by it', async () => {
    await openExplorer(page);
    const letGo = await holdCalls(page, slices);
    const before = await drawnNow(page);
    const track = await trackOf(page, 'Sharpe ratio');
    await track.to(0.005);
    await page.mouse.down();
    await track.to(0.4, 5);
    expect(await drawnNow(page)).toEqual(before);
    const taken = page.waitForResponse(slices);
    letGo();
    await taken;
    await track.to(0.6, 5);
    const low = await lowOf(page, 'Sharpe ratio');
    expect(await drawnNow(page)).toEqual(drawnOf(await askedOf(page, `min_sharpe_ratio=${low}`)));
    await page.mouse.up();
  });

  it('of the slider that was left is waited for no longer', async () => {
    await openExplorer(page);
    await page.route('**/api/strategies/brush?active=likes', () => undefined);
    const likes = await trackOf(page, 'Likes');
    const wanted = page.waitForRequest('**/api/strategies/brush?active=likes');
    await likes.to(0.5);
    await wanted;
    const requestSignal = page.waitForEvent('requestfailed', (request) =>
      request.url().includes('active=likes'),
    );
    await (await trackOf(page, 'Views')).rest();
    await requestSignal;
  });
});

describe('thumbs', () => {
  describeThumbs(() => page);
});

it('has left no error in the console but the one that was asked for', () => {
  expect(complaints.filter((complaint) => !/status of 503/.test(complaint))).toEqual([]);
});
