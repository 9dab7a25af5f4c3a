import { StrategyDetails } from '@tapedeck/strategies/contract';
import type { Locator, Page } from 'playwright-core';
import { expectShown, openExplorer } from './explorer-screen.ts';

export const detailsRoute = '**/api/strategies/details/*';

/** A strategy with every figure, whose source is stated nowhere: the first of the demo catalogue with likes. */
export const firstStrategy = async (page: Page, query = 'sort_by=likes'): Promise<StrategyDetails> => {
  const list = await page.request.get(`/api/strategies/datatable/filtered?limit=1&${query}`);
  const { strategies } = (await list.json()) as { strategies: readonly { url_id: string }[] };
  const answer = await page.request.get(`/api/strategies/details/${strategies[0]?.url_id}`);
  return StrategyDetails.parse(await answer.json());
};

export const addressOf = ({ urlId }: Pick<StrategyDetails, 'urlId'>): string => `/strategy/${urlId}`;

/** From now on the server's details have other values. */
const changeDetails = async (page: Page, change: Partial<StrategyDetails>): Promise<void> => {
  await page.route(detailsRoute, async (route) => {
    const response = await route.fetch();
    const details = (await response.json()) as StrategyDetails;
    await route.fulfill({ response, json: { ...details, ...change } });
  });
};

export const strategyShown = async (page: Page): Promise<void> => {
  await expectShown(page.getByRole('heading', { name: 'Strategy Description' }));
  await page.locator('.figures .place[aria-busy=true]').first().waitFor({ state: 'detached' });
};

/** Opens a strategy by its address, with these details changed. */
export const openStrategy = async (
  page: Page,
  change: Partial<StrategyDetails> = {},
  hash = '',
): Promise<StrategyDetails> => {
  const details = await firstStrategy(page);
  if (Object.keys(change).length > 0) await changeDetails(page, change);
  await page.goto(addressOf(details) + hash);
  await strategyShown(page);
  return details;
};

/** Opens the explorer and then the strategy of a card, counted from 0. */
export const openFromResult = async (page: Page, query: string, card: number): Promise<void> => {
  await openExplorer(page, query);
  await page.locator('.strategy-title a').nth(card).click();
  await strategyShown(page);
};

export const code = (page: Page): Locator => page.getByRole('region', { name: 'Source code' });
/** The viewer, once it is loaded and can be seen. */
export const viewer = (page: Page): Locator => code(page).getByRole('textbox', { name: /^Pine Script/ });

/** A script of so many lines, in which every tenth names its own number. */
export const longScript = (lines: number): string =>
  Array.from({ length: lines }, (_, at) =>
    at === 0 ? '//@version=5' : at % 10 === 9 ? `plot(ta.sma(close, ${at + 1}), "Line ${at + 1}")` : '// …',
  ).join('\n');
