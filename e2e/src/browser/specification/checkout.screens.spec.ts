import { describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { expectHidden, expectShown } from '../explorer-screen.ts';
import { dialogOf, signInAs } from '../membership-screen.ts';
import { setUpTestEnvironment } from '../test-environment.ts';
import { checkRows } from './check-rows.ts';
import { answerWith } from './expectations.ts';
import { answerLater } from './held-answers.ts';
import { expectNewToast, textsOf } from './shown-texts.ts';
import { recordDepartures } from './stopped-clock.ts';

const environment = setUpTestEnvironment({ product: 'shared', expectedErrors: /status of 503|ERR_FAILED/ });

const checkouts = '**/api/create-*';
const paymentPage = 'https://checkout.example/session-1';
const noAddress = ['Error', 'Failed to create checkout session'] as const;
const failed = 'Subscription Error';
const failedText = /Failed to start subscription$/;

type Period = 'Monthly' | 'Annual';
type Sent = Readonly<{ path: string; body: unknown }>;

/** On the landing page: presses the button of a plan. */
const press = async (page: Page, tier: string, period: Period): Promise<void> => {
  await page.locator('.choice label', { hasText: period }).click();
  await page.locator(`[data-plan-of="${tier}"] .plan-pay:visible`).click();
};

/** The request for a checkout that `act` causes; it is answered without an address. */
const sentBy = async (page: Page, act: () => Promise<unknown>): Promise<Sent> => {
  const stop = await answerWith(page, checkouts, 200, {});
  const [request] = await Promise.all([page.waitForRequest(checkouts), act()]);
  await expectNewToast(page, ...noAddress);
  await stop();
  const { pathname: path } = new URL(request.url());
  return { path: `${request.method()} ${path}`, body: request.postDataJSON() };
};

/** A press while every checkout is refused. */
const expectRefused = async (
  page: Page,
  act: () => Promise<unknown>,
  json: unknown,
  text: string,
): Promise<void> => {
  const stop = await answerWith(page, checkouts, 503, json);
  await act();
  await expectNewToast(page, failed, text);
  await stop();
};

/** A press while the server cannot be reached. */
const expectUnreachable = async (page: Page, act: () => Promise<unknown>): Promise<void> => {
  await page.route(checkouts, (route) => route.abort());
  await act();
  await expectNewToast(page, failed, failedText);
  await page.unroute(checkouts);
};

/** While the checkout is pending the button says so, and cannot be pressed. */
const expectProcessing = async (
  page: Page,
  act: () => Promise<unknown>,
  ...buttons: readonly Locator[]
): Promise<void> => {
  const release = await answerLater(page, checkouts, 200, {});
  await Promise.all([page.waitForRequest(checkouts), act()]);
  for (const button of buttons) {
    await expectShown(button);
    expect(await button.isDisabled()).toBe(true);
  }
  await release();
  await expectNewToast(page, ...noAddress);
};

const expectDeparture = async (page: Page, act: () => Promise<unknown>): Promise<void> => {
  const stop = await answerWith(page, checkouts, 200, { checkoutUrl: paymentPage });
  const departures = await recordDepartures(page);
  await Promise.all([page.waitForRequest(paymentPage), act()]);
  expect((await departures()).map(({ address }) => address)).toEqual([paymentPage]);
  await stop();
};

const problem = { detail: 'The payment provider does not answer: try again in a minute.' };

describe('the start of a checkout', () => {
  it('asks a visitor for an e-mail address', async () => {
    const page = await environment.openPage('visitor');
    await page.goto('/');
    const dialog = dialogOf(page);
    const field = dialog.getByLabel('E-mail address');
    const submit = dialog.locator('button[type=submit]');
    const close = async (): Promise<void> => {
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await expectHidden(dialog);
    };
    const send = async (email: string): Promise<void> => {
      await field.fill(email);
      await submit.click();
    };
    const buy = (tier: string, period: Period) => async (): Promise<Sent> => {
      const sent = await sentBy(page, async () => {
        await press(page, tier, period);
        await send('buyer@example.com');
      });
      await close();
      return sent;
    };
    const expectWrong = async (email: string): Promise<void> => {
      await send(email);
      await expectNewToast(page, 'Invalid Email', 'Please enter a valid email address');
    };
    const expectBought = async (tier: string, period: Period, path: string): Promise<void> =>
      expect(await buy(tier, period)()).toEqual({ path, body: { email: 'buyer@example.com' } });
    await checkRows('checkout by e-mail', {
      'a visitor that presses a paid plan is asked for an address': async () => {
        await press(page, 'Pro', 'Monthly');
        await expectShown(dialog.getByRole('heading', { name: 'Where should we send your receipt?' }));
      },
      'the form cannot be sent while the address is empty or blank': async () => {
        expect(await submit.isDisabled()).toBe(true);
        await field.fill('  ');
        expect(await submit.isDisabled()).toBe(true);
      },
      'an empty address that is sent all the same: Email Required, Please enter your email address':
        async () => {
          await dialog.locator('form').evaluate((form) => (form as HTMLFormElement).requestSubmit());
          await expectNewToast(page, 'Email Required', 'Please enter your email address');
        },
      'without an at-sign: Invalid Email, Please enter a valid email address': () =>
        expectWrong('buyer.example.com'),
      'without a dot after the at-sign: Invalid Email': () => expectWrong('buyer@example'),
      'with a space inside: Invalid Email': () => expectWrong('the buyer@example.com'),
      'what is wrong stands at the field too': async () =>
        expect(await textsOf(dialog.locator('#checkout-problem'))).toEqual([
          'Please enter a valid email address',
        ]),
      'the button says Processing... and cannot be pressed while the checkout is made': () =>
        expectProcessing(
          page,
          () => send('buyer@example.com'),
          dialog.getByRole('button', { name: 'Processing...' }),
          page.locator('[data-plan-of="Pro"] .plan-pay:visible', { hasText: 'Processing...' }),
        ),
      'an answer without an address: Error, Failed to create checkout session': async () => {
        const stop = await answerWith(page, checkouts, 200, {});
        await send('buyer@example.com');
        await expectNewToast(page, ...noAddress);
        await stop();
      },
      'a refused checkout: Subscription Error, with the sentence of the server': () =>
        expectRefused(page, () => send('buyer@example.com'), problem, problem.detail),
      'an error without a sentence has status code, colon and body under Details': async () => {
        const act = (): Promise<unknown> => send('buyer@example.com');
        await expectRefused(page, act, 'no worker', 'Failed to start subscription');
        expect(await page.locator('.toast pre').textContent()).toContain('503: "no worker"');
      },
      'a server that cannot be reached: Subscription Error, Failed to start subscription': async () => {
        await expectUnreachable(page, () => send('buyer@example.com'));
        await close();
      },
      'Pro by the month is bought at its own address, with the e-mail': () =>
        expectBought('Pro', 'Monthly', 'POST /api/create-pro-subscription-anonymous'),
      'Elite by the month is bought at its own address, with the e-mail': () =>
        expectBought('Elite', 'Monthly', 'POST /api/create-elite-subscription-anonymous'),
      'Pro by the year is bought at its own address, with the e-mail': () =>
        expectBought('Pro', 'Annual', 'POST /api/create-pro-annual-subscription-anonymous'),
      'Elite by the year is bought at its own address, with the e-mail': () =>
        expectBought('Elite', 'Annual', 'POST /api/create-elite-annual-subscription-anonymous'),
      'the browser goes to the address that the server has named': () =>
        expectDeparture(page, async () => {
          await press(page, 'Pro', 'Monthly');
          await send('buyer@example.com');
        }),
    });
  }, 180_000);

  it('needs no address of a member', async () => {
    const page = await environment.openPage('visitor');
    await signInAs(page, 'free@tapedeck.example');
    await page.goto('/landing');
    await expectShown(page.locator('[data-plan-of="Free"]').getByText('Your plan'));
    const buttons = page.locator('.plan-pay:visible');
    const upgrade = page.getByRole('button', { name: 'Upgrade to Pro' });
    const openDashboard = async (): Promise<void> => {
      await page.goto('/');
      await expectShown(page.locator('button:enabled', { hasText: 'Upgrade to Pro' }));
    };
    await checkRows('checkout of a member', {
      'by the month: no dialog, and the period is sent': async () => {
        expect(await sentBy(page, () => press(page, 'Pro', 'Monthly'))).toEqual({
          path: 'POST /api/create-pro-subscription',
          body: { period: 'monthly' },
        });
        expect(await dialogOf(page).count()).toBe(0);
      },
      'by the year: the period is sent': async () =>
        expect(await sentBy(page, () => press(page, 'Elite', 'Annual'))).toEqual({
          path: 'POST /api/create-elite-subscription',
          body: { period: 'annual' },
        }),
      'the button says Processing..., and no plan can be pressed meanwhile': () =>
        expectProcessing(
          page,
          () => press(page, 'Elite', 'Monthly'),
          buttons.filter({ hasText: 'Elite: Processing...' }),
          buttons.filter({ hasText: 'Pro: Pay' }),
        ),
      'a refused checkout: Subscription Error, with the sentence of the server': () =>
        expectRefused(page, () => press(page, 'Pro', 'Monthly'), problem, problem.detail),
      'Upgrade to Pro on the dashboard starts the checkout of Pro by the month at once': async () => {
        await openDashboard();
        expect(await sentBy(page, () => upgrade.click())).toEqual({
          path: 'POST /api/create-pro-subscription',
          body: { period: 'monthly' },
        });
      },
      'on the dashboard an answer without an address: Error, Failed to create checkout session': async () => {
        const stop = await answerWith(page, checkouts, 200, {});
        await upgrade.click();
        await expectNewToast(page, ...noAddress);
        await stop();
      },
      'on the dashboard the button says Processing... and cannot be pressed meanwhile': () =>
        expectProcessing(page, () => upgrade.click(), page.getByRole('button', { name: 'Processing...' })),
      'on the dashboard a server that cannot be reached: Subscription Error, Failed to start subscription':
        () => expectUnreachable(page, () => upgrade.click()),
      'from the dashboard the browser goes to the address that the server has named': () =>
        expectDeparture(page, () => upgrade.click()),
    });
  }, 180_000);
});
