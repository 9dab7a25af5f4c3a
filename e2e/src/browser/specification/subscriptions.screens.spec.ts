import { describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { MemberTier, membershipRoutes } from '@tapedeck/membership/contract';
import { Billing, paymentRoutes } from '@tapedeck/payments/contract';
import type { Locator, Page } from 'playwright-core';
import { expectAccessibleEverywhere } from '../expect-accessible.ts';
import { expectHidden, expectShown } from '../explorer-screen.ts';
import { dialogOf, membershipOf } from '../membership-screen.ts';
import { setUpTestEnvironment } from '../test-environment.ts';
import { checkRows } from './check-rows.ts';
import { answerWith, expectTexts } from './expectations.ts';
import { textsOf } from './shown-texts.ts';
import { recordDepartures } from './stopped-clock.ts';

const environment = setUpTestEnvironment({ product: 'shared', expectedErrors: /status of 503/ });

type Subscription = NonNullable<Billing['subscription']>;

const pro: Subscription = {
  nextAmount: 999,
  scheduledPlan: null,
  pendingPlan: null,
  card: null,
  pastDueSince: null,
  isDisputed: false,
  needsConfirmation: false,
  processing: null,
  refused: null,
  subscriptionId: 'sub_pro',
  tier: 'Pro',
  period: 'monthly',
  amount: 999,
  currency: 'usd',
  addsTaxes: false,
  announcedPrice: null,
  nextChargeAt: '2027-01-23T00:00:00.000Z',
  endsAt: null,
  isPeriodPaid: true,
  isDue: false,
  nextAttemptAt: null,
  isPaidByAnother: false,
};
const unpaid: Partial<Subscription> = {
  isPeriodPaid: false,
  isDue: true,
  nextAttemptAt: '2026-12-25T00:00:00.000Z',
};
const other: Billing['others'][number] = {
  subscriptionId: 'sub_other',
  tier: 'Pro',
  period: 'annual',
  amount: 7_499,
  currency: 'usd',
  addsTaxes: false,
  announcedPrice: null,
  nextChargeAt: '2027-04-01T00:00:00.000Z',
  endsAt: null,
  isPeriodPaid: true,
  isDue: false,
  nextAttemptAt: null,
  isPaidByAnother: false,
  startedAt: '2026-04-01T00:00:00.000Z',
};
const billing: Billing = {
  subscription: pro,
  others: [],
  payments: [],
  failedPayments: [],
  hasPortal: true,
  unclaimed: [],
  offers: [],
  withdrawable: [],
  purchaseRefusal: null,
};

const paymentsOf = (page: Page): Locator => page.getByRole('region', { name: 'Payments' });

/** Opens the account as if the server said this. */
const openWith = async (
  page: Page,
  said: Partial<Billing>,
  access: Partial<MemberTier> = {},
): Promise<Locator> => {
  const tier = MemberTier.parse(await (await page.request.get(membershipRoutes.tier)).json());
  await page.unrouteAll();
  await answerWith(page, `**${membershipRoutes.tier}`, 200, { ...tier, ...access });
  await answerWith(page, `**${paymentRoutes.billing}`, 200, { ...billing, ...said });
  await page.goto('/?section=my-account');
  const card = membershipOf(page);
  await expectShown(card.locator('.badge--tier'));
  // The page does not wait long for billing.
  await expectShown(paymentsOf(page));
  return card;
};

/** What the page sends to this address when it does this; it is answered with an error. */
const sentBy = async (page: Page, path: string, act: () => Promise<void>): Promise<unknown> => {
  const stop = await answerWith(page, `**${path}`, 503, {});
  const [request] = await Promise.all([page.waitForRequest(`**${path}`), act()]);
  await request.response();
  await stop();
  return request.postDataJSON();
};

/** Where the page leaves to, and what it has asked for, when it is to open the page of an invoice. */
const paidBy = async (page: Page, press: () => Promise<void>): Promise<readonly unknown[]> => {
  const url = 'https://pay.example/invoice';
  await answerWith(page, `**${paymentRoutes.paymentPage}`, 201, { url, change: null });
  const departures = await recordDepartures(page);
  const [request] = await Promise.all([
    page.waitForRequest(`**${paymentRoutes.paymentPage}`),
    press(),
    page.waitForRequest(url),
  ]);
  return [request.postDataJSON(), (await departures()).map(({ address }) => address)];
};

const nameOfOther = 'Pro, annual, since Apr 1, 2026';
const cancelText = (page: Page): Locator => dialogOf(page).locator('h2 + p');
const openDeletion = async (page: Page): Promise<Locator> => {
  await page.getByRole('button', { name: 'Delete Account' }).click();
  return dialogOf(page);
};

describe('My Account', () => {
  it('says of each subscription what is charged, when, and what can be done', async () => {
    const { page } = environment;
    await checkRows('subscriptions of the account', {
      'a cancellation while the renewal is unpaid says how long access stays, and that the invoice may still be charged':
        async () => {
          const grace = { tier: 'Pro', period: 'monthly', status: 'grace' } as const;
          const access = { ...grace, graceUntil: '2027-01-06T00:00:00.000Z', graceDaysLeft: 3 };
          const card = await openWith(page, { subscription: { ...pro, ...unpaid } }, access);
          await card.getByRole('button', { name: 'Cancel subscription' }).click();
          await eventually(async () =>
            expect(await textsOf(cancelText(page))).toEqual([
              'You keep Pro until Jan 6, 2027. The unpaid invoice may still be charged: we try again on Dec 25, 2026. Once it is paid, you keep Pro until Jan 23, 2027. After that your account is Free; your favorites and your profile stay. You can undo this until the subscription ends.',
            ]),
          );
          await expectAccessibleEverywhere(page);
        },
      'a cancelled subscription whose renewal is unpaid says both': async () => {
        const endsAt = '2027-01-23T00:00:00.000Z';
        const subscription = { ...pro, ...unpaid, endsAt, nextAmount: null, nextChargeAt: null };
        const card = await openWith(page, { subscription });
        await expectTexts(
          card,
          'Your subscription is cancelled and ends on Jan 23, 2027. Until then the unpaid invoice may still be charged.',
        );
      },
      'a suspended subscription can be paid, and no plan can be chosen': async () => {
        const subscription = { ...pro, ...unpaid, nextAttemptAt: null, isPaidByAnother: true };
        const card = await openWith(
          page,
          { subscription },
          { status: 'suspended', tier: 'Free', active: false },
        );
        await expectShown(card.getByRole('button', { name: 'Pay the invoice' }));
        await expectHidden(card.getByRole('button', { name: 'Change plan' }));
        expect(await card.getByText('Next charge').count()).toBe(0);
      },
      'a change that is under way is not said to be done': async () => {
        const processing = 'The cancellation is under way.';
        const card = await openWith(page, { subscription: { ...pro, processing } });
        await expectTexts(card, `${processing} This page updates automatically.`);
      },
      'an upgrade that waits for its payment can be paid': async () => {
        const expiresAt = '2026-12-02T12:00:00.000Z';
        const pendingPlan = { tier: 'Elite', period: 'monthly', expiresAt } as const;
        const card = await openWith(page, { subscription: { ...pro, pendingPlan } });
        await expectShown(
          card.getByText('The change to Elite, monthly, waits for its payment until Dec 2, 2026.'),
        );
        const press = (): Promise<void> => card.getByRole('button', { name: 'Pay it now' }).click();
        expect(await paidBy(page, press)).toEqual([
          { subscriptionId: 'sub_pro' },
          ['https://pay.example/invoice'],
        ]);
      },
      'taxes that Stripe adds are named at the price and the next charge': async () => {
        const card = await openWith(page, { subscription: { ...pro, addsTaxes: true } });
        await expectTexts(card, '$9.99 a month plus taxes', '$9.99 plus taxes on Jan 23, 2027');
      },
      'a further subscription has its price, its next renewal and the price that was announced': async () => {
        const announcedPrice = { amount: 8_999, from: '2027-04-01T00:00:00.000Z' };
        const card = await openWith(page, { others: [{ ...other, announcedPrice }] });
        expect(await textsOf(card.locator('.lines > li > span'))).toEqual([
          'Pro, annual, $74.99 a year since Apr 1, 2026, renews on Apr 1, 2027 This subscription costs $74.99 a year. From Apr 1, 2027 it costs $89.99.',
        ]);
        await expectAccessibleEverywhere(page);
      },
      'an unpaid further subscription says so, and its own invoice can be paid': async () => {
        const card = await openWith(page, { others: [{ ...other, isDue: true, isPeriodPaid: false }] });
        await expectTexts(card, 'since Apr 1, 2026, unpaid: the last payment did not go through');
        const name = `Pay the invoice of ${nameOfOther}`;
        const press = (): Promise<void> => card.getByRole('button', { name }).click();
        expect(await paidBy(page, press)).toEqual([
          { subscriptionId: 'sub_other' },
          ['https://pay.example/invoice'],
        ]);
      },
      'a further subscription is cancelled by its name, and the dialog says that the other one continues':
        async () => {
          const card = await openWith(page, { others: [other] });
          await card.getByRole('button', { name: `Cancel ${nameOfOther}` }).click();
          await expectShown(
            cancelText(page).getByText(
              'You keep Pro until Apr 1, 2027, and nothing more is charged for it. Your subscription to Pro (monthly) continues.',
            ),
          );
          const confirm = dialogOf(page).getByRole('button', { name: 'Cancel subscription' });
          expect(await sentBy(page, paymentRoutes.cancel, () => confirm.click())).toEqual({
            subscriptionId: 'sub_other',
          });
        },
      'a further subscription that is cancelled can be resumed': async () => {
        const endsAt = '2027-04-01T00:00:00.000Z';
        const card = await openWith(page, { others: [{ ...other, nextChargeAt: null, endsAt }] });
        await expectTexts(card, 'since Apr 1, 2026, ends on Apr 1, 2027');
        const undo = card.getByRole('button', { name: `Undo the cancellation of ${nameOfOther}` });
        expect(await sentBy(page, paymentRoutes.resume, () => undo.click())).toEqual({
          subscriptionId: 'sub_other',
        });
      },
      'a withdrawal says how much goes back, and what the bank decides about': async () => {
        const contract = {
          subscriptionId: 'sub_pro',
          plan: { tier: 'Pro', period: 'monthly' },
          paidAt: '2026-12-23T00:00:00.000Z',
          until: '2027-01-08T00:00:00.000Z',
          amount: 499,
          currency: 'usd',
          isDisputed: true,
          hasEnded: true,
        } as const;
        const card = await openWith(page, { withdrawable: [contract] });
        await expectTexts(
          card,
          'You can withdraw from the contract for Pro (monthly) of Dec 23, 2026 until Jan 7, 2027 (UTC): what is not disputed goes back.',
        );
        await card.getByRole('button', { name: 'Withdraw from contract here' }).click();
        await expectTexts(
          dialogOf(page),
          'Your contract for Pro (monthly) of Dec 23, 2026 has ended already. $4.99 goes back to the card. A payment is disputed: your bank decides about it. This cannot be undone.',
        );
      },
      'Payments lead to the Billing Portal where no subscription does': async () => {
        const portal = paymentsOf(page).getByRole('button', { name: 'Billing Portal' });
        for (const said of [{}, { subscription: null, hasPortal: false }]) {
          await openWith(page, said);
          await expectHidden(portal);
        }
        for (const subscription of [null, { ...pro, isPaidByAnother: true }]) {
          await openWith(page, { subscription });
          await expectShown(portal);
        }
        await expectAccessibleEverywhere(page);
      },
      'Delete Account names every subscription, and a withdrawal that is possible': async () => {
        const contract = {
          subscriptionId: 'sub_pro',
          plan: null,
          paidAt: '2026-12-23T00:00:00.000Z',
          until: '2027-01-08T00:00:00.000Z',
          amount: 999,
          currency: 'usd',
          isDisputed: false,
          hasEnded: false,
        };
        await openWith(page, { others: [other], withdrawable: [contract] });
        await expectTexts(
          await openDeletion(page),
          'Your subscriptions to Pro (monthly) and Pro (annual) end at once: access stops and nothing more is charged. What you have paid is not refunded.',
          'You can still withdraw from the contract: do that first, and the payment goes back.',
        );
        await expectAccessibleEverywhere(page);
      },
      'Delete Account says when it is not known whether there is a subscription': async () => {
        await page.unrouteAll();
        await answerWith(page, `**${paymentRoutes.billing}`, 503, {});
        await page.goto('/?section=my-account');
        await expectShown(page.getByText('Your billing could not be loaded.'));
        const dialog = await openDeletion(page);
        await expectShown(dialog.getByText(/^We could not find out whether you have a subscription\./));
      },
    });
  }, 300_000);
});
