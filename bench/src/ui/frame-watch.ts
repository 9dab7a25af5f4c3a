import type { Page } from 'playwright-core';

export type WatchedFrames = Readonly<{
  /** Milliseconds from each frame to the next. */
  frames: readonly number[];
  /** Milliseconds of every task of the main thread above 50. */
  longTasks: readonly number[];
}>;

/** Runs in the page. */
const script = `globalThis.frameWatch = (() => {
  let times = [];
  let longTasks = [];
  let isWatching = false;
  const note = (entries) => {
    if (isWatching) longTasks.push(...entries.map(({ duration }) => duration));
  };
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  observer.observe({ type: 'longtask' });
  const next = (time) => {
    if (!isWatching) return;
    times.push(time);
    requestAnimationFrame(next);
  };
  return {
    begin: () => {
      [times, longTasks, isWatching] = [[], [], true];
      requestAnimationFrame(next);
    },
    end: () => {
      note(observer.takeRecords());
      isWatching = false;
      return { frames: times.slice(1).map((time, at) => time - times[at]), longTasks };
    },
  };
})();`;

export const installFrameWatch = (page: Page): Promise<unknown> => page.addInitScript({ content: script });

/** What the page draws while `act` goes on. */
export const watchFrames = async (page: Page, act: () => Promise<void>): Promise<WatchedFrames> => {
  await page.evaluate('frameWatch.begin()');
  await act();
  return (await page.evaluate('frameWatch.end()')) as WatchedFrames;
};
