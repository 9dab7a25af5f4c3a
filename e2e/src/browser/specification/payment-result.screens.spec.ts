import { describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import type { PaymentVerification } from '@tapedeck/payments/contract';
import type { Page } from 'playwright-core';
import { expectShown } from '../explorer-screen.ts';
import { setUpTestEnvironment } from '../test-environment.ts';
import { checkRows } from './check-rows.ts';
import { answerWith, expectLink, expectTexts } from './expectations.ts';
import { answerLater } from './held-answers.ts';
import { expectNewToast, textsOf } from './shown-texts.ts';

const environment = setUpTestEnvironment({ product: 'shared', expectedErrors: /status of 50[03]/ });

const verifications = '**/api/verify-payment/*';
const paid: PaymentVerification = {
  success: true,
  state: 'paid',
  tier: 'Pro',
  period: 'monthly',
  email: 'buyer@example.com',
  subscriptionId: 'sub_1',
  claimed: false,
  isOwner: false,
  grantedTier: null,
  canTakeOver: false,
};

/** Opens the page about a payment of which the server says this. */
const openResult = async (page: Page, said: Partial<PaymentVerification>, query = ''): Promise<void> => {
  await page.unrouteAll();
  await answerWith(page, verifications, 200, { ...paid, ...said });
  await page.goto(`/payment-success?session_id=cs_1${query}`);
};

const expectMessage = (page: Page, title: string, text: string): Promise<void> =>
  expectTexts(page.getByRole('main'), title, text);

const notVerified = [
  'Payment Verification Failed',
  "We couldn't verify your payment. Please contact support if you were charged.",
] as const;

describe('the page after a payment', () => {
  it('says what became of it', async () => {
    const member = environment.page;
    const page = await environment.openPage('visitor');
    await page.clock.install();
    const storedPurchase = (): Promise<unknown> =>
      page.evaluate(() => JSON.parse(localStorage.getItem('tapedeck.pendingSubscription') ?? 'null'));
    await checkRows('payment success', {
      'while it asks: Verifying Payment...': async () => {
        const release = await answerLater(page, verifications, 500, {});
        await Promise.all([
          page.waitForRequest(verifications),
          page.goto('/payment-success?session_id=cs_1'),
        ]);
        await expectShown(page.getByRole('heading', { name: 'Verifying Payment...' }));
        await release();
      },
      "not verified: Payment Verification Failed, We couldn't verify your payment. Please contact support if you were charged.":
        () => expectMessage(page, ...notVerified),
      'not verified: Return Home leads to /': () =>
        expectLink(page.getByRole('main').getByRole('link', { name: 'Return Home' }), /^\/$/),
      'without session_id it is not verified, and nothing is asked': async () => {
        let asked = 0;
        await page.route(verifications, (route) => {
          asked++;
          return route.abort();
        });
        await page.goto('/payment-success?authenticated=true');
        await expectMessage(page, ...notVerified);
        expect(asked).toBe(0);
      },
      'paid: Payment Successful! Welcome to Pro!': async () => {
        await openResult(page, {});
        await expectMessage(
          page,
          'Payment Successful!',
          'Welcome to Pro! One step is left: adding the membership to your account.',
        );
      },
      "paid: What's Next? has three steps": async () => {
        await expectTexts(page, "What's Next?");
        expect(await textsOf(page.locator('.steps li'))).toEqual([
          'Sign in, or create your account, in this browser.',
          'Complete your profile: your Pro membership is added to your account.',
          'Install the extension and start.',
        ]);
      },
      'paid: Complete Registration leads to sign-in, and on to the profile': () =>
        expectLink(
          page.getByRole('link', { name: 'Complete Registration' }),
          /^\/api\/login\?returnTo=\/complete-profile$/,
        ),
      'paid: the purchase is kept in the storage of the browser': () =>
        eventually(async () =>
          expect(await storedPurchase()).toEqual({
            paymentEmail: 'buyer@example.com',
            subscriptionId: 'sub_1',
            tier: 'Pro',
            sessionId: 'cs_1',
          }),
        ),
      'texts name the tier that was bought': async () => {
        await openResult(page, { tier: 'Elite' });
        await expectShown(page.getByText(/^Welcome to Elite! /));
        await expectShown(
          page.getByText('Complete your profile: your Elite membership is added to your account.'),
        );
      },
      'authenticated=true in the address of a visitor changes nothing': async () => {
        await openResult(page, {}, '&authenticated=true');
        await expectShown(page.getByRole('heading', { name: 'Payment Successful!' }));
        await expectShown(page.getByRole('link', { name: 'Complete Registration' }));
      },
      'in progress: it says so and follows it': async () => {
        await openResult(page, { state: 'processing', success: false });
        await expectMessage(page, 'Your payment is being processed', 'This page updates automatically.');
      },
      'in progress for 30 seconds: it may be closed, and an e-mail follows': async () => {
        await page.clock.fastForward(30_000);
        await expectMessage(
          page,
          'This is taking longer than usual',
          'We will e-mail you as soon as the payment goes through. It is safe to close this page.',
        );
      },
      'refused: nothing is charged, and the pricing is one press away': async () => {
        await openResult(page, { state: 'failed', success: false });
        await expectMessage(
          page,
          'The payment did not go through',
          'You have not been charged. Choose the plan again, and use another card if this one was refused.',
        );
        await expectLink(page.getByRole('link', { name: 'Back to pricing' }), /^\/landing#pricing$/);
      },
      'a member that has the tier: Upgrade Complete!': async () => {
        const owned = { claimed: true, isOwner: true, grantedTier: 'Pro' } as const;
        await openResult(member, owned, '&authenticated=true');
        await expectMessage(member, 'Upgrade Complete!', 'Welcome to Pro: your membership is active.');
      },
      'a member that has the tier: Go to Dashboard leads to /': () =>
        expectLink(member.getByRole('link', { name: 'Go to Dashboard' }), /^\/$/),
      'a member adds a purchase that has no owner': async () => {
        await openResult(member, { tier: 'Elite' });
        await expectShown(member.getByRole('button', { name: 'Add Elite to my account' }));
      },
      'what cannot be added: Payment Link Error, Failed to link your Elite subscription. Please contact support.':
        async () => {
          await answerWith(member, '**/api/link-payment', 503, {});
          await member.getByRole('button', { name: 'Add Elite to my account' }).click();
          await expectNewToast(
            member,
            'Payment Link Error',
            'Failed to link your Elite subscription. Please contact support.',
          );
        },
      'a purchase that gives nothing any more: Your payment went through, and My Account is one press away':
        async () => {
          await openResult(member, { claimed: true, isOwner: true });
          await expectMessage(
            member,
            'Your payment went through',
            'My Account has your payments, and what your membership includes now.',
          );
          await expectLink(member.getByRole('link', { name: 'Go to My Account' }), /section=my-account$/);
        },
      'a purchase of another account: the page says whose session it is': async () => {
        await openResult(member, { claimed: true });
        await expectShown(member.getByRole('heading', { name: 'This purchase belongs to another account' }));
        await expectShown(member.getByText(/^You are signed in as \S+@\S+\. /));
      },
      'a purchase whose owner is signed out: sign-in is one press away, and returns': async () => {
        await openResult(page, { claimed: true });
        await expectMessage(
          page,
          'Your payment went through',
          'This purchase belongs to an account: sign in to see its membership.',
        );
        await expectLink(
          page.getByRole('main').getByRole('link', { name: 'Sign in' }),
          /^\/api\/login\?returnTo=%2Fpayment-success/,
        );
      },
    });
  }, 300_000);
});
