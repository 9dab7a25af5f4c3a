import { isDeepStrictEqual } from 'node:util';
import { expect } from '@jest/globals';
import type { Exploration } from '@tapedeck/explorer/contract';
import { facets } from '@tapedeck/search-engine/contract';
import type { Locator, Page } from 'playwright-core';
import { formatWhole } from '@tapedeck/web/format';
import { barsPath } from '@tapedeck/web/bars';
import { resultsText } from './explorer-screen.ts';

/** What the screen shows of an answer: the total, and bars and hint of each slider by its label. */
export type Drawn = Readonly<{
  total: string;
  bars: Readonly<Record<string, string>>;
  hints: Readonly<Record<string, string>>;
}>;

/** All of one moment, after the frame that was due. */
export const drawnNow = (page: Page): Promise<Drawn> =>
  page.evaluate(
    () =>
      new Promise<Drawn>((resolve) => {
        const read = (): Drawn => {
          const sliders = [...document.querySelectorAll('.histogram')];
          const labelOf = (slider: Element): string =>
            slider.querySelector('.plot')?.getAttribute('aria-label') ?? '';
          const pathOf = (slider: Element): string =>
            [...slider.querySelectorAll('.bars:not(.all) path')]
              .map((path) => path.getAttribute('d') ?? '')
              .filter((path, index, all) => all.indexOf(path) === index)
              .join(' and ');
          const hintOf = (slider: Element): string => slider.querySelector('.hint')?.textContent ?? '';
          return {
            total: document.querySelector('.tally .badge')?.textContent ?? '',
            bars: Object.fromEntries(sliders.map((slider) => [labelOf(slider), pathOf(slider)])),
            hints: Object.fromEntries(sliders.map((slider) => [labelOf(slider), hintOf(slider)])),
          };
        };
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(read())));
      }),
  );

/** What the screen must show of an answer. */
export const drawnOf = ({ total, histograms }: Exploration): Drawn => {
  const each = <T>(value: (histogram: Exploration['histograms'][number], shortName: string) => T) =>
    Object.fromEntries(
      histograms.map((histogram) => {
        const { label, shortName } = facets[histogram.field];
        return [label, value(histogram, shortName)];
      }),
    );
  return {
    total: resultsText(total),
    bars: each(({ counts, all }) => barsPath(counts, Math.max(...all))),
    hints: each(({ unknown }, shortName) =>
      unknown > 0 ? `${formatWhole(unknown)} without ${shortName}` : '',
    ),
  };
};

/** Fails with the difference unless the screen shows this within ten seconds. */
export const expectDrawn = async (page: Page, expected: Drawn): Promise<void> => {
  const deadline = performance.now() + 10_000;
  let drawn = await drawnNow(page);
  while (!isDeepStrictEqual(drawn, expected) && performance.now() < deadline) drawn = await drawnNow(page);
  expect(drawn).toEqual(expected);
};

export type Track = Readonly<{
  /** To a position between the ends (0 and 1), in this many steps. */
  moveTo: (position: number, steps?: number) => Promise<void>;
  /** Rests on the bars until the slice has arrived. */
  hover: () => Promise<void>;
}>;

/** The pointer on a slider's track. */
export const trackOf = async (page: Page, label: string): Promise<Track> => {
  const plot = page.getByRole('group', { name: label, exact: true });
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.boundingBox();
  if (!box) throw new Error(`The slider of ${label} is not on the screen.`);
  const y = box.y + 30;
  const moveTo = (position: number, steps = 1): Promise<void> =>
    page.mouse.move(box.x + box.width * position, y, { steps });
  return {
    moveTo,
    hover: async () => {
      const answered = page.waitForResponse((response) => response.url().includes('/api/strategies/brush'));
      await moveTo(0.5);
      await (await answered).finished();
      // Until the page has decoded it.
      await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    },
  };
};

export type RequestLog = Readonly<{
  /** Paths with queries of the page's requests since the last call, without server-sent events. */
  take: () => readonly string[];
}>;

export const logRequests = (page: Page): RequestLog => {
  let paths: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/') && !pathname.endsWith('/changes')) paths.push(pathname + search);
  });
  return {
    take: () => {
      const taken = paths;
      paths = [];
      return taken;
    },
  };
};

/** The requests for lists, histograms and slices. */
export const searchRequests = (paths: readonly string[]): readonly string[] =>
  paths.filter((path) => /\/(explore|brush|histogram|quantile-histogram|filtered|ranges)\b/.test(path));

export const minimum = (page: Page, label: string): Locator =>
  page.getByRole('slider', { name: `${label} minimum` });
export const maximum = (page: Page, label: string): Locator =>
  page.getByRole('slider', { name: `${label} maximum` });

/** The values of the fields beside the slider, also during a drag. */
export const lowOf = (page: Page, label: string): Promise<string> =>
  page.getByRole('textbox', { name: `${label} from` }).inputValue();
export const highOf = (page: Page, label: string): Promise<string> =>
  page.getByRole('textbox', { name: `${label} to` }).inputValue();

/** What a screen reader says of the two thumbs. */
export const thumbTexts = async (
  page: Page,
  label: string,
): Promise<readonly [string | null, string | null]> => [
  await minimum(page, label).getAttribute('aria-valuetext'),
  await maximum(page, label).getAttribute('aria-valuetext'),
];
