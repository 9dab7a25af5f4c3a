import { describe, expect, it } from '@jest/globals';
import { paymentRoutes, type Billing } from '@tapedeck/payments/contract';
import type { Page } from 'playwright-core';
import { expectShown } from './explorer-screen.ts';
import { newAddress } from './favourites-screen.ts';
import { openMember } from './membership-screen.ts';
import { answerWith } from './specification/expectations.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment({ product: 'shared', expectedErrors: /status of 503/ });

const billing = `**${paymentRoutes.billing}`;
const checkout = `**${paymentRoutes.checkout('Pro')}`;
const paidInFull = 'Pro: Pay $9.99/month';
const payment = (page: Page) => page.getByRole('button', { name: 'Return without paying' });

/**
 * Holds the member's own prices back until the returned function is called; `changed` replaces parts of them. The clock of what
 * is opened next stands still: a page whose requests are not answered in time would stop waiting for them.
 */
const holdPrices = async (page: Page, changed: Partial<Billing> = {}): Promise<() => void> => {
  // The dashboard asks for the prices too.
  await page.goto('about:blank');
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(billing, async (route) => {
    const known = (await (await route.fetch()).json()) as Billing;
    await released;
    await route.fulfill({ json: { ...known, ...changed } });
  });
  return release;
};

describe('the pricing of a member', () => {
  it('has no introductory price before the server has given it to this account', async () => {
    const page = await openMember(environment, newAddress());
    const release = await holdPrices(page);
    await page.goto('/landing#pricing');
    await expectShown(page.locator('[data-plan-of="Free"]').getByText('Your plan'));
    await expectShown(page.getByRole('button', { name: paidInFull }));
    release();
    await expectShown(page.getByRole('button', { name: 'Pro: Pay $4.99, then $9.99/month' }));
    await expectShown(
      page.locator('[data-plan-of="Pro"] .price:visible').getByText('$9.99', { exact: true }),
    );
  }, 120_000);

  it('opens the payment page of a press once the own prices are known', async () => {
    const page = await openMember(environment, newAddress());
    const order: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith(paymentRoutes.checkout('Pro'))) order.push('checkout');
    });
    const release = await holdPrices(page);
    await page.goto('/landing#pricing');
    await page.getByRole('button', { name: paidInFull }).click();
    await expectShown(page.getByRole('button', { name: 'Pro: Processing...' }));
    await page.waitForLoadState('load');
    order.push('prices');
    release();
    await expectShown(payment(page));
    expect(order).toEqual(['prices', 'checkout']);
  }, 120_000);

  it('buys nothing where the prices come with a refusal, and the focus is on its reason', async () => {
    const page = await openMember(environment, newAddress());
    let asked = 0;
    await page.route(checkout, (route) => {
      asked++;
      return route.abort();
    });
    const purchaseRefusal = { code: 'PAYMENT_DISPUTED', message: 'One of your payments is disputed.' };
    const release = await holdPrices(page, { purchaseRefusal });
    await page.goto('/landing#pricing');
    await page.getByRole('button', { name: paidInFull }).click();
    await expectShown(page.getByRole('button', { name: 'Pro: Processing...' }));
    release();
    await expectShown(page.locator(':focus', { hasText: purchaseRefusal.message }));
    expect(asked).toBe(0);
  }, 120_000);

  it('does not keep a press waiting when the prices cannot be found out', async () => {
    const page = await openMember(environment, newAddress());
    await answerWith(page, billing, 503, {});
    await page.goto('/landing#pricing');
    await page.getByRole('button', { name: paidInFull }).click();
    await expectShown(payment(page));
  }, 120_000);
});
