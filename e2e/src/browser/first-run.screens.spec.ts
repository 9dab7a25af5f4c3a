import { describe, expect, it } from '@jest/globals';
import { CurrentUser, identityRoutes } from '@tapedeck/identity/contract';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { expectShown, holdRequests } from './explorer-screen.ts';
import { expectToast, newAddress } from './favourites-screen.ts';
import { openMember, payWith, cards, signInAs, tabTo } from './membership-screen.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment({ product: 'shared' });

describe('a new member', () => {
  it('signs in, completes the profile and arrives where the way began, by keyboard alone', async () => {
    const page = await environment.openPage('visitor');
    await page.goto('/?section=trading-bots');
    await expectShown(page.getByRole('button', { name: /^New member/ }));
    await tabTo(page, page.getByLabel('Or enter any e-mail address'));
    await page.keyboard.type(newAddress());
    await page.keyboard.press('Enter');

    await expectShown(page.getByRole('heading', { name: 'Complete your profile' }));
    await tabTo(page, page.getByRole('button', { name: 'Complete Profile' }));
    await page.keyboard.press('Enter');
    await expectToast(page, 'Missing information', 'Please fill in all required fields.');
    const discord = page.locator('#discord-email[aria-invalid="true"]:focus');
    await expectShown(discord);
    expect(await discord.getAttribute('aria-describedby')).toBe('discord-email-problem');
    await expectShown(page.getByText('Discord Email is required.'));
    await expectShown(page.getByText('TradingView Username is required.'));
    await expectAccessibleEverywhere(page);

    await page.keyboard.type('nora@example');
    expect(await page.getByText('Discord Email is required.').count()).toBe(0);
    await page.keyboard.press('Tab');
    await page.keyboard.type('nora');
    await page.keyboard.press('Enter');
    await expectShown(page.getByText('Please enter a valid email address.'));
    await expectShown(discord);
    await page.keyboard.press('End');
    await page.keyboard.type('.com');
    // The page says that it is completed for a moment only, and then goes there.
    const leave = await holdRequests(page, /\?section=trading-bots/);
    await page.keyboard.press('Enter');
    await expectShown(page.getByText('Profile completed!'));
    leave();
    await expectShown(page.getByRole('heading', { name: 'Trading Bots' }));
    await page.goto('/');
    await expectShown(page.getByText('No favorites yet.'));
  }, 120_000);

  it('sees after a payment what was bought, what it costs from when on, and where it goes on', async () => {
    const page = await openMember(environment, newAddress());
    await page.getByRole('button', { name: 'Upgrade to Pro' }).click();
    await payWith(page, cards.works);
    await expectShown(page.getByRole('heading', { name: 'Upgrade Complete!' }));
    const facts = page.getByRole('region', { name: 'Your plan' });
    await expectShown(facts.getByText('Pro, monthly'));
    await expectShown(facts.getByText('$9.99 a month'));
    await expectShown(facts.getByText(/^\$9\.99 on [A-Z][a-z]{2} \d{1,2}, \d{4}$/));
    await expectShown(facts.getByText('$4.99', { exact: true }));
    await expectAccessibleEverywhere(page);
    await page.getByRole('link', { name: 'Payments and receipts' }).click();
    await expectShown(page.getByRole('region', { name: 'Payments' }).getByText('$4.99', { exact: true }));
  }, 120_000);
});

describe('the demo accounts', () => {
  it.each(['free', 'pro', 'elite', 'admin', 'support'])(
    '%s has a complete profile',
    async (name) => {
      const page = await environment.openPage('visitor');
      await signInAs(page, `${name}@tapedeck.example`);
      const user = CurrentUser.parse(await (await page.request.get(identityRoutes.user)).json());
      expect(user).toMatchObject({ discordEmail: `${name}@discord.example`, tradingViewUsername: name });
      await page.goto('/');
      await expectShown(page.getByRole('heading', { name: 'Community' }));
    },
    60_000,
  );
});
