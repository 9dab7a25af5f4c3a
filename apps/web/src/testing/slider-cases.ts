import { expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import {
  askedOf,
  drawnNow,
  maximum,
  minimum,
  ofFacets,
  openExplorer,
  shownTotal,
  trackOf,
  watchRequests,
  wordsOf,
} from './slider-screen.ts';

const placeOf = (thumb: Locator): Promise<number> =>
  thumb.evaluate((input) => Number(input.parentElement?.style.getPropertyValue('--position')));

/** The ways a thumb is taken, moved and let go. */
export const describeThumbs = (pageOf: () => Page): void => {
  it('open a bound at its end, and meet the other thumb', async () => {
    const page = pageOf();
    await openExplorer(page, 'min_sharpe_ratio=1&max_sharpe_ratio=2');
    await minimum(page, 'Sharpe ratio').focus();
    await page.keyboard.press('End');
    expect(await minimum(page, 'Sharpe ratio').inputValue()).toBe('2');
    await page.keyboard.press('Home');
    expect((await wordsOf(page, 'Sharpe ratio'))[0]).toMatch(/^no minimum/);
    await maximum(page, 'Sharpe ratio').focus();
    await page.keyboard.press('ArrowLeft');
    expect(await maximum(page, 'Sharpe ratio').inputValue()).toBe('1.99');
    await page.keyboard.press('End');
    expect((await wordsOf(page, 'Sharpe ratio'))[1]).toMatch(/^no maximum/);
  });

  it('that both stand at the minimum can be parted', async () => {
    const page = pageOf();
    await openExplorer(page);
    const track = await trackOf(page, 'Profit factor');
    await track.rest();
    await track.to(0.995);
    await page.mouse.down();
    await track.to(0, 10);
    await page.mouse.up();
    expect(await maximum(page, 'Profit factor').inputValue()).toBe(
      await minimum(page, 'Profit factor').inputValue(),
    );
    await track.to(0.001);
    await page.mouse.down();
    await track.to(0.4, 10);
    await page.mouse.up();
    const high = Number(await maximum(page, 'Profit factor').inputValue());
    expect(high).toBeGreaterThan(1);
    expect((await wordsOf(page, 'Profit factor'))[0]).toMatch(/^no minimum/);
    await shownTotal(page, (await askedOf(page, `max_profit_factor=${high}`)).total);
  });

  it('dragged out of the track and the window let go of their bound at its end', async () => {
    const page = pageOf();
    await openExplorer(page, 'min_sharpe_ratio=1&max_sharpe_ratio=2');
    const track = await trackOf(page, 'Sharpe ratio');
    await track.to(await placeOf(minimum(page, 'Sharpe ratio')));
    await page.mouse.down();
    await page.mouse.move(-200, 2_000, { steps: 5 });
    await page.mouse.up();
    expect((await wordsOf(page, 'Sharpe ratio'))[0]).toMatch(/^no minimum/);
    await page.waitForURL('**/strategies?max_sharpe_ratio=2');
    await track.to(await placeOf(maximum(page, 'Sharpe ratio')));
    await page.mouse.down();
    await track.to(4, 5);
    await page.mouse.up();
    await page.waitForURL((url) => url.search === '');
  });

  it('go back to where they were on Escape, and so does everything else', async () => {
    const page = pageOf();
    await openExplorer(page, 'max_sharpe_ratio=2');
    const before = await drawnNow(page);
    const track = await trackOf(page, 'Sharpe ratio');
    await track.rest();
    const requests = watchRequests(page);
    await track.to(0.005);
    await page.mouse.down();
    await track.to(0.5, 5);
    expect((await drawnNow(page)).total).not.toBe(before.total);
    await page.keyboard.press('Escape');
    await track.to(0.3, 2);
    await page.mouse.up();
    expect(await drawnNow(page)).toEqual(before);
    expect((await wordsOf(page, 'Sharpe ratio'))[0]).toMatch(/^no minimum/);
    expect(ofFacets(requests.taken())).toEqual([]);
  });

  it('beyond the ends of the scale are shown and can be moved', async () => {
    const page = pageOf();
    await openExplorer(page, 'min_max_drawdown_percent=150&max_max_drawdown_percent=400');
    expect((await wordsOf(page, 'Max drawdown')).map((words) => words?.split(',')[0])).toEqual([
      '150 %',
      '400 %',
    ]);
    await maximum(page, 'Max drawdown').focus();
    await page.keyboard.press('ArrowLeft');
    expect(await maximum(page, 'Max drawdown').inputValue()).toBe('399');
    const track = await trackOf(page, 'Max drawdown');
    await track.to(1);
    await page.mouse.down();
    await track.to(0.5, 10);
    await page.mouse.up();
    const low = Number(await minimum(page, 'Max drawdown').inputValue());
    expect(low).toBeGreaterThan(30);
    expect(low).toBeLessThan(70);
  });

  it('move a thumb sideways, and the page up and down', async () => {
    const page = pageOf();
    const phone = await page
      .context()
      .browser()
      ?.newContext({
        baseURL: new URL(page.url()).origin,
        storageState: { cookies: await page.context().cookies(), origins: [] },
        viewport: { width: 390, height: 780 },
        hasTouch: true,
        isMobile: true,
      });
    if (!phone) throw new Error('There is no browser.');
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
};
