import { describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { expectHidden, expectShown } from '../explorer-screen.ts';
import { newAddress } from '../favourites-screen.ts';
import { signInAs } from '../membership-screen.ts';
import { setUpTestEnvironment } from '../test-environment.ts';
import { checkRows } from './check-rows.ts';
import { answerWith } from './expectations.ts';
import { answerLater } from './held-answers.ts';
import { expectNewToast } from './shown-texts.ts';
import { recordDepartures, stopClock } from './stopped-clock.ts';

const environment = setUpTestEnvironment({ product: 'shared', expectedErrors: /status of 503/ });

const links = '**/api/link-payment';
const profiles = '**/api/complete-profile';
const typed = { discordEmail: 'nora@discord.example', tradingViewUsername: 'nora' };
const linkFailed = 'Failed to link your Pro subscription. Please contact support.';

const stored = (page: Page, key: string): Promise<string | null> =>
  page.evaluate((name) => localStorage.getItem(`tapedeck.${name}`), key);

/** Opens the form in a browser that has bought this. */
const openWithPurchase = async (page: Page, tier: string): Promise<void> => {
  const purchase = { paymentEmail: 'buyer@example.com', subscriptionId: 'sub_1', tier, sessionId: 'cs_1' };
  await page.evaluate(
    (text) => localStorage.setItem('tapedeck.pendingSubscription', text),
    JSON.stringify(purchase),
  );
  await page.goto('/complete-profile');
  await expectShown(page.getByText(`${tier} subscription found`));
};

describe('the profile form', () => {
  it('asks for what is missing, and adds a purchase of the browser', async () => {
    const page = await environment.openPage('visitor');
    await page.clock.install();
    await signInAs(page, newAddress());
    const discord = page.getByLabel('Discord Email');
    const tradingView = page.getByLabel('TradingView Username');
    const submit = page.getByRole('button', { name: 'Complete Profile' });
    const notice = page.locator('main .notice');
    const fillIn = async (discordEmail: string, tradingViewUsername: string): Promise<void> => {
      await discord.fill(discordEmail);
      await tradingView.fill(tradingViewUsername);
    };
    const send = async (): Promise<void> => {
      await fillIn(typed.discordEmail, typed.tradingViewUsername);
      await submit.click();
    };
    const expectMissing = async (discordEmail: string, username: string, field: Locator): Promise<void> => {
      await page.goto('/complete-profile');
      await fillIn(discordEmail, username);
      await submit.click();
      await expectNewToast(page, 'Missing information', 'Please fill in all required fields.');
      expect(await field.getAttribute('aria-invalid')).toBe('true');
    };
    /** What is said of the purchase before the answer to the profile, which then fails so that the form stays. */
    const expectLinked = async (
      status: number,
      answer: unknown,
      title: string,
      text: string,
    ): Promise<void> => {
      const stop = await answerWith(page, links, status, answer);
      const release = await answerLater(page, profiles, 503, {});
      await Promise.all([page.waitForRequest(profiles), send()]);
      await expectNewToast(page, title, text, status === 200 ? 'ok' : 'danger');
      await release();
      await stop();
      await expectNewToast(page, 'Error', 'Failed to complete profile. Please try again.');
    };
    await checkRows('complete profile', {
      'an incomplete profile gets the form at /': async () => {
        await page.goto('/');
        await expectShown(page.getByRole('heading', { name: 'Complete your profile' }));
      },
      'other pages work without a complete profile': async () => {
        await page.goto('/favorites');
        await expectShown(page.getByText('No favorites yet.'));
        await page.goto('/complete-profile');
      },
      'the fields are Discord Email and TradingView Username, both required': async () => {
        await expectShown(discord);
        expect(await page.locator('main .label').allInnerTexts()).toEqual([
          'Discord Email *',
          'TradingView Username *',
        ]);
        expect(
          await page
            .locator('main input')
            .evaluateAll((all) => all.map((one) => one.hasAttribute('required'))),
        ).toEqual([true, true]);
      },
      'Discord Email is a field for e-mail addresses': async () =>
        expect(await discord.getAttribute('type')).toBe('email'),
      'without a purchase there is no notice': async () => expect(await notice.count()).toBe(0),
      'without a Discord address: Missing information, Please fill in all required fields.': () =>
        expectMissing('', 'nora', discord),
      'without a username: Missing information, Please fill in all required fields.': () =>
        expectMissing('nora@discord.example', ' ', tradingView),
      'what is no address: Please enter a valid email address.': async () => {
        await fillIn('nora@discord', 'nora');
        await submit.click();
        await expectShown(
          page.locator('#discord-email-problem', { hasText: 'Please enter a valid email address.' }),
        );
      },
      'a server without a sentence: Error, Failed to complete profile. Please try again.': async () => {
        const stop = await answerWith(page, profiles, 503, {});
        await send();
        await expectNewToast(page, 'Error', 'Failed to complete profile. Please try again.');
        await stop();
      },
      'a server with a sentence: Error, with its sentence': async () => {
        const stop = await answerWith(page, profiles, 503, { detail: 'The tape is full.' });
        await send();
        await expectNewToast(page, 'Error', 'The tape is full.');
        await stop();
      },
      'a purchase in the storage of the browser: a green notice': async () => {
        await openWithPurchase(page, 'Pro');
        await expectShown(page.locator('.notice.notice--ok'));
        expect(await notice.innerText()).toBe(
          'Pro subscription found: it will be added to your account when you complete your profile.',
        );
      },
      'a purchase that cannot be added: Payment Link Error, Failed to link your Pro subscription. Please contact support.':
        () => expectLinked(503, {}, 'Payment Link Error', linkFailed),
      'a purchase that cannot be added: the notice says so, in red': async () => {
        expect(await page.locator('.notice.notice--danger[role=status]').innerText()).toBe(linkFailed);
      },
      'a refused purchase: Payment Link Error, with the sentence of the server': () =>
        expectLinked(
          503,
          { detail: 'The purchase belongs to another account.' },
          'Payment Link Error',
          'The purchase belongs to another account.',
        ),
      'a purchase that changed its address: Pro Subscription Linked!': () =>
        expectLinked(
          200,
          { emailTransferred: true, to: 'nora@example.com', tier: 'Pro' },
          'Pro Subscription Linked!',
          'It now belongs to nora@example.com.',
        ),
      'a purchase that was added: the notice says so, in green': async () => {
        expect(await page.locator('.notice.notice--ok').innerText()).toBe(
          'Pro Subscription Linked! It now belongs to nora@example.com.',
        );
      },
      'a purchase that was added is removed from the storage of the browser': async () =>
        expect(await stored(page, 'pendingSubscription')).toBeNull(),
      'a purchase that kept its address: Confirmed!, with the tier that was bought': async () => {
        await openWithPurchase(page, 'Elite');
        await expectLinked(
          200,
          { emailTransferred: false, to: 'nora@example.com', tier: 'Elite' },
          'Elite Subscription Confirmed!',
          'It now belongs to nora@example.com.',
        );
      },
      'while the profile is sent the button says Completing Profile..., and cannot be pressed': async () => {
        const release = await answerLater(page, profiles, 503, {});
        await Promise.all([page.waitForRequest(profiles), send()]);
        const pending = page.getByRole('button', { name: 'Completing Profile...' });
        await expectShown(pending);
        expect(await pending.isDisabled()).toBe(true);
        await release();
        await expectHidden(pending);
      },
      'a complete profile: Profile completed! Welcome to Tapedeck., and 1.5 seconds later / is loaded':
        async () => {
          await answerWith(page, profiles, 200, typed);
          const departures = await recordDepartures(page);
          const stopped = await stopClock(page);
          await send();
          await expectNewToast(page, 'Profile completed!', 'Welcome to Tapedeck.', 'ok');
          await page.clock.runFor(3_000);
          const address = new URL('/', page.url()).href;
          expect(await departures()).toEqual([{ address, at: stopped + 1_500 }]);
        },
      'the browser remembers that it was completed, until / still finds it incomplete': async () => {
        expect(await stored(page, 'profileCompleted')).toBe('yes');
        await page.clock.resume();
        await page.unrouteAll();
        await page.goto('/');
        await page.waitForFunction(() => localStorage.getItem('tapedeck.profileCompleted') === null);
        await expectShown(submit);
      },
    });
  }, 180_000);
});
