import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { identityRoutes, type SentMailsPage } from '@tapedeck/identity/contract';
import type { Locator, Page } from 'playwright-core';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { failWith, hasFocus } from './error-screen.ts';
import { expectHidden, expectShown } from './explorer-screen.ts';
import {
  answerOf,
  buyByEmail,
  cards,
  chooseCard,
  claimCodeOf,
  daysAfter,
  enterAt,
  membershipOf,
  moveClock,
  openAccount,
  openMember,
  openProMember,
  signInAs,
  tabTo,
  tierOf,
} from './membership-screen.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment({ strategies: 50, expectedErrors: /50[03]|404|409/ });
const newAddress = (): string => `${randomUUID().slice(0, 8)}@mails.example`;

const paymentsOf = (page: Page): Locator => page.getByRole('region', { name: 'Payments' });
const mailsOf = (page: Page): Locator => page.getByRole('region', { name: 'E-mails to you' });
const receipt = 'Your receipt for Tapedeck Pro (monthly)';

/** Opens My Account once a mail was recorded: that is a moment after what it is about. */
const openMails = async (page: Page, subject: string): Promise<void> => {
  await answerOf(async () => {
    const sent = (await (await page.request.get(identityRoutes.sentMails)).json()) as SentMailsPage;
    return sent.mails.find((mail) => mail.subject === subject);
  }, `The mail "${subject}"`);
  await page.goto('/?section=my-account');
  await expectShown(mailsOf(page).getByText(subject));
};

describe('the payments of a member', () => {
  it('have a state and their invoices, which are looked up by keyboard alone', async () => {
    const page = await openProMember(environment, newAddress());
    await openAccount(page, 'Pro active');
    await expectShown(paymentsOf(page).getByText('Paid', { exact: true }));
    const button = paymentsOf(page).getByRole('button', { name: /^Invoice: Pro monthly, first payment, / });
    await enterAt(page, button);
    const links = paymentsOf(page).getByRole('link');
    await expectShown(links.filter({ hasText: 'Invoice PDF' }));
    expect(await button.getAttribute('aria-expanded')).toBe('true');
    await expectAccessibleEverywhere(page);
    const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    expect(hrefs.map((href) => new URL(href).origin)).toEqual([environment.sandbox, environment.sandbox]);
    const opened = page.waitForEvent('popup');
    await enterAt(page, links.filter({ hasText: 'Invoice page' }));
    await expectShown((await opened).getByText('This invoice is paid.'));
    await enterAt(page, button);
    await expectHidden(links);
  }, 120_000);

  it('say when an invoice cannot be looked up, and that there is none', async () => {
    const page = await openProMember(environment, newAddress());
    await openAccount(page, 'Pro active');
    const route = '**/api/membership/invoices/*';
    await page.route(route, failWith(503, 'The payment provider does not answer at the moment.'));
    await enterAt(page, paymentsOf(page).getByRole('button', { name: /^Invoice: / }));
    await expectShown(paymentsOf(page).getByRole('alert').getByText('The payment provider does not answer'));
    await expectAccessibleEverywhere(page);
    await page.unroute(route);
    await page.route(route, (found) => found.fulfill({ json: { page: null, pdf: null } }));
    await enterAt(page, paymentsOf(page).getByRole('button', { name: 'Try again' }));
    await expectShown(paymentsOf(page).getByText('The payment provider has no invoice of this payment.'));
  }, 120_000);
});

const mail = (number: number) => ({
  id: `mail-${number}`,
  kind: 'receipt',
  sentAt: '2026-01-01T00:00:00.000Z',
  sentTo: `${'a-long-address'.repeat(8)}@example.com`,
  subject: `Mail ${number}`,
  hasText: true,
});

describe('the list of mails', () => {
  it('shows the text of a mail by keyboard alone, and says when it cannot be loaded', async () => {
    const page = await openProMember(environment, newAddress());
    await openMails(page, receipt);
    const subject = mailsOf(page).getByRole('button', { name: receipt });
    const text = '**/api/account/mails/*';
    await page.route(text, failWith(500));
    await enterAt(page, subject);
    await expectShown(mailsOf(page).getByRole('alert').getByText('The e-mail could not be loaded.'));
    await page.unroute(text);
    await enterAt(page, mailsOf(page).getByRole('button', { name: 'Try again' }));
    await expectShown(mailsOf(page).getByText('Amount: $4.99'));
    await expectAccessibleEverywhere(page);
    await enterAt(page, subject);
    await expectHidden(mailsOf(page).getByText('Amount: $4.99'));
    expect(await subject.getAttribute('aria-expanded')).toBe('false');
  }, 120_000);

  it('is empty at first, shows at once what is sent, has no code, and recovers from an error', async () => {
    const page = await openMember(environment, newAddress());
    await openAccount(page, 'Free none');
    await expectShown(mailsOf(page).getByText('Nothing has been sent to you yet.'));
    const buyer = newAddress();
    await buyByEmail(await environment.openPage('visitor'), buyer);
    await page.getByLabel('E-mail address of the purchase').fill(buyer);
    await page.keyboard.press('Enter');
    const code = await claimCodeOf(environment, buyer);
    await expectShown(mailsOf(page).getByText('Your code to claim a purchase'));
    expect(await mailsOf(page).innerText()).not.toContain(code);
    expect(await mailsOf(page).getByRole('button').count()).toBe(0);
    // Without the stream of changes only the button asks again.
    await page.route('**/api/changes', () => undefined);
    const list = '**/api/account/mails';
    await page.route(list, failWith(500));
    await page.goto('/?section=my-account');
    await expectShown(mailsOf(page).getByRole('alert').getByText('Your e-mails could not be loaded.'));
    await page.unroute(list);
    await enterAt(page, mailsOf(page).getByRole('button', { name: 'Try again' }));
    await expectShown(mailsOf(page).getByText('Your code to claim a purchase'));
  }, 120_000);

  it('reads on by keyboard where there are many', async () => {
    const page = await openMember(environment, newAddress());
    const isSecond = (url: URL): boolean => url.searchParams.get('before') === '7';
    await page.route('**/api/account/mails*', (route) =>
      route.fulfill({
        json: isSecond(new URL(route.request().url()))
          ? { mails: [mail(2)], next: null }
          : { mails: [mail(1)], next: '7' },
      }),
    );
    await page.route(isSecond, failWith(503));
    // Without the stream of changes the list is not asked for again, which would take the error away.
    await page.route('**/api/changes', () => undefined);
    await openAccount(page, 'Free none');
    await expectShown(mailsOf(page).getByText('Mail 1', { exact: true }));
    await expectAccessibleEverywhere(page);
    const older = mailsOf(page).getByRole('button', { name: 'Show older e-mails' });
    await enterAt(page, older);
    await expectShown(mailsOf(page).getByText('Older e-mails could not be loaded: try again.'));
    await expectAccessibleEverywhere(page);
    expect(await hasFocus(older)).toBe(true);
    await page.unroute(isSecond);
    await page.keyboard.press('Enter');
    await expectShown(mailsOf(page).getByText('Mail 2', { exact: true }));
    await expectShown(mailsOf(page).locator('p:focus').getByText('There are no older e-mails.'));
  }, 120_000);

  it('reads on after the list was asked for again, where that is pressed meanwhile', async () => {
    const page = await openMember(environment, newAddress());
    const asked: (string | null)[] = [];
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    let isHeld = false;
    await page.route('**/api/account/mails*', async (route) => {
      const before = new URL(route.request().url()).searchParams.get('before');
      asked.push(before);
      if (isHeld) await released;
      const [number, next] = before === null ? [1, '7'] : [2, null];
      await route.fulfill({ json: { mails: [mail(number)], next } });
    });
    await openAccount(page, 'Free none');
    await expectShown(mailsOf(page).getByText('Mail 1', { exact: true }));
    isHeld = true;
    const again = page.waitForRequest('**/api/account/mails*');
    // As when the page is shown once more: changes are reported from then on, and earlier ones are asked for.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await again;
    await mailsOf(page).getByRole('button', { name: 'Show older e-mails' }).click();
    release();
    await expectShown(mailsOf(page).getByText('Mail 2', { exact: true }));
    expect(asked.at(-1)).toBe('7');
  }, 120_000);
});

describe('the page to which reminders lead', () => {
  it('opens the page of the payment provider, where any card pays', async () => {
    const email = newAddress();
    const member = await openProMember(environment, email, cards.failsAtRenewal);
    const { renewalDate: renewal } = await tierOf(member, 'Pro active');
    await moveClock(environment, daysAfter(renewal, 1.5));
    await signInAs(member, email);
    await openAccount(member, 'Pro grace');
    await member.goto('/pay');
    await member.waitForURL((url) => url.origin === environment.sandbox && url.pathname.startsWith('/i/'));
    await chooseCard(member, cards.works);
    await member.getByRole('button', { name: /^Pay / }).click();
    await expectShown(member.getByText('This invoice is paid.'));
    await openAccount(member, 'Pro active');
    await expectShown(membershipOf(member).getByText('Next Renewal'));
  }, 180_000);

  it('says that nothing is to be paid, and why it did not open', async () => {
    const email = newAddress();
    const page = await openMember(environment, email);
    await page.route(
      '**/api/membership/payment-page',
      failWith(503, 'The payment provider does not answer.'),
    );
    await page.goto('/pay');
    await expectShown(page.getByRole('heading', { name: 'The payment page did not open' }));
    await expectShown(page.getByRole('alert').getByText('The payment provider does not answer.'));
    await expectAccessibleEverywhere(page);
    await page.unroute('**/api/membership/payment-page');
    await tabTo(page, page.getByRole('button', { name: 'Try again' }));
    await page.keyboard.press('Enter');
    await expectShown(page.getByRole('heading', { name: 'Nothing to pay' }));
    await expectShown(page.getByRole('main').getByText(`You are signed in as ${email}`));
    await expectAccessibleEverywhere(page);
    await enterAt(page, page.getByRole('main').getByRole('link', { name: 'Open My Account' }));
    await expectShown(membershipOf(page));
  }, 120_000);

  it('says when a payment would change the plan, and opens its page only when the member wants that', async () => {
    const page = await openMember(environment, newAddress());
    const change = { tier: 'Elite', period: 'annual', amount: 17_500, currency: 'usd' };
    const url = `${environment.sandbox}/i/1`;
    await page.route('**/api/membership/payment-page', (route) =>
      route.fulfill({ status: 201, json: { url, change } }),
    );
    await page.goto('/pay');
    await expectShown(page.getByRole('heading', { name: 'This payment changes your plan' }));
    await expectShown(page.getByText('The unpaid invoice of $175.00 is for your change to Elite, annual.'));
    await expectAccessibleEverywhere(page);
    const pay = page.getByRole('link', { name: 'Pay $175.00 and change' });
    expect(await pay.getAttribute('href')).toBe(url);
    await enterAt(page, page.getByRole('main').getByRole('link', { name: 'Open My Account' }));
    await expectShown(membershipOf(page));
  }, 120_000);

  it('asks a visitor to sign in, and goes on', async () => {
    const page = await environment.openPage('visitor');
    await page.goto('/pay');
    await page.waitForURL(({ pathname }) => pathname !== '/pay');
    await page.getByLabel('Or enter any e-mail address').fill(newAddress());
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expectShown(page.getByRole('heading', { name: 'Nothing to pay' }));
  }, 120_000);
});
