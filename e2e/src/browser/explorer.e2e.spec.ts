import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import type { Exploration } from '@tapedeck/explorer/contract';
import { writeZip } from '@tapedeck/strategies/testing';
import { barsPath } from '@tapedeck/web/bars';
import type { Page } from 'playwright-core';
import { describeAdminScreens } from './admin-cases.ts';
import {
  drawnBars,
  expectShown,
  expectTotal,
  explorationAfter,
  holdRequests,
  openExplorer,
} from './explorer-screen.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const run = promisify(execFile);
const environment = setUpTestEnvironment({ product: 'shared', reusesPage: true });

const histogramOf = (exploration: Exploration, field: string): Exploration['histograms'][number] => {
  const found = exploration.histograms.find((histogram) => histogram.field === field);
  if (!found) throw new Error(`There is no histogram of ${field}.`);
  return found;
};

/** Fails unless the screen has the bars of the drawdown that SQL counts for "macd" and a minimum of the P&L. */
const expectCountedBars = async (answer: Exploration, low: number | null): Promise<void> => {
  const { page, catalogue } = environment;
  const { edges, all } = histogramOf(answer, 'maxDrawdownPercent');
  const counted = await catalogue.histogram('macd', 'maxDrawdownPercent', edges, low);
  await eventually(async () =>
    expect(await drawnBars(page, 'Max drawdown')).toBe(barsPath(counted, Math.max(...all))),
  );
};

/** Drags the right thumb of the P&L to the left. */
const dragMaximum = async (page: Page): Promise<void> => {
  const box = await page.getByRole('group', { name: 'Total P&L', exact: true }).boundingBox();
  if (!box) throw new Error('The plot is not on the screen.');
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width - 1, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.9, y, { steps: 5 });
  await page.mouse.move(box.x + box.width * 0.8, y, { steps: 5 });
  await page.mouse.up();
};

/** Runs `npm run import` beside the running product; returns its output. */
const importTitles = async (idPrefix: string, count: number, title: string): Promise<string> => {
  const { dataFolder } = environment;
  const entries = Array.from({ length: count }, (_, index) => {
    const url_id = `${idPrefix}0${index}`;
    return {
      name: `strategies/${url_id}.json`,
      data: JSON.stringify({ url_id, title: `${title} ${index}`, pine_script: 'plot(close)' }),
    };
  });
  const file = join(dataFolder, `${idPrefix}.zip`);
  writeFileSync(file, writeZip(entries));
  const { stdout } = await run(process.execPath, ['scripts/program.mjs', 'import', file], {
    env: { ...process.env, DATA_DIR: dataFolder },
  });
  return stdout;
};

describe('the Strategy Explorer in a browser', () => {
  it('shows what SQL counts: the whole catalogue, a search, and sliders moved by keyboard and by pointer', async () => {
    const { page, catalogue } = environment;
    await openExplorer(page);
    await expectTotal(page, await catalogue.countWhere('true'));

    const found = await catalogue.count('macd');
    expect(found).toBeGreaterThan(10);
    const search = page.getByRole('searchbox', { name: 'Search strategies' });
    const searched = await explorationAfter(page, () => search.fill('MACD'));
    expect(searched.total).toBe(found);
    await expectTotal(page, found);
    await expectCountedBars(searched, null);

    const minimum = page.getByRole('slider', { name: 'Total P&L minimum' });
    await minimum.focus();
    const raise = (): Promise<Exploration> => explorationAfter(page, () => page.keyboard.press('PageUp'));
    // One answer after the other: between slow presses the page asks for what is set so far.
    for (let presses = 1; presses < 6; presses++) await raise();
    const raised = await raise();
    const low = Number(await minimum.inputValue());
    const aboveLow = await catalogue.count('macd', low);
    expect(aboveLow).toBeGreaterThan(0);
    expect(aboveLow).toBeLessThan(found);
    expect(raised.total).toBe(aboveLow);
    await expectTotal(page, aboveLow);
    expect(new URL(page.url()).search).toContain('min_total_pandl_percent');
    await expectCountedBars(raised, low);

    const lowered = await explorationAfter(page, () => dragMaximum(page));
    const maximum = page.getByRole('slider', { name: 'Total P&L maximum' });
    const bounds = async (): Promise<readonly number[]> =>
      Promise.all([minimum, maximum].map(async (thumb) => Number(await thumb.inputValue())));
    const [keptLow, high] = await bounds();
    expect(keptLow).toBe(low);
    const between = await catalogue.count('macd', low, high);
    expect(between).toBeLessThan(aboveLow);
    expect(lowered.total).toBe(between);
    await expectTotal(page, between);
    await page.reload();
    await expectTotal(page, between);
    await eventually(async () => expect(await bounds()).toEqual([low, high]));
  }, 120_000);

  it('stars a card and still shows the star after a reload', async () => {
    const { page } = environment;
    await openExplorer(page);
    const star = page.getByTitle('Add to favorites').first();
    const name = await star.getAttribute('aria-label');
    await star.click();
    await expectShown(page.getByText('Strategy has been saved to your favorites', { exact: true }));
    await page.reload();
    const starred = page.getByTitle('Remove from favorites');
    await expectShown(starred);
    expect(await starred.getAttribute('aria-label')).toBe(name?.replace('Add to', 'Remove from'));
  });

  it('fills an empty list by itself, and offers new strategies to one with rows, which it changes only on request', async () => {
    const { page } = environment;
    await openExplorer(page, 'search=okapi');
    await expectShown(page.getByText('No strategies found.'));
    expect(await importTitles('OkapiA', 7, 'Okapi')).toMatch(/7 added/);
    await expectTotal(page, 7);
    expect(await importTitles('OkapiB', 2, 'Okapi again')).toMatch(/2 added/);
    const refresh = page.getByRole('button', { name: 'refresh' });
    await expectShown(refresh);
    await expectTotal(page, 7);
    await refresh.click();
    await expectTotal(page, 9);
  }, 120_000);

  it('saves, applies, renames, deletes and restores a search', async () => {
    const { page } = environment;
    const name = `Calm ${randomUUID().slice(0, 8)}`;
    await openExplorer(page, 'max_max_drawdown_percent=20&sort_by=likes&page=2');
    const open = page.getByRole('button', { name: /^Saved searches/ });
    const dialog = page.getByRole('dialog', { name: 'Saved searches' });
    await open.click();
    await expectShown(dialog.getByText('Max drawdown ≤ 20 % · by Likes, descending'));
    expect(await dialog.getByLabel('Name this search').inputValue()).toBe('Max drawdown ≤ 20 %');
    await dialog.getByLabel('Name this search').fill(name);
    await dialog.getByRole('button', { name: 'Save this search' }).click();
    await expectShown(page.getByText(`“${name}” counts new matches from now on`, { exact: true }));

    await openExplorer(page, 'search=macd');
    await open.click();
    await dialog.getByRole('button', { name: `Rename ${name}` }).click();
    await dialog.getByLabel(`New name for ${name}`).fill(`${name}, renamed`);
    await dialog.getByRole('button', { name: 'Rename', exact: true }).click();
    const remove = dialog.getByRole('button', { name: `Delete ${name}, renamed` });
    await expectShown(remove);
    const release = await holdRequests(page, /\/api\/member\/searches\/./);
    await remove.click();
    await expectShown(dialog.getByText(`“${name}, renamed” was deleted.`));
    await dialog.getByRole('button', { name: 'Undo' }).click();
    release();
    const saved = dialog.getByRole('link', { name: `${name}, renamed` });
    await saved.click();
    await page.waitForURL('**/strategies?max_max_drawdown_percent=20&sort_by=likes');
    await open.click();
    await expectShown(dialog.getByText(`This search is already saved as “${name}, renamed”.`));
  }, 120_000);

  it('logs no error on the landing page, in the explorer and on the page of a strategy', async () => {
    const { page, openPage } = environment;
    const visitor = await openPage('visitor');
    await visitor.goto('/');
    await expectShown(visitor.getByRole('heading', { name: 'Try it: drag a marker' }));
    await openExplorer(page);
    await page.locator('.strategy-title a').first().click();
    await expectShown(page.getByRole('heading', { name: 'Similar strategies' }));
    await expectShown(page.locator('.similar .cards:not([aria-busy])'));
  });
});

describe('the screens of support and admins', () => {
  describeAdminScreens(environment);
});
