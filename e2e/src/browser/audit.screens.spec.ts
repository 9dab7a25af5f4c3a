import { beforeAll, describe, expect, it } from '@jest/globals';
import { auditRoutes, FoundMembers } from '@tapedeck/audit/contract';
import { CurrentUser, identityRoutes } from '@tapedeck/identity/contract';
import type { Page } from 'playwright-core';
import { failWith } from './error-screen.ts';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { expectHidden, expectShown } from './explorer-screen.ts';
import {
  answerOf,
  cards,
  completeProfile,
  daysAfter,
  moveClock,
  openProMember,
  signInAs,
  tierOf,
} from './membership-screen.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment({ strategies: 50, expectedErrors: /status of 500/ });
const buyer = 'audited.buyer@buyers.example';
let bought: string;
let accountId: string;

const openSupport = async (): Promise<Page> => {
  const page = await environment.openPage('visitor');
  await signInAs(page, 'support@tapedeck.example');
  return page;
};
const openMember = async (address = ''): Promise<Page> => {
  const page = await openSupport();
  await page.goto(`/admin/members/${accountId}${address}`);
  await expectShown(page.getByRole('heading', { level: 1, name: buyer }));
  await expectShown(page.getByText(/event/).first());
  return page;
};
const why = (page: Page) => page.getByRole('region', { name: 'Why' }).locator('.because');

describe('the audit of a membership', () => {
  beforeAll(async () => {
    const member = await openProMember(environment, buyer, cards.failsAtRenewal);
    const { renewalDate } = await tierOf(member, 'Pro active');
    bought = daysAfter(renewalDate, -20);
    await moveClock(environment, daysAfter(renewalDate, 2));
    await signInAs(member, buyer);
    await tierOf(member, 'Pro grace');
    accountId = CurrentUser.parse(await (await member.request.get(identityRoutes.user)).json()).id;
  }, 180_000);

  it('is found by e-mail, and says why the member has access now and had it on another day', async () => {
    const page = await openSupport();
    await page.goto('/');
    await page.getByRole('link', { name: 'Admin' }).click();
    await page.getByLabel('E-mail, name or id').fill('audited.buyer');
    await page.keyboard.press('Enter');
    // Until the search is answered, the members who have changed last are listed in its place.
    const found = page.getByRole('region', { name: 'Members', exact: true });
    await found.getByRole('link', { name: buyer }).click();
    await expectShown(why(page).getByText(/the end of the grace.* the card failed on/));
    expect(new URL(page.url()).pathname).toBe(`/admin/members/${accountId}`);

    await page.getByLabel('As of (UTC)').fill(bought.slice(0, 16));
    await expectShown(why(page).getByText(/^Pro until .*, because the invoice of \$4\.99 was paid on/));
    const view = page.getByRole('region', { name: /^Membership on/ });
    await expectShown(view.getByRole('row', { name: /^Status active grace$/ }));
    await page.getByLabel('Compare with').fill(daysAfter(bought, 25).slice(0, 16));
    await expectShown(page.getByRole('region', { name: 'What changed in between' }).getByText('grace'));
    await page.reload();
    await expectShown(view.getByRole('row', { name: /^Status active grace$/ }));
    await page.getByRole('button', { name: 'Now', exact: true }).click();
    await expectShown(why(page).getByText(/the end of the grace/));
  }, 120_000);

  it('moves through time by the slider, and through events by j and k', async () => {
    const page = await openMember();
    await page.getByLabel('As of', { exact: true }).focus();
    await page.keyboard.press('Home');
    await expectShown(why(page).getByText('No access: nothing was bought, and nothing was granted.'));
    await page.keyboard.press('End');
    await expectShown(why(page).getByText(/the end of the grace/));

    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('j');
    const drawer = page.getByRole('complementary');
    await expectShown(drawer.getByText('Causes and effects'));
    const chosen = (): string | null => new URL(page.url()).searchParams.get('event');
    const first = chosen();
    await page.keyboard.press('j');
    await page.waitForURL((url) => url.searchParams.get('event') !== first);
    await page.keyboard.press('k');
    await page.waitForURL((url) => url.searchParams.get('event') === first);
    await page.keyboard.press('Escape');
    await expectHidden(drawer);
  }, 60_000);

  it('shows an event with its cause and its effects, and the membership as of it', async () => {
    const page = await openMember('?lanes=membership');
    const drawerOf = (name: string) => page.getByRole('complementary', { name });
    await page.getByRole('button', { name: 'GraceStarted' }).first().click();
    await expectShown(drawerOf('GraceStarted').getByText('"until"'));
    // The grace was started by what came first: the failed payment, or the subscription that is past due.
    await drawerOf('GraceStarted')
      .getByRole('button', { name: /EntitlementChanged/ })
      .click();
    const drawer = drawerOf('EntitlementChanged');
    await expectShown(drawer.getByRole('button', { name: /GraceStarted/ }));
    await drawer.getByRole('button', { name: 'As of this event' }).click();
    await page.waitForURL(/[?&]at=/);
    await page.getByRole('button', { name: 'Close the event' }).click();
    await expectHidden(drawer);
  }, 60_000);

  it('draws all events on the tape, with bands of the tier and crossed failures, and moves by a click', async () => {
    const page = await openMember();
    const tape = page.getByRole('region', { name: 'Tape of the member' });
    await expectShown(page.getByText(/^All \d+ events are drawn\./));
    await expectShown(page.getByText(/^\d+ failures$/));
    for (const lane of ['payment', 'membership'])
      await expectShown(tape.locator(`.ev--${lane}.is-failure`).first());
    expect(await tape.locator('.band').allTextContents()).toEqual(['Pro', 'Pro, grace']);
    await expectShown(page.getByRole('list', { name: 'Access over time' }).getByText(/^Pro: .* to /));
    expect(await tape.locator('.deck-times span').count()).toBeGreaterThan(2);
    const first = tape.locator('.ev--payment').first();
    const box = await tape.locator('.deck-lanes').boundingBox();
    const mark = await tape.locator('.lane-track .ev--account').last().boundingBox();
    if (!box || !mark) throw new Error('The tape is not drawn.');
    await expectShown(first);
    await page.mouse.click(mark.x + mark.width / 2, mark.y + mark.height / 2);
    await page.waitForURL(/[?&]at=/);
    await expectShown(page.getByRole('region', { name: /^Membership on/ }));
  }, 60_000);

  it('leads from the names in the sentence to events, and to objects at Stripe', async () => {
    const page = await openMember();
    const invoice = why(page).getByRole('link', { name: 'the invoice' });
    expect(await invoice.getAttribute('target')).toBe('_blank');
    await why(page).getByRole('link', { name: 'the card failed' }).press('Enter');
    await expectShown(page.getByRole('complementary', { name: 'PaymentFailed' }));
    await page.keyboard.press('Escape');
  }, 60_000);

  it('suggests members while somebody types, by the keyboard alone, and lists recent ones', async () => {
    const page = await openSupport();
    await page.goto('/admin/members');
    const recent = page.getByRole('region', { name: 'Recent members' });
    await expectShown(recent.getByRole('listitem').filter({ hasText: buyer }).getByText('grace'));
    await expectAccessibleEverywhere(page);
    const field = page.getByRole('combobox', { name: 'E-mail, name or id' });
    await field.fill('audited.bu');
    const option = page.getByRole('option', { name: buyer });
    await expectShown(option);
    expect(await option.getAttribute('aria-selected')).toBe('false');
    await page.keyboard.press('ArrowDown');
    expect(await field.getAttribute('aria-activedescendant')).toBe(await option.getAttribute('id'));
    await expectAccessibleEverywhere(page);
    await page.keyboard.press('Escape');
    await expectHidden(option);
    await field.press('s');
    await page.keyboard.press('Backspace');
    await expectShown(option);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expectShown(page.getByRole('heading', { level: 1, name: buyer }));
  }, 120_000);

  it('finds whom it did not find before, asks each time that a member is opened, and follows what happens then', async () => {
    const email = 'late.comer@buyers.example';
    const page = await openSupport();
    await page.goto(`/admin/members?q=${email}`);
    await expectShown(page.getByText(`Nothing was found for “${email}”.`));
    const member = await environment.openPage('visitor');
    await signInAs(member, email);
    const { accountId: late } = await answerOf(async () => {
      const answer = await page.request.get(`${auditRoutes.find}?q=${email}`);
      return FoundMembers.parse(await answer.json()).members[0];
    }, email);
    await page.getByLabel('E-mail, name or id').press('Enter');
    const isOpened = page.waitForResponse((response) => response.url().endsWith(auditRoutes.member(late)));
    await page.getByRole('link', { name: email }).click();
    expect((await isOpened).status()).toBe(200);
    await expectShown(page.getByRole('heading', { level: 1, name: email }));
    const events = page.getByRole('list', { name: 'Events, the newest first' });
    await expectShown(events.getByRole('button', { name: 'MemberRead' }));

    await completeProfile(member);
    await expectShown(events.getByRole('button', { name: 'ProfileCompleted' }));
    await page.getByRole('main').getByRole('link', { name: 'Members' }).click();
    const recent = page.getByRole('region', { name: 'Recent members' });
    const link = recent.getByRole('link', { name: email });
    await expectShown(link);
    const isOpenedAgain = page.waitForRequest((request) => request.url().endsWith(auditRoutes.member(late)));
    await link.click();
    await isOpenedAgain;
    await expectShown(page.getByRole('heading', { level: 1, name: email }));
  }, 120_000);

  it('says that it could not be brought up to date', async () => {
    const page = await openMember();
    await page.route(`**${auditRoutes.member(accountId)}`, failWith(500));
    const outdated = page.getByText('The member could not be loaded: this is what it was before.');
    await expectShown(outdated);
    await page.unroute(`**${auditRoutes.member(accountId)}`);
    await expectHidden(outdated);
  }, 60_000);

  it('keeps a note until it is removed, and exports what the filters show', async () => {
    const page = await openMember('?lanes=payment');
    const notes = page.getByRole('region', { name: 'Notes' });
    await notes.getByLabel('New note').fill('Wrote to us about the card.');
    await notes.getByRole('button', { name: 'Add note' }).click();
    await expectShown(notes.getByText('Wrote to us about the card.'));
    await notes.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('button', { name: 'Remove the note' }).click();
    await expectShown(notes.getByText(/^Removed by support@tapedeck\.example on /));
    expect(await notes.getByText('Wrote to us about the card.').count()).toBe(0);

    const link = page.getByRole('link', { name: 'CSV' });
    const file = await page.request.get(String(await link.getAttribute('href')));
    expect(file.headers()['content-disposition']).toMatch(/^attachment; filename="member-/);
    const lines = (await file.text()).trimEnd().split(/\r?\n/);
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.slice(1).every((line) => line.includes('payment'))).toBe(true);
  }, 60_000);

  it('is closed to members', async () => {
    const { page } = environment;
    await page.goto('/admin/members');
    await expectShown(page.getByRole('heading', { name: 'This page is for support' }));
    expect((await page.request.get(auditRoutes.member(accountId))).status()).toBe(403);
  });

  it('is accessible', async () => {
    const page = await openSupport();
    await page.goto('/admin/members?q=buyer');
    await expectShown(page.getByRole('link', { name: buyer }));
    await expectAccessibleEverywhere(page);
    await page.goto(`/admin/members/${accountId}?at=${bought}&since=${daysAfter(bought, 30)}`);
    await expectShown(page.getByText('What changed in between'));
    await expectShown(page.getByRole('list', { name: 'Events, the newest first' }));
    await expectAccessibleEverywhere(page);
    await page.keyboard.press('j');
    await expectShown(page.getByText('Causes and effects'));
    await expectAccessibleEverywhere(page);
  }, 120_000);
});
