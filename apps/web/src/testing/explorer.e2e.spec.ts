import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Exploration } from '@tapedeck/explorer/contract';
import { startProduct, temporaryFolder, type Product } from '@tapedeck/platform/testing';
import { writeZip } from '@tapedeck/strategies/testing';
import type { Browser } from 'playwright-core';
import { barsPath } from '../ui/range-histogram/bars.ts';
import { openBrowser, openPage, type Watched } from './browser.ts';
import { openCatalogue, type CatalogueSql } from './catalogue-sql.ts';
import { drawnBars, explorationAfter, shows, signIn } from './explorer-screen.ts';

const run = promisify(execFile);
const folder = temporaryFolder();
let product: Product;
let browser: Browser;
let catalogue: CatalogueSql;
let watched: Watched;

beforeAll(async () => {
  product = await startProduct({ dataFolder: folder.path });
  catalogue = openCatalogue(product.databaseUrl('catalogue'));
  browser = await openBrowser();
  watched = await openPage(browser);
}, 120_000);
afterAll(async () => {
  await browser.close();
  await catalogue.close();
  await product.stop();
  folder.remove();
}, 30_000);

const histogramOf = (exploration: Exploration, field: string): Exploration['histograms'][number] => {
  const found = exploration.histograms.find((histogram) => histogram.field === field);
  if (!found) throw new Error(`There is no histogram of ${field}.`);
  return found;
};

/** Imports strategies into the running product from a command line of its own; what that printed. */
const importTitles = async (ids: string, count: number, title: string): Promise<string> => {
  const entries = Array.from({ length: count }, (_, index) => {
    const url_id = `${ids}0${index}`;
    return {
      name: `strategies/${url_id}.json`,
      data: JSON.stringify({ url_id, title: `${title} ${index}`, pine_script: 'plot(close)' }),
    };
  });
  const file = join(folder.path, `${ids}.zip`);
  writeFileSync(file, writeZip(entries));
  const { stdout } = await run(process.execPath, ['scripts/import.mjs', file], {
    env: { ...process.env, DATA_DIR: folder.path },
  });
  return stdout;
};

describe('the Strategy Explorer in a browser', () => {
  it('signs in with one click and shows the whole catalogue', async () => {
    const { page } = watched;
    await signIn(page, product.url);
    await shows(page, 4_500);
  });

  it('searches, and list and bars say what SQL counts', async () => {
    const { page } = watched;
    const expected = await catalogue.count('macd');
    expect(expected).toBeGreaterThan(10);
    const answer = await explorationAfter(page, () =>
      page.getByRole('searchbox', { name: 'Search strategies' }).fill('MACD'),
    );
    expect(answer.total).toBe(expected);
    await shows(page, expected);
    const { edges, all } = histogramOf(answer, 'maxDrawdownPercent');
    const counted = await catalogue.histogram('macd', 'maxDrawdownPercent', edges);
    await expect(drawnBars(page, 'Max drawdown')).resolves.toBe(barsPath(counted, Math.max(...all)));
  });

  it('moves the slider by keyboard', async () => {
    const { page } = watched;
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
    await shows(page, expected);
    expect(new URL(page.url()).search).not.toBe('');
    const { edges, all } = histogramOf(answer, 'maxDrawdownPercent');
    const counted = await catalogue.histogram('macd', 'maxDrawdownPercent', edges, low);
    await expect(drawnBars(page, 'Max drawdown')).resolves.toBe(barsPath(counted, Math.max(...all)));
  });

  it('moves the slider by pointer, and keeps both bounds over a reload', async () => {
    const { page } = watched;
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
    const expected = await catalogue.count('macd', low, high);
    expect(expected).toBeLessThan(await catalogue.count('macd', low));
    expect(answer.total).toBe(expected);
    await shows(page, expected);
    await page.reload();
    await shows(page, expected);
    expect([Number(await minimum.inputValue()), Number(await maximum.inputValue())]).toEqual([low, high]);
  });

  it('stars a card and still shows the star after a reload', async () => {
    const { page } = watched;
    const star = page.getByTitle('Add to favorites').first();
    const name = await star.getAttribute('aria-label');
    await star.click();
    await page.getByText('Strategy has been saved to your favorites', { exact: true }).waitFor();
    await page.reload();
    const kept = page.getByTitle('Remove from favorites');
    await kept.waitFor();
    expect(await kept.getAttribute('aria-label')).toBe(name?.replace('Add to', 'Remove from'));
  });

  it('fills an empty list by itself when an import brings what was searched for', async () => {
    const { page } = watched;
    await page.getByRole('button', { name: 'Reset' }).first().click();
    await page.getByRole('searchbox', { name: 'Search strategies' }).fill('zebrafish');
    await page.getByText('No strategies found.').waitFor();
    expect(await importTitles('ZebraF', 7, 'Zebrafish')).toMatch(/7 added/);
    await shows(page, 7);
  }, 30_000);

  it('offers new strategies to a list that is being read, and leaves it alone until asked', async () => {
    const { page } = watched;
    expect(await importTitles('ZebraG', 2, 'Zebrafish again')).toMatch(/2 added/);
    const refresh = page.getByRole('button', { name: 'refresh' });
    await refresh.waitFor();
    await shows(page, 7);
    await refresh.click();
    await shows(page, 9);
  }, 30_000);

  it('has left no error in the console', () => {
    expect(watched.complaints).toEqual([]);
  });
});
