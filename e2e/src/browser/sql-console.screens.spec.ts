import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { databaseUrl } from '@tapedeck/platform/testing';
import pg from 'pg';
import type { Locator, Page } from 'playwright-core';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { expectHidden, expectShown, openExplorer } from './explorer-screen.ts';
import { completeProfile, dialogOf, enterAt, signInAs, tabTo } from './membership-screen.ts';
import { eventually } from '@tapedeck/eventing/testing';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment({
  strategies: 50,
  expectedErrors: /ERR_INTERNET_DISCONNECTED|status of 403/,
});

const openConsole = async (): Promise<Page> => {
  const page = await environment.openPage('visitor');
  await signInAs(page, 'admin@tapedeck.example');
  await page.goto('/admin/sql');
  await expectShown(editor(page));
  return page;
};
const editor = (page: Page): Locator => page.getByRole('textbox', { name: 'SQL' });

const write = async (page: Page, statement: string): Promise<void> => {
  await editor(page).focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(statement);
};
/** By the keyboard alone. */
const execute = async (page: Page, statement: string): Promise<void> => {
  await write(page, statement);
  await page.keyboard.press('Control+Enter');
};
const result = (page: Page): Locator => page.getByRole('region', { name: 'Result' });
const schemaOf = (page: Page): Locator => page.getByRole('region', { name: 'Tables and columns' });
const history = (page: Page): Locator => page.getByRole('region', { name: 'History' });
const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
const toast = (page: Page, title: string, text: string): Locator =>
  page.locator('.toast', { hasText: title }).getByText(text, { exact: true });

/** The descriptions that a statement without an order may return. */
const descriptions = async (): Promise<readonly string[]> => {
  const client = new pg.Client({ connectionString: databaseUrl(environment.dataFolder, 'catalogue') });
  await client.connect();
  const { rows } = await client.query<{ text: string }>(
    'select full_description as text from read_models.strategies where full_description is not null',
  );
  await client.end();
  return rows.map(({ text }) => text);
};

/** Everybody has signed in an hour earlier than before. */
const ageSessions = async (): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl(environment.dataFolder, 'tapedeck') });
  await client.connect();
  await client.query(`update sessions set created_at = created_at - interval '1 hour'`);
  await client.end();
};

describe('the SQL console', () => {
  it('completes names, shows rows, sorts them, and saves them as CSV', async () => {
    const page = await openConsole();
    // The editor completes what the list of tables shows.
    await expectShown(schemaOf(page).getByRole('button', { name: /^strategies \d+$/ }));
    await write(page, 'select url_id, lik');
    await page.keyboard.press('Control+Space');
    await page.getByRole('option', { name: 'likes' }).click();
    await page.keyboard.insertText(' from strat');
    await page.keyboard.press('Control+Space');
    await expectShown(page.getByRole('option', { name: 'strategies', exact: true }));
    await page.keyboard.press('Escape');
    await page.keyboard.insertText('egies order by 1');
    await page.keyboard.press('Control+Enter');
    await expectShown(toast(page, 'SQL Executed Successfully', 'Query executed with 50 rows returned'));
    await expectShown(result(page).getByText('50 rows. This is the first one:'));
    expect(await result(page).getByRole('row').count()).toBe(2);
    await button(page, 'Show all').press('Enter');
    await button(page, 'likes').press('Enter');
    const likes = await result(page).locator('td:nth-child(2)').allTextContents();
    expect(likes).toHaveLength(50);
    expect(likes).toEqual(likes.toSorted((a, b) => Number(a) - Number(b)));
    await expectAccessibleEverywhere(page);
    await result(page).getByRole('row').last().scrollIntoViewIfNeeded();
    const [rows, head] = [result(page).getByRole('region', { name: 'Rows' }), button(page, 'likes')];
    const [rowsBox, headBox] = [await rows.boundingBox(), await head.boundingBox()];
    expect(headBox?.y).toBeCloseTo(rowsBox?.y ?? NaN, -1);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      result(page).getByRole('button', { name: 'CSV' }).press('Enter'),
    ]);
    const csv = await readFile(await download.path(), 'utf8');
    expect(csv.split('\r\n')).toHaveLength(52);
    expect(csv).toMatch(/^\ufeffurl_id,likes\r\n/);
  }, 120_000);

  it('is opened, and finds, shows and saves rows, by keyboard alone', async () => {
    const page = await environment.openPage('visitor');
    await signInAs(page, 'admin@tapedeck.example');
    await expectShown(page.getByRole('heading', { level: 1 }));
    await page.keyboard.press('Control+k');
    await page.keyboard.type('SQL Console');
    await page.keyboard.press('Enter');
    await tabTo(page, editor(page));
    await page.keyboard.insertText('select url_id from strategies order by 1');
    await page.keyboard.press('Control+Enter');
    await enterAt(page, button(page, 'Show all'));
    await tabTo(page, result(page).getByRole('button', { name: 'CSV' }));
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect((await readFile(await download.path(), 'utf8')).split('\r\n')).toHaveLength(52);
  }, 120_000);

  it('lists tables and columns, which write their names, and shows long values whole', async () => {
    const page = await openConsole();
    const schema = schemaOf(page);
    await write(page, 'select');
    await schema.getByRole('button', { name: /^strategies \d+$/ }).press('Enter');
    await schema.getByRole('button', { name: 'full_description text' }).press('Enter');
    expect(await editor(page).innerText()).toBe('select full_description');
    await page.keyboard.insertText(` from strategies where full_description is not null limit 3`);
    await schema.getByLabel('Filter tables and columns').fill('label');
    await expectShown(schema.getByRole('list', { name: 'Columns of strategy_indicators' }));
    await expectHidden(schema.getByRole('button', { name: 'full_description text' }).first());
    await expectAccessibleEverywhere(page);
    await editor(page).press('Control+Enter');
    const cells = result(page).locator('.sql-cell');
    await expectShown(cells.first());
    expect(await cells.first().evaluate((cell) => cell.getBoundingClientRect().height)).toBeLessThan(48);
    await cells.first().focus();
    await page.keyboard.press('ArrowDown');
    expect(await cells.nth(1).evaluate((cell) => cell === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    const drawer = dialogOf(page);
    const whole = drawer.getByRole('region', { name: 'Whole value' });

    await expectShown(drawer.getByText(/^Row 2, [\d,]+ characters/));
    expect(await descriptions()).toContain(await whole.innerText());
    await expectAccessibleEverywhere(page);
    await page.keyboard.press('Escape');
    await expectShown(cells.nth(1).and(page.locator(':focus')));
    await execute(page, `select '{"a":{"b":[1,2]}}' as json`);
    const only = result(page).locator('.sql-cell');
    await eventually(async () => expect(await only.count()).toBe(1));
    await only.press('Enter');
    await expectShown(drawer.getByText(', JSON'));
    expect(await whole.innerText()).toBe(JSON.stringify({ a: { b: [1, 2] } }, null, 2));
  }, 120_000);

  it('refuses an empty statement, says where one is wrong, and cancels one', async () => {
    const page = await openConsole();
    await execute(page, '  ');
    await expectShown(toast(page, 'No SQL Query', 'Please enter a SQL query to execute'));
    await execute(page, '\nselect url_id\nfrom strategie');
    const message = 'relation "strategie" does not exist';
    await expectShown(toast(page, 'SQL Execution Failed', message));
    await expectShown(result(page).getByText('SQLSTATE 42P01, line 3, column 6'));
    await execute(page, 'select url_id from strategies where false');
    await expectShown(result(page).getByText('Query executed successfully - 0 rows returned'));
    await execute(page, 'select from strategies');
    await expectShown(result(page).getByText('No data returned'));
    await execute(page, 'select count(*) from generate_series(1, 100000) a, generate_series(1, 100000) b');
    await expectShown(button(page, 'Executing...'));
    await button(page, 'Cancel').press('Enter');
    await expectShown(result(page).getByText('canceling statement due to user request'));
    await page.context().setOffline(true);
    await execute(page, 'select 1');
    await expectShown(page.locator('.toast', { hasText: 'Execution Error' }));
    await page.context().setOffline(false);
  }, 120_000);

  it('changes rows after a dry run and a reason, and the open explorer offers the change within 2 s', async () => {
    const page = await openConsole();
    const explorer = environment.page;
    await openExplorer(explorer, 'sort_by=likes');
    const title = 'Amended by an admin';
    await expectHidden(explorer.getByText(title));
    await execute(
      page,
      `update strategies set title = '${title}' where url_id = (select url_id from strategies order by likes desc nulls last limit 1)`,
    );
    await expectShown(result(page).getByText('1 row would change.'));
    await button(page, 'Change 1 row').press('Enter');
    await dialogOf(page).getByLabel('Reason').fill('ticket 4711');
    await expectAccessibleEverywhere(page);
    await explorer.bringToFront();
    await dialogOf(page).getByRole('button', { name: 'Change 1 row' }).press('Enter');
    await expectShown(toast(page, 'SQL Executed Successfully', 'Query executed with 1 row affected'));
    const refresh = explorer.locator('.updates').getByRole('button', { name: 'refresh' });
    await refresh.waitFor({ timeout: 2_000 });
    await refresh.click();
    await expectShown(explorer.locator('.cards').getByText(title));
    await expectShown(result(page).getByText('1 row changed.'));
    await expectShown(history(page).getByText('ticket 4711'));
  }, 120_000);

  it('asks somebody who signed in long ago to sign in again, and keeps the statement', async () => {
    const page = await openConsole();
    const statement = `delete from strategies where url_id = (select min(url_id) from strategies)`;
    await execute(page, statement);
    await button(page, 'Change 1 row').press('Enter');
    await ageSessions();
    await dialogOf(page).getByLabel('Reason').fill('ticket 4711');
    await dialogOf(page).getByRole('button', { name: 'Change 1 row' }).press('Enter');
    await expectShown(page.getByRole('alert').getByText(/^Nothing was changed/));
    await page.getByRole('link', { name: 'Sign in again' }).press('Enter');
    // Until the page has been left: it shows the statement too.
    await expectHidden(result(page));
    await expectShown(editor(page).getByText('delete'));
    expect(await editor(page).innerText()).toBe(statement);
    await page.keyboard.press('Control+Enter');
    await button(page, 'Change 1 row').press('Enter');
    await dialogOf(page).getByLabel('Reason').fill('ticket 4711');
    await dialogOf(page).getByRole('button', { name: 'Change 1 row' }).press('Enter');
    await expectShown(result(page).getByText('1 row changed.'));
  }, 120_000);

  it('is a tab of the dashboard of admins beside the upload, and is shown to no other role', async () => {
    const page = await openConsole();
    await page.goto('/');
    const tab = (name: string): Locator => page.getByRole('tab', { name, exact: true });
    await expectShown(page.getByRole('region', { name: 'Admin Access' }));
    expect(await tab('SQL Console').getAttribute('aria-selected')).toBe('true');
    await expectShown(page.getByText('Use with caution.'));
    await execute(page, 'select url_id from strategies limit 3');
    await expectShown(result(page).getByText('3 rows'));
    await expectAccessibleEverywhere(page);
    await tab('SQL Console').focus();
    await page.keyboard.press('ArrowRight');
    await expectShown(page.getByText('Drop a ZIP file here'));
    await expectHidden(result(page));
    await page.keyboard.press('ArrowLeft');
    await expectShown(result(page).getByText('3 rows'));
    await completeProfile(environment.page);
    await expectShown(environment.page.getByRole('heading', { name: 'Community' }));
    expect(await environment.page.getByText('Admin Access').count()).toBe(0);
  }, 120_000);

  it('shows a plan, saves statements, shows the history, and is closed to support', async () => {
    const page = await openConsole();
    const statement = 'select count(*) from strategies where likes > 5';
    await write(page, statement);
    await button(page, 'Show the plan').press('Enter');
    await expectShown(page.getByRole('list', { name: 'Plan' }).getByText('Aggregate'));
    await expectAccessibleEverywhere(page);
    await button(page, 'Save').press('Enter');
    await dialogOf(page).getByLabel('Name').fill('Liked');
    await page.keyboard.press('Enter');
    await expectHidden(dialogOf(page));
    const saved = page.getByRole('region', { name: 'Saved statements' });
    await button(page, 'Rename Liked').press('Enter');
    await expectAccessibleEverywhere(page);
    await dialogOf(page).getByLabel('Name').fill('Much liked');
    await page.keyboard.press('Enter');
    await expectHidden(dialogOf(page));
    await write(page, 'select 2');
    await saved.getByRole('button', { name: /^Much liked/ }).press('Enter');
    expect(await editor(page).innerText()).toBe(statement);
    await write(page, 'select 2');
    await button(page, 'Save').press('Enter');
    await dialogOf(page).getByLabel('Name').fill('Two');
    await page.keyboard.press('Enter');
    await expectHidden(dialogOf(page));
    await button(page, 'Delete Two').press('Enter');
    await dialogOf(page).getByRole('button', { name: 'Delete' }).press('Enter');
    await expectShown(saved.locator('li:focus').getByText('Much liked'));
    await button(page, 'Delete Much liked').press('Enter');
    await dialogOf(page).getByRole('button', { name: 'Delete' }).press('Enter');
    await expectShown(saved.getByText('Nothing yet.'));
    await expectShown(page.locator('#saved-statements-title:focus'));
    await write(page, 'select 1');
    await history(page).getByRole('button', { name: statement }).press('Enter');
    expect(await editor(page).innerText()).toBe(statement);
    const support = await environment.openPage('visitor');
    await signInAs(support, 'support@tapedeck.example');
    await support.goto('/admin/sql');
    await expectShown(support.getByRole('heading', { name: 'This page is for admins' }));
  }, 120_000);
});
