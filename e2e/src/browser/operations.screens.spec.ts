import { describe, expect, it } from '@jest/globals';
import { operationsRoutes } from '@tapedeck/operations/contract';
import { databaseUrl } from '@tapedeck/platform/testing';
import pg from 'pg';
import type { Locator, Page } from 'playwright-core';
import { expectAccessibleInThemes, setSize, sizes } from './expect-accessible.ts';
import { expectHidden, expectShown } from './explorer-screen.ts';
import { dialogOf, signInAs, tabTo } from './membership-screen.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment({ strategies: 300 });

/** Beside the product, as its owner. */
const change = async (sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl(environment.dataFolder, 'tapedeck') });
  await client.connect();
  await client.query(sql);
  await client.end();
};

const openAs = async (user: 'admin' | 'support', address: string): Promise<Page> => {
  const page = await environment.openPage('visitor');
  await signInAs(page, `${user}@tapedeck.example`);
  await page.goto(address);
  return page;
};

/** As if the effect had failed at these events of the tape; each has an error with its own id. */
const park = (): Promise<void> =>
  change(`
    insert into reaction_pending_events
      (reaction, position, key, stream, stream_version, type, attempts, error, parked, pending_since)
    select 'account-access', position, stream, stream, version, type, 30,
      'ROLE_REFUSED: no role for ' || id || ' after ' || position || ' ms', true, now() - interval '2 hours'
    from tape_events where type = 'RoleGranted' order by position limit 2`);

const giveReason = async (page: Page, reason: string, action: string): Promise<void> => {
  await dialogOf(page).getByLabel('Reason').fill(reason);
  await dialogOf(page).getByRole('button', { name: action, exact: true }).click();
  await expectHidden(dialogOf(page));
};
const waiting = (page: Page): Locator =>
  page.getByRole('list', { name: 'Events, the oldest first' }).getByRole('listitem');
const chosen = (page: Page): string | null => new URL(page.url()).searchParams.get('event');

describe('the page of projections', () => {
  it('shows the consumers of the tape, rebuilds a read model and rolls it back', async () => {
    const page = await openAs('admin', '/admin/projections');
    const charts = page.getByRole('group', { name: 'Events by day, the last 30 days' });
    await expectShown(charts.getByRole('img', { name: /^Events of strategies by day/ }));
    await page.getByRole('button', { name: 'favourites', exact: true }).click();
    await page.getByRole('button', { name: 'Rebuild', exact: true }).click();
    await giveReason(page, 'Rows were changed by hand', 'Rebuild');
    await expectShown(
      page.getByText(/^Rebuild done, .* for admin@tapedeck.example: “Rows were changed by hand”$/),
    );
    await page.reload();
    await page.getByRole('button', { name: 'Roll back to the build before' }).click();
    await giveReason(page, 'Compare with the rows before', 'Roll back');
    await expectShown(page.getByText(/^Roll-back done, .*“Compare with the rows before”$/));
  }, 120_000);

  it('cancels a rebuild, by keyboard alone', async () => {
    const page = await openAs('admin', '/admin/projections');
    // The builds cannot be swapped while somebody reads.
    const reader = new pg.Client({ connectionString: databaseUrl(environment.dataFolder, 'tapedeck') });
    await reader.connect();
    await reader.query('begin; select from favourites');
    await tabTo(page, page.getByRole('button', { name: 'favourites', exact: true }));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('button', { name: 'Rebuild', exact: true }));
    await page.keyboard.press('Enter');
    await giveReason(page, 'It was the other one', 'Rebuild');
    await tabTo(page, page.getByRole('button', { name: 'Cancel the rebuild' }));
    await page.keyboard.press('Enter');
    await expectShown(dialogOf(page).getByText(/^What was built so far is deleted/));
    await expectAccessibleInThemes(page);
    await tabTo(page, dialogOf(page).getByRole('button', { name: 'Cancel the rebuild' }));
    await page.keyboard.press('Enter');
    await expectHidden(dialogOf(page));
    await expectShown(
      page.getByText(/^Rebuild cancelled, .*“It was the other one”, cancelled by admin@tapedeck.example$/),
    );
    await reader.end();
    await expectShown(page.getByText('A build that did not end. It is dropped after some days.'));
  }, 120_000);

  it('is for admins', async () => {
    const page = await openAs('support', '/admin/projections');
    await expectShown(page.getByRole('heading', { name: 'This page is for admins' }));
    expect((await page.request.get(operationsRoutes.projections)).status()).toBe(403);
  });
});

describe('the board of parked events', () => {
  it('retries and ignores events by keys, and has an ignored one handled all the same', async () => {
    await park();
    const page = await openAs('support', '/admin/parked-events');
    await expectShown(page.getByRole('button', { name: /ROLE_REFUSED: no role for # after # ms$/ }));
    await expectShown(page.getByRole('button', { name: 'Retry all 2' }));
    expect(await waiting(page).count()).toBe(2);
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('j');
    await page.waitForURL(/event=/);
    const first = chosen(page);
    await page.keyboard.press('j');
    await page.waitForURL((url) => url.searchParams.get('event') !== first);
    await page.keyboard.press('k');
    await page.waitForURL((url) => url.searchParams.get('event') === first);
    await page.keyboard.press('i');
    await giveReason(page, 'The role was given by hand', 'Ignore it');
    await expectShown(page.getByRole('button', { name: 'Retry it' }));
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('j');
    await page.waitForURL((url) => url.searchParams.get('event') !== first);
    await page.keyboard.press('r');
    await expectShown(page.getByText('No event is waiting.'));

    await page.getByRole('button', { name: 'Ignored', exact: true }).click();
    await expectShown(page.getByText(/^“The role was given by hand”, .* by support@tapedeck.example$/));
    await page.getByRole('button', { name: 'Restore', exact: true }).click();
    await giveReason(page, 'It was not', 'Restore it');
    await expectShown(page.getByText('No event is ignored.'));
  }, 120_000);

  it('leads from an event of Stripe to its replay', async () => {
    await change(`
      insert into reaction_pending_events (reaction, position, key, stream, stream_version, type, attempts, error, parked, pending_since)
      select 'stripe-events', position, 'cus_1', 'stripeEvent-evt_stuck', 1, 'StripeEventReceived', 30, 'No answer', true, now()
      from tape_events order by position limit 1`);
    const page = await openAs('support', '/admin/parked-events');
    await page.getByRole('link', { name: 'Replay it' }).click();
    await expectShown(page.getByRole('heading', { name: 'New replay' }));
    expect(await page.getByLabel('Event of Stripe').last().inputValue()).toBe('evt_stuck');
    expect(await page.getByRole('radio', { name: /^Handle events again/ }).isChecked()).toBe(true);
  });

  it.each(sizes)(
    'and the page of projections are accessible at $width, in both themes',
    async (size) => {
      await change('delete from reaction_pending_events');
      await park();
      const page = await openAs('admin', '/admin/projections?open=favourites+2');
      await setSize(page, size);
      await expectShown(page.getByText(/“It was the other one”/));
      await expectShown(page.getByRole('img', { name: /^Events of strategies by day/ }));
      await expectAccessibleInThemes(page);
      await page.goto('/admin/parked-events');
      await expectShown(page.getByRole('button', { name: 'Retry all 2' }));
      await page.keyboard.press('j');
      await page.waitForURL(/event=/);
      await expectAccessibleInThemes(page);
      await page.keyboard.press('i');
      await expectShown(dialogOf(page));
      await expectAccessibleInThemes(page);
    },
    120_000,
  );
});
