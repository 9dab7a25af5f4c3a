import { describe, expect, it } from '@jest/globals';
import { databaseUrl } from '@tapedeck/platform/testing';
import pg from 'pg';
import type { Page } from 'playwright-core';
import {
  expectInlineError,
  expectNoJson,
  expectRecovers,
  failChanges,
  failWith,
  toastOf,
} from './error-screen.ts';
import { expectHidden, expectShown } from './explorer-screen.ts';
import { dialogOf, signInAs } from './membership-screen.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment({ strategies: 60, expectedErrors: /status of 500/ });

const openAs = async (user: 'admin' | 'support', address: string): Promise<Page> => {
  const page = await environment.openPage('visitor');
  await signInAs(page, `${user}@tapedeck.example`);
  await page.goto(address);
  return page;
};
const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).first().press('Enter');

/** As if effects had failed at these events of the tape. */
const park = async (): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl(environment.dataFolder, 'tapedeck') });
  await client.connect();
  await client.query(`
    insert into reaction_pending_events
      (reaction, position, key, stream, stream_version, type, attempts, error, parked, pending_since)
    select 'account-access', position, stream, stream, version, type, 30, 'ROLE_REFUSED: no role', true,
      now() - interval '2 hours'
    from tape_events where type = 'RoleGranted' order by position limit 1`);
  await client.end();
};

/** The address of a member's page. */
const memberAddress = async (): Promise<string> => {
  const answer = (await (await environment.page.request.get('/api/auth/user')).json()) as Readonly<{
    id: string;
  }>;
  return `/admin/members/${answer.id}`;
};

describe('an error of a dialog of support', () => {
  it('is shown where access is granted and revoked, and where a note is removed', async () => {
    const page = await openAs('support', await memberAddress());
    await press(page, 'Grant access');
    await expectRecovers({
      page,
      match: '**/complimentary**',
      typed: [['Reason', 'ticket 4711']],
      action: 'Grant access',
      text: 'Nothing was granted: try again.',
    });
    await press(page, 'Revoke');
    await expectRecovers({
      page,
      match: '**/complimentary**',
      typed: [['Reason', 'ticket 4712']],
      action: 'Revoke access',
      text: 'Nothing was revoked: try again.',
    });
    const notes = page.getByRole('region', { name: 'Notes' });
    await notes.getByLabel('New note').fill('Wrote to us.');
    await failChanges(page, '**/notes**');
    const add = notes.getByRole('button', { name: 'Add note' });
    await add.press('Enter');
    const text = 'The note was not saved. Your text is still here: try again.';
    await expectInlineError({ page, within: notes, text, pressed: add });
    await page.unroute('**/notes**');
    await add.press('Enter');
    await notes.getByRole('button', { name: 'Remove', exact: true }).press('Enter');
    await expectRecovers({
      page,
      match: '**/notes/**',
      action: 'Remove the note',
      text: 'The note was not removed: try again.',
    });
    await expectShown(notes.getByText(/^Removed by /));
  }, 120_000);

  it('is shown where a parked event is ignored and restored', async () => {
    await park();
    const page = await openAs('support', '/admin/parked-events');
    await press(page, 'Ignore');
    await expectRecovers({
      page,
      match: '**/ignore**',
      typed: [['Reason', 'The role exists']],
      action: 'Ignore it',
      text: 'Nothing was changed: try again.',
    });
    await press(page, 'Ignored');
    await press(page, 'Restore');
    await expectRecovers({
      page,
      match: '**/restore**',
      typed: [['Reason', 'It did not']],
      action: 'Restore it',
      text: 'Nothing was changed: try again.',
    });
  }, 120_000);

  it('is shown where a replay is tried', async () => {
    const page = await openAs('support', '/admin/replays');
    await page.getByText('Subscription', { exact: true }).click();
    await page.getByPlaceholder('sub_…').fill('sub_unknown');
    await failChanges(page, '**/api/admin/replays');
    const show = page.getByRole('button', { name: 'Show the difference' });
    await show.press('Enter');
    const text = 'The dry run has failed, and nothing was changed: try again in a moment.';
    await expectInlineError({ page, within: page.locator('main'), text, pressed: show });
    expect(await page.getByPlaceholder('sub_…').inputValue()).toBe('sub_unknown');
  });
});

describe('an error of a dialog of admins', () => {
  it('is shown where a statement is committed, saved and deleted', async () => {
    const page = await openAs('admin', '/admin/sql');
    await page.getByRole('textbox', { name: 'SQL' }).focus();
    await page.keyboard.insertText(
      "update strategies set title = 'x' where url_id = (select min(url_id) from strategies)",
    );
    await page.keyboard.press('Control+Enter');
    await press(page, 'Change 1 row');
    await failChanges(page, '**/api/admin/sql/commit');
    await dialogOf(page).getByLabel('Reason').fill('ticket 4713');
    const commit = dialogOf(page).getByRole('button', { name: 'Change 1 row' });
    await commit.press('Enter');
    // First of all: it disappears by itself.
    await expectShown(toastOf(page));
    expect(await toastOf(page).locator('b').allTextContents()).toEqual(['Execution Error']);
    await expectInlineError({ page, within: dialogOf(page), text: 'Failed to execute SQL', pressed: commit });
    await page.keyboard.press('Escape');
    await expectHidden(dialogOf(page));
    await press(page, 'Save');
    await expectRecovers({
      page,
      match: '**/api/admin/sql/saved',
      typed: [['Name', 'All rows']],
      action: 'Save',
      text: 'It was not saved: try again.',
    });
    await press(page, 'Delete All rows');
    await expectRecovers({
      page,
      match: '**/api/admin/sql/saved/**',
      action: 'Delete',
      text: 'It was not deleted: try again.',
    });
  }, 120_000);

  it('is shown where a read model is rebuilt', async () => {
    const page = await openAs('admin', '/admin/projections');
    await press(page, 'favourites');
    await press(page, 'Rebuild');
    await expectRecovers({
      page,
      match: '**/rebuild**',
      typed: [['Reason', 'Rows were changed by hand']],
      action: 'Rebuild',
      text: 'Nothing was changed: try again.',
    });
  }, 120_000);
});

describe('a page of which nothing can be loaded', () => {
  it('shows sentences, the details on request, and no JSON', async () => {
    const member = await memberAddress();
    const page = await openAs('admin', '/admin/members');
    await page.route(/\/api\/(?!config|auth\/|changes)/, failWith(500));
    const addresses = [
      '/?section=dashboard',
      '/?section=my-account',
      '/strategies',
      '/favorites',
      '/strategy/any',
      '/admin/members',
      member,
      '/admin/replays',
      '/admin/replays/0190a5f0-0000-7000-8000-000000000000',
      '/admin/parked-events',
      '/admin/queues',
      '/admin/figures',
      '/admin/projections',
      '/admin/sql',
      '/admin/upload',
    ];
    for (const address of addresses) {
      await page.goto(address);
      const summary = page.getByText('Details', { exact: true }).first();
      await expectShown(summary);
      await expectNoJson(page);
      await summary.click();
      await expectShown(page.locator('pre:visible', { hasText: 'Request: r-42' }));
    }
  }, 240_000);
});
