import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { expectShown } from './explorer-screen.ts';
import { cards, openMember, payWith, signInAs, tabTo, tierOf } from './membership-screen.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment({ strategies: 50, expectedErrors: /ERR_FAILED|Failed to load/ });
const buyer = 'unpaid.buyer@buyers.example';
const reason = 'The webhooks of the payment never arrived.';

type Outside = Readonly<{ mails: number; changes: number }>;

/** What was sent to anybody, and what was written at Stripe. */
const outside = async (): Promise<Outside> => {
  const { sandbox } = environment;
  const mails = (await (await fetch(`${sandbox}/mailbox/mails.json`)).json()) as readonly unknown[];
  const requests = (await (await fetch(`${sandbox}/_control/stripe/requests`)).json()) as readonly Readonly<{
    method: string;
  }>[];
  return { mails: mails.length, changes: requests.filter(({ method }) => method !== 'GET').length };
};

const loseWebhooks = async (): Promise<void> => {
  await fetch(`${environment.sandbox}/_control/stripe/deliveries/rules`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ action: 'drop' }),
  });
};

const openAs = async (email: string): Promise<Page> => {
  const page = await environment.openPage('visitor');
  await signInAs(page, email);
  return page;
};

const press = async (page: Page, control: Locator, key = 'Enter'): Promise<void> => {
  await tabTo(page, control);
  await page.keyboard.press(key);
};

/** By the keyboard alone, as everything that support does here. */
const type = async (page: Page, control: Locator, text: string): Promise<void> => {
  await tabTo(page, control);
  await page.keyboard.type(text);
};

const why = (page: Page): Locator => page.getByRole('region', { name: 'Why' }).locator('.because');

describe('the replay of payments', () => {
  let member: Page;
  let before: Outside;
  beforeAll(async () => {
    await loseWebhooks();
    member = await openMember(environment, buyer);
    // The buyer closes the page before it has asked whether the payment has arrived.
    await member.route('**/api/verify-payment/**', (route) => route.abort());
    await member.getByRole('button', { name: 'Upgrade to Pro' }).click();
    await payWith(member, cards.works);
    await member.waitForURL(({ pathname }) => pathname === '/payment-success');
    await tierOf(member, 'Free none');
    before = await outside();
  }, 120_000);

  it('gives a member what was paid for, by the keyboard alone, and is then empty', async () => {
    const page = await openAs('support@tapedeck.example');
    await page.goto('/');
    await press(page, page.getByRole('link', { name: 'Admin' }));
    await type(page, page.getByLabel('E-mail, name or id'), 'unpaid.buyer');
    await page.keyboard.press('Enter');
    await press(page, page.getByRole('link', { name: buyer }));
    await expectShown(why(page).getByText(/No access|nothing|Free/i));

    await press(page, page.getByRole('link', { name: 'Replay payments' }));
    await expectShown(page.getByRole('heading', { name: 'New replay' }));
    await expectShown(page.getByText(buyer));
    await expectAccessibleEverywhere(page);
    await press(page, page.getByRole('button', { name: 'Show the difference' }));
    const changes = page.getByRole('region', { name: 'What it would change' });
    await expectShown(changes.getByRole('row', { name: 'Tier — Pro MembershipActivated' }));
    await expectShown(page.getByText('No mail is sent, and nothing is changed at Stripe.'));
    await expectAccessibleEverywhere(page);
    expect(await outside()).toEqual(before);
    await tierOf(member, 'Free none');

    await type(page, page.getByLabel('Reason'), reason);
    await press(page, page.getByRole('button', { name: /^Apply \d+ events/ }));
    await expectShown(page.getByRole('region', { name: 'What it has changed' }));
    await tierOf(member, 'Pro active');
    await expectAccessibleEverywhere(page);

    await press(page, page.getByRole('button', { name: 'Run it again' }));
    await expectShown(page.getByText('Nothing would change.'));
    expect(await outside()).toEqual(before);
  }, 180_000);

  it('shows in the audit why there is access now, and what was known before', async () => {
    const page = await openAs('support@tapedeck.example');
    await page.goto('/admin/members?q=unpaid.buyer');
    await press(page, page.getByRole('link', { name: buyer }));
    await expectShown(why(page).getByText(/^Pro until .*, because the invoice of .* was paid on/));
    await press(page, page.getByLabel('As of', { exact: true }), 'Home');
    await expectShown(
      page.getByRole('region', { name: /^Membership on/ }).getByRole('row', { name: /^Tier Free Pro/ }),
    );
    await page.keyboard.press('n');
    await expectShown(why(page).getByText(/^Pro until/));
  }, 120_000);

  it('is audited by an admin: who has replayed what, and why', async () => {
    const page = await openAs('admin@tapedeck.example');
    await page.goto('/admin/replays');
    const applied = page.getByRole('listitem').filter({ hasText: reason });
    await expectShown(applied.getByText('support@tapedeck.example'));
    await expectAccessibleEverywhere(page);
    await applied.getByRole('link', { name: 'Fetch missing events' }).click();
    await page.getByRole('link', { name: 'See the member' }).click();
    await page.getByRole('button', { name: 'ReplayApplied' }).click();
    const drawer = page.getByRole('complementary');
    await expectShown(drawer.getByText(reason));
    await expectShown(drawer.getByText('support@tapedeck.example'));
  }, 120_000);

  it('says what was wrong with a target, and keeps what was typed', async () => {
    const page = await openAs('support@tapedeck.example');
    await page.goto('/admin/replays');
    await page.getByText('Event', { exact: true }).click();
    await page.getByLabel('Event of Stripe').fill('evt_unknown');
    await page.getByRole('button', { name: 'Show the difference' }).click();
    await expectShown(page.getByText('Stripe has no event evt_unknown'));
    expect(await page.getByLabel('Event of Stripe').inputValue()).toBe('evt_unknown');
  });
});
