import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import type { Exploration } from '@tapedeck/explorer/contract';
import { writeZip } from '@tapedeck/strategies/testing';
import { barsPath } from '@tapedeck/web/bars';
import { describeAdminScreens } from './admin-cases.ts';
import { drawnBars, expectShown, expectTotal, explorationAfter, openExplorer } from './explorer-screen.ts';
import { describeMoreFigures } from './more-figures-cases.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const run = promisify(execFile);
const environment = setUpTestEnvironment();

const histogramOf = (exploration: Exploration, field: string): Exploration['histograms'][number] => {
  const found = exploration.histograms.find((histogram) => histogram.field === field);
  if (!found) throw new Error(`There is no histogram of ${field}.`);
  return found;
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
  describeMoreFigures(environment);

  it('shows the whole catalogue after a sign-in with one click', async () => {
    const { openPage, catalogue } = environment;
    const page = await openPage('visitor');
    await page.goto('/');
    await page.getByRole('link', { name: 'Sign in as Pro' }).click();
    await expectTotal(page, await catalogue.countWhere('true'));
  });

  it('searches, and shows the list and the bars that SQL counts', async () => {
    const { page, catalogue } = environment;
    await openExplorer(page);
    const expected = await catalogue.count('macd');
    expect(expected).toBeGreaterThan(10);
    const answer = await explorationAfter(page, () =>
      page.getByRole('searchbox', { name: 'Search strategies' }).fill('MACD'),
    );
    expect(answer.total).toBe(expected);
    await expectTotal(page, expected);
    const { edges, all } = histogramOf(answer, 'maxDrawdownPercent');
    const counted = await catalogue.histogram('macd', 'maxDrawdownPercent', edges);
    await expect(drawnBars(page, 'Max drawdown')).resolves.toBe(barsPath(counted, Math.max(...all)));
  });

  it('moves a slider by keyboard', async () => {
    const { page, catalogue } = environment;
    await openExplorer(page, 'search=macd');
    const thumb = page.getByRole('slider', { name: 'Total P&L minimum' });
    await thumb.focus();
    const answer = await explorationAfter(page, async () => {
      for (let presses = 0; presses < 6; presses++) await page.keyboard.press('PageUp');
    });
    const low = Number(await thumb.inputValue());
    const expected = await catalogue.count('macd', low);
    expect(expected).toBeGreaterThan(0);
    expect(expected).toBeLessThan(await catalogue.count('macd'));
    expect(answer.total).toBe(expected);
    await expectTotal(page, expected);
    expect(new URL(page.url()).search).toContain('min_total_pandl_percent');
    const { edges, all } = histogramOf(answer, 'maxDrawdownPercent');
    const counted = await catalogue.histogram('macd', 'maxDrawdownPercent', edges, low);
    await expect(drawnBars(page, 'Max drawdown')).resolves.toBe(barsPath(counted, Math.max(...all)));
  });

  it('moves a slider by pointer, and keeps both bounds over a reload', async () => {
    const { page, catalogue } = environment;
    await openExplorer(page, 'search=macd&min_total_pandl_percent=-40');
    const minimum = page.getByRole('slider', { name: 'Total P&L minimum' });
    const maximum = page.getByRole('slider', { name: 'Total P&L maximum' });
    const plot = page.getByRole('group', { name: 'Total P&L', exact: true });
    const box = await plot.boundingBox();
    if (!box) throw new Error('The plot is not on the screen.');
    const y = box.y + box.height / 2;
    const answer = await explorationAfter(page, async () => {
      await page.mouse.move(box.x + box.width - 1, y);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.9, y, { steps: 5 });
      await page.mouse.move(box.x + box.width * 0.8, y, { steps: 5 });
      await page.mouse.up();
    });
    const [low, high] = [Number(await minimum.inputValue()), Number(await maximum.inputValue())];
    expect(low).toBe(-40);
    const expected = await catalogue.count('macd', low, high);
    expect(expected).toBeLessThan(await catalogue.count('macd', low));
    expect(answer.total).toBe(expected);
    await expectTotal(page, expected);
    await page.reload();
    await expectTotal(page, expected);
    expect([Number(await minimum.inputValue()), Number(await maximum.inputValue())]).toEqual([low, high]);
  });

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

  it('fills an empty list by itself when an import adds matching strategies', async () => {
    const { page } = environment;
    await openExplorer(page, 'search=zebrafish');
    await expectShown(page.getByText('No strategies found.'));
    expect(await importTitles('ZebraF', 7, 'Zebrafish')).toMatch(/7 added/);
    await expectTotal(page, 7);
  });

  it('offers new strategies to a list with rows, and changes it only on request', async () => {
    const { page } = environment;
    expect(await importTitles('OkapiA', 3, 'Okapi')).toMatch(/3 added/);
    await openExplorer(page, 'search=okapi');
    await expectTotal(page, 3);
    expect(await importTitles('OkapiB', 2, 'Okapi again')).toMatch(/2 added/);
    const refresh = page.getByRole('button', { name: 'refresh' });
    await expectShown(refresh);
    await expectTotal(page, 3);
    await refresh.click();
    await expectTotal(page, 5);
  });

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
    await dialog.getByRole('button', { name: `Delete ${name}, renamed` }).click();
    await expectShown(dialog.getByText(`“${name}, renamed” was deleted.`));
    await dialog.getByRole('button', { name: 'Undo' }).click();
    const saved = dialog.getByRole('link', { name: `${name}, renamed` });
    await saved.click();
    await page.waitForURL('**/strategies?max_max_drawdown_percent=20&sort_by=likes');
    await open.click();
    await expectShown(dialog.getByText(`This search is already saved as “${name}, renamed”.`));
  });

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
