import { explorerRoutes } from '@tapedeck/explorer/contract';
import type { Page } from 'playwright-core';
import { watchFrames, type WatchedFrames } from './frame-watch.ts';
import type { RequestWatch } from './requests.ts';

export type Thumb = Readonly<{ slider: string; end: 'minimum' | 'maximum' }>;

export const thumbs: readonly Thumb[] = (
  ['Total P&L', 'Max drawdown', 'Sharpe ratio', 'Likes'] as const
).flatMap((slider) => (['minimum', 'maximum'] as const).map((end) => ({ slider, end })));

/** Positions of one drag: into the axis, back, and in again. */
const steps = 90;
/** The time a hand takes from reaching a slider to pressing it. */
const hoverMs = 150;
/** Time for the request that follows a drag, and then for drawing its answer. */
const responseTimeoutMs = 5_000;
const drawMs = 500;

/** Share of the way over the track at each step; ends elsewhere at every turn, so that no answer is known already. */
const path = (end: Thumb['end'], turn: number): readonly number[] =>
  Array.from({ length: steps }, (_, step) => {
    const bend = Math.sin((step / steps) * 3 * Math.PI - Math.PI / 2);
    const way = 0.35 + (0.3 - 0.004 * (turn % 50)) * bend;
    return end === 'minimum' ? way : 1 - way;
  });

const resetFilters = async (page: Page): Promise<void> => {
  const reset = page.getByRole('button', { name: 'Reset' }).first();
  if (await reset.isEnabled()) await reset.click();
  await page.waitForLoadState('networkidle');
};

/** Drags one thumb as a hand does, and watches frames and requests while it is held. */
export const dragThumb = async (
  page: Page,
  { slider, end }: Thumb,
  turn: number,
  requests: RequestWatch,
): Promise<WatchedFrames> => {
  await resetFilters(page);
  const plot = page.getByRole('group', { name: slider, exact: true });
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.boundingBox();
  if (!box) throw new Error(`The slider "${slider}" is not on the page.`);
  const y = box.y + box.height / 2;
  const x = (share: number): number => box.x + 1 + share * (box.width - 2);
  const thumb = page.getByRole('slider', { name: `${slider} ${end}` });
  const before = await thumb.inputValue();

  requests.enter('before');
  await page.mouse.move(x(end === 'minimum' ? 0 : 1), y);
  await page.waitForTimeout(hoverMs);
  requests.enter('during');
  await page.mouse.down();
  const watched = await watchFrames(page, async () => {
    for (const share of path(end, turn)) await page.mouse.move(x(share), y);
  });
  requests.enter('after');
  const explored = page
    .waitForResponse((response) => response.url().includes(explorerRoutes.explore), {
      timeout: responseTimeoutMs,
    })
    // A page that asks for nothing is counted as that.
    .catch(() => undefined);
  await page.mouse.up();
  await explored;
  await page.waitForTimeout(drawMs);
  requests.enter(null);
  if ((await thumb.inputValue()) === before) throw new Error(`The thumb of "${slider}" did not move.`);
  return watched;
};
