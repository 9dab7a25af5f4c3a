import { expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { expectShown, expectTotal, openExplorer, requestExploration } from './explorer-screen.ts';
import {
  drawnNow,
  logRequests,
  maximum,
  minimum,
  searchRequests,
  thumbTexts,
  trackOf,
} from './slider-screen.ts';
import type { TestEnvironment } from './test-environment.ts';

const positionOf = (thumb: Locator): Promise<number> =>
  thumb.evaluate((input) => Number(input.parentElement?.style.getPropertyValue('--position')));

/** How thumbs are pressed, moved and released. */
export const describeThumbs = (environment: TestEnvironment): void => {
  it('open a bound at its end, and stop at the other thumb', async () => {
    const { page } = environment;
    await openExplorer(page, 'min_sharpe_ratio=1&max_sharpe_ratio=2');
    await minimum(page, 'Sharpe ratio').focus();
    await page.keyboard.press('End');
    expect(await minimum(page, 'Sharpe ratio').inputValue()).toBe('2');
    await page.keyboard.press('Home');
    expect((await thumbTexts(page, 'Sharpe ratio'))[0]).toMatch(/^no minimum/);
    await maximum(page, 'Sharpe ratio').focus();
    await page.keyboard.press('ArrowLeft');
    expect(await maximum(page, 'Sharpe ratio').inputValue()).toBe('1.99');
    await page.keyboard.press('End');
    expect((await thumbTexts(page, 'Sharpe ratio'))[1]).toMatch(/^no maximum/);
  });

  it('can be separated when both are at the minimum', async () => {
    const { page } = environment;
    await openExplorer(page);
    const track = await trackOf(page, 'Profit factor');
    await track.hover();
    await track.moveTo(0.995);
    await page.mouse.down();
    await track.moveTo(0, 10);
    await page.mouse.up();
    expect(await maximum(page, 'Profit factor').inputValue()).toBe(
      await minimum(page, 'Profit factor').inputValue(),
    );
    await track.moveTo(0.001);
    await page.mouse.down();
    await track.moveTo(0.4, 10);
    await page.mouse.up();
    const high = Number(await maximum(page, 'Profit factor').inputValue());
    expect(high).toBeGreaterThan(1);
    expect((await thumbTexts(page, 'Profit factor'))[0]).toMatch(/^no minimum/);
    await expectTotal(page, (await requestExploration(page, `max_profit_factor=${high}`)).total);
  });

  it('open their bound when they are dragged out of the track and of the window', async () => {
    const { page } = environment;
    await openExplorer(page, 'min_sharpe_ratio=1&max_sharpe_ratio=2');
    const track = await trackOf(page, 'Sharpe ratio');
    await track.moveTo(await positionOf(minimum(page, 'Sharpe ratio')));
    await page.mouse.down();
    await page.mouse.move(-200, 2_000, { steps: 5 });
    await page.mouse.up();
    expect((await thumbTexts(page, 'Sharpe ratio'))[0]).toMatch(/^no minimum/);
    await page.waitForURL('**/strategies?max_sharpe_ratio=2');
    await track.moveTo(await positionOf(maximum(page, 'Sharpe ratio')));
    await page.mouse.down();
    await track.moveTo(4, 5);
    await page.mouse.up();
    await page.waitForURL((url) => url.search === '');
  });

  it('return to where they were on Escape, and so does everything else', async () => {
    const { page } = environment;
    await openExplorer(page, 'max_sharpe_ratio=2');
    const before = await drawnNow(page);
    const track = await trackOf(page, 'Sharpe ratio');
    await track.hover();
    const requests = logRequests(page);
    await track.moveTo(0.005);
    await page.mouse.down();
    await track.moveTo(0.5, 5);
    expect((await drawnNow(page)).total).not.toBe(before.total);
    await page.keyboard.press('Escape');
    await track.moveTo(0.3, 2);
    await page.mouse.up();
    expect(await drawnNow(page)).toEqual(before);
    expect((await thumbTexts(page, 'Sharpe ratio'))[0]).toMatch(/^no minimum/);
    expect(searchRequests(requests.take())).toEqual([]);
  });

  it('show bounds beyond the ends of the scale, and can be moved from there', async () => {
    const { page } = environment;
    await openExplorer(page, 'min_max_drawdown_percent=150&max_max_drawdown_percent=400');
    expect((await thumbTexts(page, 'Max drawdown')).map((text) => text?.split(',')[0])).toEqual([
      '150 %',
      '400 %',
    ]);
    await maximum(page, 'Max drawdown').focus();
    await page.keyboard.press('ArrowLeft');
    expect(await maximum(page, 'Max drawdown').inputValue()).toBe('399');
    const track = await trackOf(page, 'Max drawdown');
    await track.moveTo(1);
    await page.mouse.down();
    await track.moveTo(0.5, 10);
    await page.mouse.up();
    const low = Number(await minimum(page, 'Max drawdown').inputValue());
    expect(low).toBeGreaterThan(30);
    expect(low).toBeLessThan(70);
  });

  it('follow a finger that moves sideways; up and down scrolls the page', async () => {
    const page = await environment.openPage('member', {
      viewport: { width: 390, height: 780 },
      hasTouch: true,
      isMobile: true,
    });
    await openExplorer(page);
    await page.getByRole('button', { name: 'Filters' }).click();
    const plot = page.getByRole('group', { name: 'Max drawdown', exact: true });
    await plot.scrollIntoViewIfNeeded();
    const box = await plot.boundingBox();
    if (!box) throw new Error('The slider is not on the screen.');
    const fingers = await page.context().newCDPSession(page);
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
      page.getByRole('slider', { name: 'Max drawdown maximum' }).inputValue();
    const open = await value();
    const body = page.locator('.filters-body');
    const scrolled = await body.evaluate((panel) => panel.scrollTop);
    /** Until the panel rests: what a finger has pushed goes on after it. */
    const rested = (): Promise<void> =>
      body.evaluate(async (panel) => {
        let [frames, last] = [0, panel.scrollTop];
        while (frames < 10) {
          await new Promise((resolve) => requestAnimationFrame(resolve));
          frames = panel.scrollTop === last ? frames + 1 : 0;
          last = panel.scrollTop;
        }
      });
    await swipe(4, -120);
    await page.waitForFunction(
      (from) => (document.querySelector('.filters-body')?.scrollTop ?? 0) > from,
      scrolled,
    );
    await rested();
    expect(await value()).toBe(open);
    expect(new URL(page.url()).search).toBe('');
    await body.evaluate((panel, to) => panel.scrollTo({ top: to }), scrolled);
    await swipe(60, 4);
    await page.waitForURL(/m(in|ax)_max_drawdown_percent/);
    const { total } = await requestExploration(page, new URL(page.url()).searchParams.toString());
    const name = `Show ${total.toLocaleString('en')} strategies`;
    await expectShown(page.getByRole('button', { name, exact: true }));
  });
};
