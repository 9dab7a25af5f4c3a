import { setTimeout } from 'node:timers/promises';
import { identityRoutes } from '@tapedeck/identity/contract';
import { membershipRoutes } from '@tapedeck/membership/contract';
import type { Locator, Page } from 'playwright-core';
import { expectShown } from './explorer-screen.ts';
import type { TestEnvironment } from './test-environment.ts';

const account = '/?section=my-account';

export const membershipOf = (page: Page): Locator => page.getByRole('region', { name: 'Membership' });

export const dialogOf = (page: Page): Locator => page.getByRole('dialog');

/** With an account of its own, by redirects only; ends on My Account. */
export const signInAs = async (page: Page, email: string): Promise<void> => {
  const query = new URLSearchParams({ login_hint: email, returnTo: account });
  await page.goto(`${identityRoutes.login}?${query}`);
  await page.waitForURL(({ pathname }) => !pathname.startsWith('/api/'));
};

export const completeProfile = async (page: Page): Promise<void> => {
  await page.goto('/complete-profile');
  await page.getByLabel('Discord Email').fill('member@discord.example');
  await page.getByLabel('TradingView Username').fill('member');
  await page.getByRole('button', { name: 'Complete Profile' }).click();
  await page.waitForURL((url) => url.pathname === '/');
};

/** A page of a new account with a complete profile. */
export const openMember = async (environment: TestEnvironment, email: string): Promise<Page> => {
  const page = await environment.openPage('visitor');
  await signInAs(page, email);
  await completeProfile(page);
  return page;
};

/** The last four digits of cards of the sandbox. */
export const cards = { works: '4242', failsAtRenewal: '0341' } as const;

type CardDigits = (typeof cards)[keyof typeof cards];

export const chooseCard = (page: Page, digits: CardDigits): Promise<void> =>
  page.getByLabel(`Visa •••• ${digits}`).check();

/** On the sandbox's checkout page. */
export const payWith = async (page: Page, card: CardDigits): Promise<void> => {
  await chooseCard(page, card);
  await page.getByRole('button', { name: /^Pay / }).click();
};

/** A new account that has bought Pro by the month. */
export const openProMember = async (
  environment: TestEnvironment,
  email: string,
  card: CardDigits = cards.works,
): Promise<Page> => {
  const page = await openMember(environment, email);
  await page.getByRole('button', { name: 'Upgrade to Pro' }).click();
  await payWith(page, card);
  await expectShown(page.getByRole('heading', { name: 'Upgrade Complete!' }));
  return page;
};

/** Buys Pro as a visitor; ends on the page after the payment. */
export const buyByEmail = async (
  page: Page,
  email: string,
  card: CardDigits = cards.works,
): Promise<void> => {
  const price = 'Pay $4.99, then $9.99/month';
  await page.goto('/#pricing');
  await page.getByRole('button', { name: `Pro: ${price}` }).click();
  await page.getByLabel('E-mail address').fill(email);
  await dialogOf(page).getByRole('button', { name: price }).click();
  await payWith(page, card);
  await expectShown(page.getByRole('heading', { name: 'Payment Successful!' }));
};

/** From the page after the payment; ends on the profile form, which has found the purchase. */
export const register = async (page: Page, email: string): Promise<void> => {
  await page.getByRole('link', { name: 'Complete Registration' }).click();
  await page.getByLabel('Or enter any e-mail address').fill(email);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expectShown(page.getByText('Pro subscription found'));
};

export const cancelSubscription = async (page: Page): Promise<void> => {
  await membershipOf(page).getByRole('button', { name: 'Cancel subscription' }).click();
  await dialogOf(page).getByRole('button', { name: 'Cancel subscription' }).click();
  await expectShown(membershipOf(page).getByText('Your subscription is cancelled.'));
};

export const undoCancellation = async (page: Page): Promise<void> => {
  await membershipOf(page).getByRole('button', { name: 'Undo the cancellation' }).click();
  await expectShown(membershipOf(page).getByText('Next Renewal'));
};

/** Repeats a request until its answer is there. */
export const answerOf = async <T>(request: () => Promise<T | undefined>, what: string): Promise<T> => {
  for (let tries = 0; tries < 300; tries++) {
    const answer = await request();
    if (answer !== undefined) return answer;
    await setTimeout(100);
  }
  throw new Error(`${what} did not come.`);
};

type ServedTier = Readonly<{ tier: string; status: string; renewalDate: string | null }>;

/** What the server says of the member, from the moment on that it is `expected`, such as `Pro grace`. */
export const tierOf = (page: Page, expected: string): Promise<ServedTier> =>
  answerOf(async () => {
    const served = (await (await page.request.get(membershipRoutes.tier)).json()) as ServedTier;
    return `${served.tier} ${served.status}` === expected ? served : undefined;
  }, `The membership ${expected}`);

/** Opens My Account once the server says that the membership is `expected`. */
export const openAccount = async (page: Page, expected: string): Promise<void> => {
  await tierOf(page, expected);
  await page.goto(account);
  await expectShown(membershipOf(page).locator('.facts, .notice'));
};

/** Days after `time`, as the sandbox's clock takes it. */
export const daysAfter = (time: string | null, days: number): string =>
  new Date(Date.parse(String(time)) + days * 86_400_000).toISOString();

/** Moves the sandbox's clock, which only goes forward, with no page open: days later members have to sign in again. */
export const moveClock = async (environment: TestEnvironment, to: string): Promise<void> => {
  const { sandbox, leaveProduct } = environment;
  await leaveProduct();
  const answer = await fetch(`${sandbox}/_control/stripe/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ to }),
  });
  if (!answer.ok) throw new Error(`The clock was not moved: ${answer.status} ${await answer.text()}`);
};

/** The six digits in a mail to an address. */
export const claimCodeOf = ({ sandbox }: TestEnvironment, email: string): Promise<string> =>
  answerOf(async () => {
    const answer = await fetch(`${sandbox}/mailbox/mails.json?to=${encodeURIComponent(email)}`);
    const mails = (await answer.json()) as readonly Readonly<{ subject: string }>[];
    return mails.map(({ subject }) => /^\d{6} is your code/.exec(subject)?.[0].slice(0, 6)).find(Boolean);
  }, `The code for ${email}`);

/** On My Account: claims a purchase by the code that was sent to its address. */
export const claimByCode = async (environment: TestEnvironment, page: Page, email: string): Promise<void> => {
  await openAccount(page, 'Free none');
  await page.getByLabel('E-mail address of the purchase').fill(email);
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await page.getByLabel('Six-digit code from the e-mail').fill(await claimCodeOf(environment, email));
  await page.getByRole('button', { name: 'Claim the purchase' }).click();
  await expectShown(page.getByText('Pro is now part of this account.'));
};

/** Goes to a control and presses Enter, by the keyboard. */
export const enterAt = async (page: Page, control: Locator): Promise<void> => {
  await tabTo(page, control);
  await page.keyboard.press('Enter');
};

/** Also in a shadow tree, such as that of the SQL editor. */
const isFocused = (element: Element): boolean => {
  const root = element.getRootNode();
  return 'activeElement' in root && root.activeElement === element;
};

/** Presses Tab until a control has the focus. */
export const tabTo = async (page: Page, control: Locator): Promise<void> => {
  await control.waitFor();
  for (let presses = 0; presses < 60; presses++) {
    if (await control.evaluate(isFocused)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`60 presses of Tab do not lead to ${String(control)}.`);
};
