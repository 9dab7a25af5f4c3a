import { describe, expect, it } from '@jest/globals';
import { expectShown } from './explorer-screen.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment();
const buyer = 'first.buyer@buyers.example';

describe('a purchase by e-mail', () => {
  it('becomes the membership of the account that the buyer registers, and can be cancelled and resumed', async () => {
    const page = await environment.openPage('visitor');
    await page.goto('/#pricing');
    await page.getByRole('button', { name: 'Pro: Pay $4.99, then $9.99/month' }).click();
    await page.getByLabel('E-mail address').fill(buyer);
    await page.getByRole('dialog').getByRole('button', { name: 'Pay $4.99, then $9.99/month' }).click();
    await page.getByRole('button', { name: 'Pay $4.99' }).click();

    await expectShown(page.getByRole('heading', { name: 'Payment Successful!' }));
    await page.getByRole('link', { name: 'Complete Registration' }).click();
    await page.getByLabel('Or enter any e-mail address').fill(buyer);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();

    await expectShown(page.getByText('Pro subscription found'));
    await page.getByLabel('Discord Email').fill('buyer@discord.example');
    await page.getByLabel('TradingView Username').fill('firstbuyer');
    await page.getByRole('button', { name: 'Complete Profile' }).click();
    await page.waitForURL((url) => url.pathname === '/');

    await page.goto('/?section=my-account');
    const membership = page.getByRole('region', { name: 'Membership' });
    await expectShown(membership.getByText('Pro', { exact: true }));
    await expectShown(membership.getByText('$9.99 a month'));
    expect(new URL(page.url()).search).toBe('');

    await membership.getByRole('button', { name: 'Cancel subscription' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel subscription' }).click();
    await expectShown(membership.getByText('Your subscription is cancelled.'));
    await membership.getByRole('button', { name: 'Undo the cancellation' }).click();
    await expectShown(membership.getByText('Next Renewal'));
  }, 120_000);
});
