import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startProduct, temporaryFolder, type Product } from '@tapedeck/platform/testing';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, openPage } from './browser.ts';
import {
  askedOf,
  drawnNow,
  drawnOf,
  shownTotal,
  trackOf,
  untilDrawn,
  watchRequests,
  type Requests,
} from './slider-screen.ts';

const folder = temporaryFolder();
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

/** The explorer with nothing chosen but this, and everything on the screen. */
const open = async (query = ''): Promise<void> => {
  await page.goto(`/strategies${query && `?${query}`}`);
  await shownTotal(page, (await askedOf(page, query)).total);
  requests.taken();
};
const minimum = (label: string) => page.getByRole('slider', { name: `${label} minimum` });
const maximum = (label: string) => page.getByRole('slider', { name: `${label} maximum` });
const wordsOf = async (label: string): Promise<readonly [string | null, string | null]> => [
  await minimum(label).getAttribute('aria-valuetext'),
  await maximum(label).getAttribute('aria-valuetext'),
];
const ofFacets = (asked: readonly string[]): readonly string[] =>
  asked.filter((path) => /\/(explore|brush|histogram|quantile-histogram|filtered|ranges)\b/.test(path));

/** Lists wait until they are let go. */
const holdLists = async (): Promise<() => void> => {
  let letGo: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => (letGo = resolve));
  await page.route('**/api/strategies/explore*', async (route) => {
    await gone;
    // The page may have given this one up.
    await route.continue().catch(() => undefined);
  });
  return letGo;
};

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

describe('a drag', () => {
  it('moves everything from one slice: no request on the way, one list after it', async () => {
    await open();
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
      const low = await minimum('Sharpe ratio').inputValue();
      lows.add(low);
      const answer = await askedOf(page, `min_sharpe_ratio=${low}`);
      expect(drawn).toEqual(drawnOf(answer));
      expect((await wordsOf('Sharpe ratio'))[0]).toBe(
        `${Number(low)}, ${answer.total.toLocaleString('en')} strategies`,
      );
    }
    expect(lows.size).toBe(10);
    expect(await page.locator('.cards').getAttribute('data-changes')).toBeNull();
    expect(requests.taken()).toEqual([]);
    const low = await minimum('Sharpe ratio').inputValue();
    await page.mouse.up();
    await page.waitForURL(`**/strategies?min_sharpe_ratio=${low}`);
    await page.locator('.cards[data-changes]').waitFor();
    expect(ofFacets(requests.taken())).toEqual([expect.stringContaining(`/explore?min_sharpe_ratio=${low}`)]);
  });

  it('keeps what it has shown until the answer is there, and the answer says the same', async () => {
    await open();
    const letGo = await holdLists();
    const track = await trackOf(page, 'Total P&L');
    await track.rest();
    await track.to(0.005);
    await page.mouse.down();
    await track.to(0.7, 20);
    const held = await drawnNow(page);
    const wanted = page.waitForRequest('**/api/strategies/explore*');
    await page.mouse.up();
    await wanted;
    const waiting = await drawnNow(page);
    expect(waiting).toEqual(held);
    const answered = page.waitForResponse('**/api/strategies/explore*');
    letGo();
    await answered;
    const low = await minimum('Total P&L').inputValue();
    const drawn = drawnOf(await askedOf(page, `min_total_pandl_percent=${low}`));
    await page.locator('.cards[aria-busy=false]').waitFor();
    expect(await drawnNow(page)).toEqual(drawn);
    expect(held).toEqual(drawn);
  });

  it('goes on from one slider to the next before any list has come', async () => {
    await open();
    const letGo = await holdLists();
    const first = await trackOf(page, 'Profit factor');
    await first.rest();
    await first.to(0.005);
    await page.mouse.down();
    await first.to(0.15, 10);
    await page.mouse.up();
    const factor = await minimum('Profit factor').inputValue();
    const second = await trackOf(page, 'Max drawdown');
    await second.rest();
    await second.to(0.995);
    await page.mouse.down();
    await second.to(0.4, 10);
    const drawn = await drawnNow(page);
    const query = `min_profit_factor=${factor}&max_max_drawdown_percent=${await maximum('Max drawdown').inputValue()}`;
    expect(drawn).toEqual(drawnOf(await askedOf(page, query)));
    await page.mouse.up();
    await page.waitForURL(`**/strategies?${query.split('&').toReversed().join('&')}`);
    letGo();
    await shownTotal(page, (await askedOf(page, query)).total);
    expect(requests.aborted()).toContainEqual(
      expect.stringMatching(/explore\?min_profit_factor=[\d.]+&limit/),
    );
  });
});

describe('keys', () => {
  it('move bars and total at once wherever they are known exactly, and never say a wrong one', async () => {
    await open();
    const letGo = await holdLists();
    const taken = page.waitForResponse('**/api/strategies/brush*');
    await minimum('Comments').focus();
    await taken;
    let known = 0;
    for (let press = 0; press < 12; press++) {
      await page.keyboard.press(press % 4 === 3 ? 'PageUp' : 'ArrowRight');
      const drawn = await drawnNow(page);
      const [words] = await wordsOf('Comments');
      if (!words?.includes('strategies')) continue;
      known++;
      expect(drawn).toEqual(
        drawnOf(await askedOf(page, `min_comments=${await minimum('Comments').inputValue()}`)),
      );
    }
    expect(known).toBeGreaterThanOrEqual(8);
    letGo();
    const low = await minimum('Comments').inputValue();
    await untilDrawn(page, drawnOf(await askedOf(page, `min_comments=${low}`)));
    expect(ofFacets(requests.taken()).filter((path) => !path.includes('/brush')).length).toBeLessThanOrEqual(
      2,
    );
  });

  it('open a bound at its end, and meet the other thumb', async () => {
    await open('min_sharpe_ratio=1&max_sharpe_ratio=2');
    await minimum('Sharpe ratio').focus();
    await page.keyboard.press('End');
    expect(await minimum('Sharpe ratio').inputValue()).toBe('2');
    await page.keyboard.press('Home');
    expect((await wordsOf('Sharpe ratio'))[0]).toMatch(/^no minimum/);
    await maximum('Sharpe ratio').focus();
    await page.keyboard.press('ArrowLeft');
    expect(await maximum('Sharpe ratio').inputValue()).toBe('1.99');
    await page.keyboard.press('End');
    expect((await wordsOf('Sharpe ratio'))[1]).toMatch(/^no maximum/);
  });
});

describe('thumbs', () => {
  it('that both stand at the minimum can be parted', async () => {
    await open();
    const track = await trackOf(page, 'Profit factor');
    await track.rest();
    await track.to(0.995);
    await page.mouse.down();
    await track.to(0, 10);
    await page.mouse.up();
    expect(await maximum('Profit factor').inputValue()).toBe(await minimum('Profit factor').inputValue());
    await track.to(0.001);
    await page.mouse.down();
    await track.to(0.4, 10);
    await page.mouse.up();
    const high = Number(await maximum('Profit factor').inputValue());
    expect(high).toBeGreaterThan(1);
    expect((await wordsOf('Profit factor'))[0]).toMatch(/^no minimum/);
    await shownTotal(page, (await askedOf(page, `max_profit_factor=${high}`)).total);
  });

  it('dragged out of the track and the window let go of their bound at its end', async () => {
    await open('min_sharpe_ratio=1&max_sharpe_ratio=2');
    const track = await trackOf(page, 'Sharpe ratio');
    const lowAt = await minimum('Sharpe ratio').evaluate(
      (input) => input.parentElement?.style.getPropertyValue('--at') ?? '',
    );
    await track.to(Number(lowAt));
    await page.mouse.down();
    await page.mouse.move(-200, 2_000, { steps: 5 });
    await page.mouse.up();
    expect((await wordsOf('Sharpe ratio'))[0]).toMatch(/^no minimum/);
    await page.waitForURL('**/strategies?max_sharpe_ratio=2');
    const highAt = await maximum('Sharpe ratio').evaluate(
      (input) => input.parentElement?.style.getPropertyValue('--at') ?? '',
    );
    await track.to(Number(highAt));
    await page.mouse.down();
    await track.to(4, 5);
    await page.mouse.up();
    await page.waitForURL((url) => url.search === '');
  });

  it('go back to where they were on Escape, and so does everything else', async () => {
    await open('max_sharpe_ratio=2');
    const before = await drawnNow(page);
    const track = await trackOf(page, 'Sharpe ratio');
    await track.rest();
    requests.taken();
    await track.to(0.005);
    await page.mouse.down();
    await track.to(0.5, 5);
    expect((await drawnNow(page)).total).not.toBe(before.total);
    await page.keyboard.press('Escape');
    await track.to(0.3, 2);
    await page.mouse.up();
    expect(await drawnNow(page)).toEqual(before);
    expect((await wordsOf('Sharpe ratio'))[0]).toMatch(/^no minimum/);
    expect(ofFacets(requests.taken())).toEqual([]);
  });

  it('beyond the ends of the scale are shown and can be moved', async () => {
    await open('min_max_drawdown_percent=150&max_max_drawdown_percent=400');
    expect((await wordsOf('Max drawdown')).map((words) => words?.split(',')[0])).toEqual(['150 %', '400 %']);
    await maximum('Max drawdown').focus();
    await page.keyboard.press('ArrowLeft');
    expect(await maximum('Max drawdown').inputValue()).toBe('399');
    const track = await trackOf(page, 'Max drawdown');
    await track.to(1);
    await page.mouse.down();
    await track.to(0.5, 10);
    await page.mouse.up();
    const low = Number(await minimum('Max drawdown').inputValue());
    expect(low).toBeGreaterThan(30);
    expect(low).toBeLessThan(70);
  });
});

describe('another scale', () => {
  it('is one question, leaves the rows alone, and brushing goes on with it', async () => {
    await open();
    const cards = page.locator('.cards');
    const before = await cards.innerHTML();
    const answered = page.waitForResponse('**/api/strategies/explore*');
    await page.getByLabel('Scale of Likes').selectOption('log');
    await answered;
    expect(ofFacets(requests.taken())).toEqual([expect.stringMatching(/explore\?scales=likes/)]);
    await untilDrawn(page, drawnOf(await askedOf(page, 'scales=likes:log')));
    expect(await cards.innerHTML()).toBe(before);
    const track = await trackOf(page, 'Likes');
    await track.rest();
    await track.to(0.005);
    await page.mouse.down();
    await track.to(0.6, 10);
    const low = await minimum('Likes').inputValue();
    expect(await drawnNow(page)).toEqual(drawnOf(await askedOf(page, `min_likes=${low}&scales=likes:log`)));
    await page.mouse.up();
  });
});

describe('without a slice', () => {
  it('a drag works on readable values', async () => {
    await open();
    await page.route('**/api/strategies/brush*', (route) => route.fulfill({ status: 503, body: '{}' }));
    const before = await drawnNow(page);
    const track = await trackOf(page, 'Views');
    await track.rest();
    await track.to(0.005);
    await page.mouse.down();
    await track.to(0.6, 10);
    expect(await drawnNow(page)).toEqual(before);
    await page.mouse.up();
    const low = await minimum('Views').inputValue();
    expect(Number(low)).toBeGreaterThan(0);
    await shownTotal(page, (await askedOf(page, `min_views=${low}`)).total);
    expect(await drawnNow(page)).toEqual(drawnOf(await askedOf(page, `min_views=${low}`)));
  });

  it('a drag that has begun is joined by it', async () => {
    await open();
    let letGo = (): void => undefined;
    const gone = new Promise<void>((resolve) => (letGo = resolve));
    await page.route('**/api/strategies/brush*', async (route) => {
      await gone;
      await route.continue();
    });
    const before = await drawnNow(page);
    const track = await trackOf(page, 'Sharpe ratio');
    await track.to(0.005);
    await page.mouse.down();
    await track.to(0.4, 5);
    expect(await drawnNow(page)).toEqual(before);
    const taken = page.waitForResponse('**/api/strategies/brush*');
    letGo();
    await taken;
    await track.to(0.6, 5);
    const low = await minimum('Sharpe ratio').inputValue();
    expect(await drawnNow(page)).toEqual(drawnOf(await askedOf(page, `min_sharpe_ratio=${low}`)));
    await page.mouse.up();
  });

  it('of the slider that was left is waited for no longer', async () => {
    await open();
    await page.route('**/api/strategies/brush?active=likes', () => undefined);
    const likes = await trackOf(page, 'Likes');
    const wanted = page.waitForRequest('**/api/strategies/brush?active=likes');
    await likes.to(0.5);
    await wanted;
    const givenUp = page.waitForEvent('requestfailed', (request) => request.url().includes('active=likes'));
    await (await trackOf(page, 'Views')).rest();
    await givenUp;
  });
});

describe('fingers', () => {
  it('move a thumb sideways, and the page up and down', async () => {
    const phone = await browser.newContext({
      baseURL: product.url,
      storageState: await page.context().storageState(),
      viewport: { width: 390, height: 780 },
      hasTouch: true,
      isMobile: true,
    });
    const screen = await phone.newPage();
    await screen.goto('/strategies');
    await screen.getByRole('button', { name: 'Filters' }).click();
    const plot = screen.getByRole('group', { name: 'Max drawdown', exact: true });
    await plot.scrollIntoViewIfNeeded();
    const box = await plot.boundingBox();
    if (!box) throw new Error('The slider is not on the screen.');
    const fingers = await phone.newCDPSession(screen);
    const [x, y] = [box.x + box.width / 2, box.y + 30];
    const swipe = async (dx: number, dy: number): Promise<void> => {
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', step: number) =>
        fingers.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: type === 'touchEnd' ? [] : [{ x: x + dx * step, y: y + dy * step }],
        });
      await touch('touchStart', 0);
      for (let step = 1; step <= 10; step++) await touch('touchMove', step / 10);
      await touch('touchEnd', 1);
    };
    const value = (): Promise<string> =>
      screen.getByRole('slider', { name: 'Max drawdown maximum' }).inputValue();
    const open = await value();
    const body = screen.locator('.filters-body');
    const scrolled = await body.evaluate((panel) => panel.scrollTop);
    await swipe(4, -120);
    await screen.waitForFunction(
      (from) => (document.querySelector('.filters-body')?.scrollTop ?? 0) > from,
      scrolled,
    );
    expect(await value()).toBe(open);
    expect(new URL(screen.url()).search).toBe('');
    await body.evaluate((panel, to) => panel.scrollTo({ top: to }), scrolled);
    await swipe(60, 4);
    await screen.waitForURL(/m(in|ax)_max_drawdown_percent/);
    const button = screen.getByRole('button', { name: /^Show [\d,]+ strategies$/ });
    const { total } = await askedOf(screen, new URL(screen.url()).searchParams.toString());
    expect(await button.textContent()).toBe(`Show ${total.toLocaleString('en')} strategies`);
    await phone.close();
  });
});

it('has left no error in the console but the one that was asked for', () => {
  expect(complaints.filter((complaint) => !/status of 503/.test(complaint))).toEqual([]);
});
