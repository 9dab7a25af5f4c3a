import { isDeepStrictEqual } from 'node:util';
import { expect } from '@jest/globals';
import { Exploration } from '@tapedeck/explorer/contract';
import type { Locator, Page } from 'playwright-core';
import { facets } from '../features/explorer/filter-state/facets.ts';
import { formatWhole } from '../ui/format.ts';
import { barsPath } from '../ui/range-histogram/bars.ts';

/** What the screen says about the catalogue: the total, and each slider's front bars and hint, by its label. */
export type Drawn = Readonly<{
  total: string;
  bars: Readonly<Record<string, string>>;
  hints: Readonly<Record<string, string>>;
}>;

const results = (total: number): string => `${formatWhole(total)} ${total === 1 ? 'result' : 'results'}`;

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
              .filter((path, at, all) => all.indexOf(path) === at)
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

/** What the screen must say of an answer. */
export const drawnOf = ({ total, histograms }: Exploration): Drawn => {
  const each = <T>(value: (histogram: Exploration['histograms'][number], shortName: string) => T) =>
    Object.fromEntries(
      facets.flatMap(({ field, label, shortName }) =>
        histograms
          .filter((histogram) => histogram.field === field)
          .map((histogram) => [label, value(histogram, shortName)]),
      ),
    );
  return {
    total: results(total),
    bars: each(({ counts, all }) => barsPath(counts, Math.max(...all))),
    hints: each(({ unknown }, shortName) =>
      unknown > 0 ? `${formatWhole(unknown)} without ${shortName}` : '',
    ),
  };
};

/** Fails with the difference when it has not come to this within the page's patience. */
export const untilDrawn = async (page: Page, expected: Drawn): Promise<void> => {
  const patience = performance.now() + 10_000;
  let drawn = await drawnNow(page);
  while (!isDeepStrictEqual(drawn, expected) && performance.now() < patience) drawn = await drawnNow(page);
  expect(drawn).toEqual(expected);
};

/** The server's own answer, asked past the page. */
export const askedOf = async (page: Page, query: string): Promise<Exploration> => {
  const answer = await page.request.get(`/api/strategies/explore?limit=1&${query}`);
  return Exploration.parse(await answer.json());
};

export type Track = Readonly<{
  /** To a share of the way from its left end to its right one; any number of steps on the way. */
  to: (share: number, steps?: number) => Promise<void>;
  /** Over the bars, until the slice has come. */
  rest: () => Promise<void>;
}>;

/** The pointer on a slider's bars. */
export const trackOf = async (page: Page, label: string): Promise<Track> => {
  const plot = page.getByRole('group', { name: label, exact: true });
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.boundingBox();
  if (!box) throw new Error(`The slider of ${label} is not on the screen.`);
  const y = box.y + 30;
  const to = (share: number, steps = 1): Promise<void> =>
    page.mouse.move(box.x + box.width * share, y, { steps });
  return {
    to,
    rest: async () => {
      const taken = page.waitForResponse((response) => response.url().includes('/api/strategies/brush'));
      await to(0.5);
      await (await taken).finished();
      // Time to read it.
      await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    },
  };
};

export type Requests = Readonly<{
  /** Paths with queries of what the page has asked for since the last call, server-sent events left out. */
  taken: () => readonly string[];
}>;

export const watchRequests = (page: Page): Requests => {
  let asked: string[] = [];
  const pathOf = (url: string): string => {
    const { pathname, search } = new URL(url);
    return pathname + search;
  };
  page.on('request', (request) => {
    const path = pathOf(request.url());
    if (path.startsWith('/api/') && !path.endsWith('/changes')) asked.push(path);
  });
  return {
    taken: () => {
      const taken = asked;
      asked = [];
      return taken;
    },
  };
};

export const shownTotal = (page: Page, total: number): Promise<void> =>
  page
    .getByRole('status')
    .filter({ hasText: new RegExp(`^${results(total)}$`) })
    .waitFor();

/** The explorer with nothing chosen but this, and everything on the screen. */
export const openExplorer = async (page: Page, query = ''): Promise<void> => {
  await page.goto(`/strategies${query && `?${query}`}`);
  await shownTotal(page, (await askedOf(page, query)).total);
};

export const minimum = (page: Page, label: string): Locator =>
  page.getByRole('slider', { name: `${label} minimum` });
export const maximum = (page: Page, label: string): Locator =>
  page.getByRole('slider', { name: `${label} maximum` });

/** As the field beside the slider has it, also in mid-drag. */
export const lowOf = (page: Page, label: string): Promise<string> =>
  page.getByRole('textbox', { name: `${label} from` }).inputValue();
export const highOf = (page: Page, label: string): Promise<string> =>
  page.getByRole('textbox', { name: `${label} to` }).inputValue();

/** What a screen reader says of the two thumbs. */
export const wordsOf = async (
  page: Page,
  label: string,
): Promise<readonly [string | null, string | null]> => [
  await minimum(page, label).getAttribute('aria-valuetext'),
  await maximum(page, label).getAttribute('aria-valuetext'),
];

/** Of the paths that were asked for, those of lists and counts. */
export const ofFacets = (asked: readonly string[]): readonly string[] =>
  asked.filter((path) => /\/(explore|brush|histogram|quantile-histogram|filtered|ranges)\b/.test(path));

/** From now on calls that match wait until they are let go. */
export const holdCalls = async (page: Page, match: string): Promise<() => void> => {
  let letGo: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => (letGo = resolve));
  await page.route(match, async (route) => {
    await gone;
    // The page may have given this one up.
    await route.continue().catch(() => undefined);
  });
  return letGo;
};
