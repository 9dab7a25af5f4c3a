import { describe, expect, it } from '@jest/globals';
import { identityRoutes } from '@tapedeck/identity/contract';
import { paymentRoutes } from '@tapedeck/payments/contract';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { expectHidden, expectShown } from './explorer-screen.ts';
import { openServedPage } from './failing-server.ts';
import { newAddress } from './favourites-screen.ts';
import { completeProfile, dialogOf, openMember, signInAs } from './membership-screen.ts';
import { stopClock } from './specification/stopped-clock.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment({ product: 'shared', expectedErrors: /status of (?:401|409)/ });
const account = '/?section=my-account';

/** Another tab of the same browser. */
const openTab = async (context: BrowserContext): Promise<Page> => {
  const tab = await context.newPage();
  tab.setDefaultTimeout(30_000);
  return tab;
};

const signedIn = (email: string): string =>
  `You are now signed in as ${email} in this browser. This page will reload.`;
const signedOut = 'You are now signed out in this browser. This page will reload.';

const mark = (page: Page): Promise<void> =>
  page.evaluate(() => {
    document.documentElement.dataset['marked'] = 'yes';
  });
const isMarked = (page: Page): Promise<boolean> =>
  page.evaluate(() => 'marked' in document.documentElement.dataset);
const reloaded = (page: Page): Promise<unknown> => page.locator('html:not([data-marked])').waitFor();

const notice = (page: Page): Locator => page.getByRole('alertdialog');

/** As if its messages were lost, such as those of a page that the browser has frozen. */
const loseMessages = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    BroadcastChannel.prototype.postMessage = () => undefined;
  });

const profileOf = async (page: Page): Promise<string | null> => {
  const answer = await page.request.get(identityRoutes.user);
  return ((await answer.json()) as Readonly<{ tradingViewUsername: string | null }>).tradingViewUsername;
};

type TwoPeople = Readonly<{ old: Page; tab: Page; first: string; second: string }>;

/** The first person has typed a new profile; in the other tab the second one has not signed in yet. */
const openBeside = async (
  beforeTyping: (context: BrowserContext) => Promise<unknown> = () => Promise.resolve(),
): Promise<TwoPeople> => {
  const [first, second] = [newAddress(), newAddress()];
  const old = await openMember(environment, first);
  await beforeTyping(old.context());
  await old.goto(account);
  await old.getByRole('button', { name: 'Update Profile' }).click();
  await dialogOf(old).getByLabel('TradingView Username').fill('typed_by_first');
  await mark(old);
  return { old, tab: await openTab(old.context()), first, second };
};

/** The notice is shown for three seconds, and perhaps before what leads to it has ended. */
const expectNotice = (page: Page, text: string, act: () => Promise<unknown>): Promise<unknown> =>
  Promise.all([expectShown(notice(page).getByText(text)), act()]);

describe('a page of an account', () => {
  it('says so and is loaded again when another person signs in beside it', async () => {
    const { old, tab, second } = await openBeside();
    await expectNotice(old, signedIn(second), () => signInAs(tab, second));
    await reloaded(old);
    await expectShown(old.getByRole('button', { name: /account menu$/ }));
    expect(await old.getByText('typed_by_first').count()).toBe(0);
    expect(await profileOf(tab)).toBeNull();
  }, 120_000);

  it('writes nothing for the other person when it has not noticed, and notices by the refusal', async () => {
    const { old, tab, first, second } = await openBeside(loseMessages);
    await signInAs(tab, second);
    await completeProfile(tab);
    expect(await notice(old).count()).toBe(0);
    const save = dialogOf(old).getByRole('button', { name: 'Save' });
    await expectNotice(old, signedIn(second), () => save.click());
    await reloaded(old);
    expect(await profileOf(tab)).toBe('member');
    const elsewhere = await environment.openPage('visitor');
    await signInAs(elsewhere, first);
    expect(await profileOf(elsewhere)).toBe('member');
  }, 120_000);

  it('says so and leads to sign-in when the person signs out beside it', async () => {
    const old = await openMember(environment, newAddress());
    await old.clock.install();
    await old.goto('/favorites');
    await expectShown(old.getByRole('heading', { level: 1 }));
    await mark(old);
    const tab = await openTab(old.context());
    await tab.goto(account);
    await tab.getByRole('button', { name: /account menu$/ }).press('Enter');
    const logout = tab.getByRole('menuitem', { name: 'Logout' });
    await expectShown(logout);
    // The page would be loaded again by itself before a slow press.
    await stopClock(old);
    await logout.press('Enter');
    await expectShown(notice(old).getByText(signedOut));
    await notice(old).getByRole('button', { name: 'Reload now' }).click();
    await reloaded(old);
    await old.clock.resume();
    await old.waitForURL(({ pathname }) => pathname !== '/favorites');
  }, 120_000);

  it('goes on when the same person signs in again beside it', async () => {
    const email = newAddress();
    const old = await openMember(environment, email);
    await old.goto(account);
    await old.getByRole('button', { name: 'Update Profile' }).click();
    await mark(old);
    const tab = await openTab(old.context());
    await signInAs(tab, email);
    await expectShown(tab.getByRole('button', { name: 'Update Profile' }));
    await dialogOf(old).getByLabel('TradingView Username').fill('same_person');
    await dialogOf(old).getByRole('button', { name: 'Save' }).click();
    await expectShown(old.getByText('Profile updated'));
    expect([await isMarked(old), await notice(old).count()]).toEqual([true, 0]);
    expect(await profileOf(tab)).toBe('same_person');
  }, 120_000);

  it('is not loaded again before the person has seen why', async () => {
    const member = await openMember(environment, newAddress());
    const { page, show, pass } = await openServedPage(member, account, () => Promise.resolve());
    // The check of accessibility needs time, too.
    await page.clock.resume();
    await expectShown(page.getByRole('button', { name: 'Update Profile' }));
    await mark(page);
    await show(false);
    const second = newAddress();
    await signInAs(await openTab(member.context()), second);
    await expectShown(notice(page).getByText(signedIn(second)));
    await pass(30);
    await expectAccessibleEverywhere(page);
    expect(await isMarked(page)).toBe(true);
    await stopClock(page);
    await show(true);
    await expectShown(notice(page).getByText(signedIn(second)));
    await page.clock.runFor(3_000);
    await reloaded(page);
    await expectHidden(notice(page));
  }, 120_000);
});

describe('the landing page of a member', () => {
  it('opens no payment page for another person', async () => {
    const [first, second] = [newAddress(), newAddress()];
    const old = await openMember(environment, first);
    await loseMessages(old.context());
    // The dashboard asks for the member's prices, too.
    await old.goto('about:blank');
    // The page knows whose session it is when it asks for them.
    const asked = old.waitForRequest(`**${paymentRoutes.billing}`);
    await old.goto('/landing#pricing');
    await asked;
    await mark(old);
    await signInAs(await openTab(old.context()), second);
    const answer = old.waitForResponse(/create-pro-subscription/);
    const pay = old.getByRole('button', { name: /^Pro: Pay / });
    await expectNotice(old, signedIn(second), () => pay.click());
    expect((await answer).status()).toBe(409);
    await reloaded(old);
  }, 120_000);
});
