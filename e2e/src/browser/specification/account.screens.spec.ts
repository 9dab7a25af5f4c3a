import { describe, expect, it } from '@jest/globals';
import { identityRoutes, OptionalUser } from '@tapedeck/identity/contract';
import { MemberTier, membershipRoutes } from '@tapedeck/membership/contract';
import { Billing, paymentRoutes } from '@tapedeck/payments/contract';
import { formatDay } from '@tapedeck/web/format';
import type { Page } from 'playwright-core';
import { expectHidden, expectShown } from '../explorer-screen.ts';
import { dialogOf, membershipOf, signInAs } from '../membership-screen.ts';
import { setUpTestEnvironment } from '../test-environment.ts';
import { checkRows } from './check-rows.ts';
import { answerWith, expectTexts } from './expectations.ts';
import { answerLater } from './held-answers.ts';
import { expectNewToast, textsOf } from './shown-texts.ts';
import { recordDepartures, stopClock } from './stopped-clock.ts';

const environment = setUpTestEnvironment({ product: 'shared', expectedErrors: /status of 503/ });

const openAccount = async (page: Page): Promise<void> => {
  await page.goto('/?section=my-account');
  await expectShown(membershipOf(page).locator('.badge--tier'));
};

const served = async <T>(page: Page, path: string, schema: { parse: (answer: unknown) => T }): Promise<T> =>
  schema.parse(await (await page.request.get(path)).json());

/** Opens the account as if the server said this of the membership. */
const openWithTier = async (page: Page, said: Partial<MemberTier>): Promise<void> => {
  const tier = await served(page, membershipRoutes.tier, MemberTier);
  await page.unrouteAll();
  await answerWith(page, `**${membershipRoutes.tier}`, 200, { ...tier, ...said });
  await openAccount(page);
};

type Colour = Readonly<{ hue: number; saturation: number }>;

/** Of the text of a badge. */
const colourOf = (page: Page, tier: string): Promise<Colour> =>
  membershipOf(page)
    .locator('.badge--tier', { hasText: tier })
    .evaluate((badge) => {
      const [red = 0, green = 0, blue = 0] = (getComputedStyle(badge).color.match(/\d+/g) ?? []).map(Number);
      const max = Math.max(red, green, blue);
      const range = max - Math.min(red, green, blue) || 1;
      const sixth =
        max === red
          ? (green - blue) / range
          : max === green
            ? 2 + (blue - red) / range
            : 4 + (red - green) / range;
      return { hue: (sixth * 60 + 360) % 360, saturation: range / max };
    });

describe('My Account', () => {
  it('shows the profile and what can be done with it', async () => {
    const { page } = environment;
    const { user } = await served(page, identityRoutes.optionalUser, OptionalUser);
    if (!user) throw new Error('There is no session.');
    await openAccount(page);
    const profile = page.getByRole('region', { name: 'Priya Raman' });
    const facts = (): Promise<readonly string[]> => textsOf(profile.locator('.facts > div'));
    const memberSince = `Member Since ${formatDay(user.createdAt)}`;
    const dialog = dialogOf(page);
    const open = (name: string): Promise<void> => profile.getByRole('button', { name }).click();
    const close = async (name: string): Promise<void> => {
      await dialog.getByRole('button', { name, exact: true }).click();
      await expectHidden(dialog);
    };
    await checkRows('profile of the account', {
      'it has the avatar, the display name and the badge Active Member': async () => {
        expect(await profile.locator('.card-head .avatar').innerText()).toBe('PR');
        await expectTexts(profile, 'Priya Raman', 'Active Member');
      },
      'its fields are First Name, Last Name, Email Address, Discord Email, TradingView Username and Member Since':
        async () =>
          expect(await facts()).toEqual([
            'First Name Priya',
            'Last Name Raman',
            'Email Address pro@tapedeck.example',
            'Discord Email pro@discord.example',
            'TradingView Username pro',
            memberSince,
          ]),
      'its fields cannot be typed into': async () =>
        expect(await profile.getByRole('textbox').count()).toBe(0),
      'Update Profile has the two fields as they are': async () => {
        await open('Update Profile');
        expect(await dialog.getByLabel('Discord Email').inputValue()).toBe('pro@discord.example');
        expect(await dialog.getByLabel('TradingView Username').inputValue()).toBe('pro');
      },
      'Update Profile asks for both: Missing information, Please fill in all required fields.': async () => {
        await dialog.getByLabel('TradingView Username').fill('');
        await dialog.getByRole('button', { name: 'Save' }).click();
        await expectNewToast(page, 'Missing information', 'Please fill in all required fields.');
        await close('Cancel');
      },
      'Security Settings lists the sessions, and marks that of this browser': async () => {
        await open('Security Settings');
        await expectShown(dialog.getByRole('heading', { name: 'Security Settings' }));
        await expectTexts(dialog, 'This browser');
        await close('Close');
      },
      'Delete Account asks for the e-mail address to be typed': async () => {
        await open('Delete Account');
        const submit = dialog.getByRole('button', { name: 'Delete Account' });
        const confirmation = dialog.getByLabel('Type pro@tapedeck.example to confirm');
        expect(await submit.isDisabled()).toBe(true);
        await confirmation.fill('free@tapedeck.example');
        expect(await submit.isDisabled()).toBe(true);
        await confirmation.fill('pro@tapedeck.example');
        expect(await submit.isDisabled()).toBe(false);
      },
      'Delete Account says what becomes of a subscription': async () => {
        await expectTexts(
          dialog,
          'Your Pro subscription ends at once: access stops and nothing more is charged. What you have paid is not refunded.',
        );
        await close('Keep my account');
      },
      'what is empty reads Not provided': async () => {
        const unnamed = { ...user, firstName: null, lastName: null };
        await answerWith(page, `**${identityRoutes.optionalUser}`, 200, { user: unnamed });
        await openAccount(page);
        expect(
          await textsOf(page.locator('.facts > div', { hasText: 'Name' }).filter({ hasNotText: 'Username' })),
        ).toEqual(['First Name Not provided', 'Last Name Not provided']);
      },
    });
  }, 180_000);

  it('shows the membership', async () => {
    const { page } = environment;
    await page.clock.install();
    await openAccount(page);
    const card = membershipOf(page);
    const tier = await served(page, membershipRoutes.tier, MemberTier);
    const billing = await served(page, paymentRoutes.billing, Billing);
    const other = 'Billing uses another address.';
    const cancellations = `**${paymentRoutes.cancel}`;
    const cancel = async (): Promise<void> => {
      await dialogOf(page).locator('button[type=submit]').click();
    };
    const portal = card.getByRole('button', { name: 'Billing Portal' });
    await checkRows('membership of the account', {
      'a membership is Active or Inactive, and only an active one has the badge Active Member': async () => {
        await expectTexts(card, 'Active');
        await openWithTier(page, { active: false, status: 'ended', tier: 'Free' });
        await expectTexts(card, 'Inactive');
        expect(await page.getByText('Active Member').count()).toBe(0);
      },
      'the next renewal reads like Mar 14, 2027': async () => {
        await openWithTier(page, { renewalDate: '2027-03-14T23:59:59.000Z' });
        expect(await textsOf(card.locator('.facts > div', { hasText: 'Next Renewal' }))).toEqual([
          'Next Renewal Mar 14, 2027',
        ]);
      },
      'a billing address that is the one of the account is not mentioned, whatever its case': async () => {
        await openWithTier(page, { stripeCustomerEmail: 'PRO@tapedeck.example' });
        expect(await card.getByText(other).count()).toBe(0);
      },
      'another billing address is a warning with both addresses': async () => {
        await openWithTier(page, { stripeCustomerEmail: 'books@tapedeck.example' });
        await expectShown(
          card.locator('.notice--warn').filter({
            hasText: `${other} Receipts are sent to books@tapedeck.example; you sign in with pro@tapedeck.example.`,
          }),
        );
      },
      'paying members have no button Upgrade to Pro': async () => {
        await expectShown(card.getByRole('button', { name: 'Cancel subscription' }));
        expect(await page.getByText('Upgrade to Pro').count()).toBe(0);
      },
      'free members have Upgrade to Pro, which leads to the pricing': async () => {
        const free = await environment.openPage('visitor');
        await signInAs(free, 'free@tapedeck.example');
        await membershipOf(free).getByRole('link', { name: 'Upgrade to Pro' }).click();
        await free.waitForURL('**/landing#pricing');
      },
      'a refused cancellation: Cancellation Failed, with the sentence of the server': async () => {
        await page.unrouteAll();
        await openAccount(page);
        await card.getByRole('button', { name: 'Cancel subscription' }).click();
        const stop = await answerWith(page, cancellations, 503, { detail: 'The bank is closed.' });
        await cancel();
        await expectNewToast(page, 'Cancellation Failed', 'The bank is closed.');
        await stop();
      },
      'a server without a sentence: Cancellation Failed, Failed to cancel subscription': async () => {
        const stop = await answerWith(page, cancellations, 503, {});
        await cancel();
        await expectNewToast(page, 'Cancellation Failed', 'Failed to cancel subscription');
        await stop();
      },
      'while it is cancelled the button says Processing...': async () => {
        const release = await answerLater(page, cancellations, 503, {});
        await Promise.all([page.waitForRequest(cancellations), cancel()]);
        await expectShown(dialogOf(page).locator('button[aria-disabled=true]', { hasText: 'Processing...' }));
        await release();
      },
      'a cancellation: Subscription Cancelled, with the sentence of the server, and the page has the new end':
        async () => {
          const message = 'Your subscription has been cancelled successfully.';
          const stop = await answerWith(page, cancellations, 200, { state: 'done', message, fixUrl: null });
          const endsAt = '2027-03-14T00:00:00.000Z';
          await answerWith(page, `**${membershipRoutes.tier}`, 200, { ...tier, endsAt, renewalDate: null });
          const subscription = billing.subscription && { ...billing.subscription, endsAt };
          await answerWith(page, `**${paymentRoutes.billing}`, 200, { ...billing, subscription });
          await cancel();
          await expectNewToast(page, 'Subscription Cancelled', message, 'ok');
          await expectShown(card.getByText('You keep Pro until Mar 14, 2027.'));
          await stop();
        },
      'a portal that cannot be opened: Billing Portal Error, Unable to access billing portal. Opening Stripe login instead., and 1 second later that login':
        async () => {
          await page.unrouteAll();
          await openAccount(page);
          const { billingPortalUrl } = (await (await page.request.get('/api/config')).json()) as {
            billingPortalUrl: string;
          };
          await answerWith(page, `**${paymentRoutes.billingPortal}`, 503, {});
          // Later answers are not drawn while the clock is stopped.
          await expectShown(portal);
          const departures = await recordDepartures(page);
          const stopped = await stopClock(page);
          await portal.click();
          await expectNewToast(
            page,
            'Billing Portal Error',
            'Unable to access billing portal. Opening Stripe login instead.',
          );
          await page.clock.runFor(3_000);
          expect(await departures()).toEqual([
            { address: new URL(billingPortalUrl, page.url()).href, at: stopped + 1_000 },
          ]);
        },
      'Billing Portal opens what the server has named': async () => {
        await page.clock.resume();
        const url = 'https://portal.example/session-1';
        await page.unrouteAll();
        await openAccount(page);
        await answerWith(page, `**${paymentRoutes.billingPortal}`, 200, { url });
        const departures = await recordDepartures(page);
        await Promise.all([page.waitForRequest(url), portal.click()]);
        expect((await departures()).map(({ address }) => address)).toEqual([url]);
      },
    });
  }, 180_000);

  it('has a colour for each tier', async () => {
    const { page } = environment;
    await page.emulateMedia({ colorScheme: 'light' });
    const open = async (tier: MemberTier['tier']): Promise<Colour> => {
      await openWithTier(page, { tier, status: tier === 'Free' ? 'none' : 'active' });
      return colourOf(page, tier);
    };
    await checkRows('tier badges', {
      'Elite is purple': async () => {
        const { hue, saturation } = await open('Elite');
        expect(saturation).toBeGreaterThan(0.3);
        expect(hue).toBeGreaterThan(255);
        expect(hue).toBeLessThan(300);
      },
      'Pro has the primary colour': async () => {
        await open('Pro');
        const [shown, primary] = await membershipOf(page)
          .locator('.badge--tier')
          .evaluate((badge) => {
            const colours = ({ color, backgroundColor }: CSSStyleDeclaration) => [color, backgroundColor];
            const accent = badge.cloneNode() as HTMLElement;
            accent.style.color = 'var(--accent-text)';
            accent.style.backgroundColor = 'var(--accent-tint)';
            badge.after(accent);
            return [colours(getComputedStyle(badge)), colours(getComputedStyle(accent))];
          });
        expect(shown).toEqual(primary);
      },
      'Basic is blue': async () => {
        const { hue, saturation } = await open('Basic');
        expect(saturation).toBeGreaterThan(0.3);
        expect(hue).toBeGreaterThan(195);
        expect(hue).toBeLessThan(235);
      },
      'Free is grey': async () => expect((await open('Free')).saturation).toBeLessThan(0.2),
    });
  }, 180_000);
});
