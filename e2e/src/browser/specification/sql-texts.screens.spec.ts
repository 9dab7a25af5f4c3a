import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { sqlConsoleRoutes, type SqlAnswer } from '@tapedeck/sql-console/contract';
import type { Page } from 'playwright-core';
import { eventually } from '@tapedeck/eventing/testing';
import { expectShown, holdRequests } from '../explorer-screen.ts';
import { dialogOf, signInAs } from '../membership-screen.ts';
import { setUpTestEnvironment } from '../test-environment.ts';
import { expectAllTexts, expectToastAfter, requestsTo } from './catalogue-screen.ts';
import { checkRows } from './check-rows.ts';
import { answerWith, expectTexts } from './expectations.ts';

// The tests answer requests with errors, which the browser logs.
const environment = setUpTestEnvironment({ product: 'shared', expectedErrors: /status of 50[02]/ });

const execute = `**${sqlConsoleRoutes.execute}`;

const answerOf = (answer: Partial<SqlAnswer>): SqlAnswer => ({
  queryId: randomUUID(),
  success: true,
  kind: 'rows',
  rowCount: 0,
  columns: [],
  rows: [],
  truncated: false,
  sha256: '0'.repeat(64),
  error: null,
  executedAt: '2024-03-04T12:00:00.000Z',
  milliseconds: 1,
  ...answer,
});

const openConsole = async (): Promise<Page> => {
  const page = await environment.openPage('visitor');
  await signInAs(page, 'admin@tapedeck.example');
  await page.goto('/admin/sql');
  await expectShown(page.getByRole('textbox', { name: 'SQL' }));
  return page;
};

describe('the SQL console', () => {
  it('says what becomes of a query', async () => {
    const page = await openConsole();
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const result = page.getByRole('region', { name: 'Result' });
    const write = async (statement: string): Promise<void> => {
      await page.getByRole('textbox', { name: 'SQL' }).focus();
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Delete');
      if (statement !== '') await page.keyboard.insertText(statement);
    };
    const run = (statement: string) => async (): Promise<void> => {
      await write(statement);
      await button('Execute').click();
    };
    const select = (count: number): string => `select url_id from strategies order by 1 limit ${count}`;
    const rowsShown = (count: number): Promise<void> =>
      eventually(async () => expect(await result.locator('tbody tr').count()).toBe(count));
    const release = await holdRequests(page, execute);
    await checkRows('sql console', {
      'there are an editor, the button Execute and a notice to use it with caution': async () => {
        await expectShown(button('Execute'));
        await expectTexts(page, 'Use with caution.');
      },
      'a blank query is refused: No SQL Query: Please enter a SQL query to execute': async () => {
        const requests = requestsTo(page, sqlConsoleRoutes.execute);
        for (const blank of ['', ' \n '])
          await expectToastAfter(page, run(blank), 'No SQL Query', 'Please enter a SQL query to execute');
        expect(requests).toEqual([]);
      },
      'a query is sent without the spaces around it': async () => {
        const requested = page.waitForRequest(execute);
        await run(`\n  ${select(10)} \n`)();
        expect((await requested).postDataJSON()).toEqual(expect.objectContaining({ sqlQuery: select(10) }));
      },
      'while it is executed the button says Executing...': async () => {
        await expectShown(button('Executing...'));
        expect(await button('Execute').count()).toBe(0);
      },
      'SQL Executed Successfully: Query executed with 10 rows returned': async () => {
        await expectToastAfter(
          page,
          async () => release(),
          'SQL Executed Successfully',
          'Query executed with 10 rows returned',
        );
        await expectShown(button('Execute'));
        await page.unroute(execute);
      },
      '10 rows are all shown': () => rowsShown(10),
      'of 11 rows their number and the first one are shown': async () => {
        await run(select(11))();
        await expectTexts(result, '11 rows. This is the first one:');
        await rowsShown(1);
      },
      'without columns it says: No data returned': async () => {
        await run('select from strategies')();
        await expectTexts(result, 'No data returned');
      },
      'without rows it says: Query executed successfully - 0 rows returned': async () => {
        await run('select url_id from strategies where false')();
        await expectTexts(result, 'Query executed successfully - 0 rows returned');
      },
      'a query with an error says: SQL Execution Failed, and the error': () =>
        expectToastAfter(
          page,
          run('select url_id from strategie'),
          'SQL Execution Failed',
          'relation "strategie" does not exist',
        ),
      'a change of rows is confirmed: Query executed with 2 rows affected': async () => {
        // The strategies are those of all tests: the answers are not the server's.
        const stops = [
          await answerWith(page, execute, 200, answerOf({ kind: 'changes', rowCount: 2 })),
          await answerWith(
            page,
            `**${sqlConsoleRoutes.commit}`,
            200,
            answerOf({ kind: 'committed', rowCount: 2 }),
          ),
        ];
        const change = async (): Promise<void> => {
          await run("delete from strategies where author = 'Ada'")();
          await button('Change 2 rows').click();
          await dialogOf(page).getByLabel('Reason').fill('ticket 4711');
          await dialogOf(page).getByRole('button', { name: 'Change 2 rows' }).click();
        };
        await expectToastAfter(
          page,
          change,
          'SQL Executed Successfully',
          'Query executed with 2 rows affected',
        );
        for (const stop of stops) await stop();
      },
      'a failed request says: Execution Error, and why': async () => {
        const stop = await answerWith(page, execute, 500, { detail: 'The database is full.' });
        await expectToastAfter(page, run('select 1'), 'Execution Error', 'The database is full.');
        await stop();
      },
      'without a reason it says: Execution Error: Failed to execute SQL': async () => {
        const stop = await answerWith(page, execute, 502, {});
        await expectToastAfter(page, run('select 2'), 'Execution Error', 'Failed to execute SQL');
        await stop();
      },
      'the tabs of the admin panel are SQL Console, which is open, and Strategy Upload': async () => {
        await page.goto('/');
        const panel = page.getByRole('region', { name: 'Admin Access' });
        await expectShown(panel);
        await expectAllTexts(panel.getByRole('tab'), ['SQL Console', 'Strategy Upload']);
        expect(await panel.getByRole('tab', { selected: true }).innerText()).toBe('SQL Console');
        await expectTexts(panel, 'Use with caution.');
      },
    });
  }, 120_000);
});
