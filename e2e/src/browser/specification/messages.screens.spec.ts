import { describe, expect, it } from '@jest/globals';
import { identityRoutes } from '@tapedeck/identity/contract';
import type { Page } from 'playwright-core';
import { expectHidden, expectShown } from '../explorer-screen.ts';
import { setUpTestEnvironment } from '../test-environment.ts';
import { checkRows } from './check-rows.ts';
import { answerWith } from './expectations.ts';
import { expectNewToast } from './shown-texts.ts';
import { stopClock } from './stopped-clock.ts';

const environment = setUpTestEnvironment({ product: 'shared', expectedErrors: /status of 503/ });

const missing = ['Missing information', 'Please fill in all required fields.'] as const;
const failed = ['Error', 'Failed to complete profile. Please try again.'] as const;

/** Drags the toast sideways with the pointer. */
const swipe = async (page: Page, distance: number): Promise<void> => {
  const { x = 0, y = 0, height = 0 } = (await page.locator('.toast').boundingBox()) ?? {};
  const start = { x: x + 60, y: y + height / 2 };
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(start.x + distance / 2, start.y, { steps: 3 });
  await page.mouse.move(start.x + distance, start.y, { steps: 3 });
  await page.mouse.up();
  await page.mouse.move(0, 0);
};

describe('messages', () => {
  it('come one at a time, and go by themselves', async () => {
    const { page } = environment;
    await page.clock.install();
    await page.goto('/complete-profile');
    const submit = page.getByRole('button', { name: 'Complete Profile' });
    const username = page.getByLabel('TradingView Username');
    const toast = page.locator('.toast');
    await expectShown(submit);
    // A toast is shown for as long as its rows need.
    await stopClock(page);
    const showMissing = async (): Promise<void> => {
      await username.fill('');
      await submit.click();
      await expectNewToast(page, ...missing);
    };
    const expectClosedAfter5s = async (): Promise<void> => {
      await page.clock.runFor(4_999);
      await expectShown(toast);
      await page.clock.runFor(1);
      await expectHidden(toast);
    };
    await checkRows('toasts', {
      'a toast is closed after 5000 ms': async () => {
        await showMissing();
        await expectClosedAfter5s();
      },
      'one toast is shown at a time: a newer one takes the place of the last one': async () => {
        await showMissing();
        const stop = await answerWith(page, `**${identityRoutes.completeProfile}`, 503, {});
        await username.fill('pro');
        await submit.click();
        await expectNewToast(page, ...failed);
        await stop();
        // The next frame, in which the form can be sent again.
        await page.clock.runFor(20);
      },
      'a swipe of 50 px to the right does not close it': async () => {
        await swipe(page, 50);
        await expectShown(page.locator('.toast[data-state=open][data-swipe=cancel]'));
      },
      'a swipe to the left does not close it': async () => {
        await swipe(page, -120);
        await expectShown(page.locator('.toast[data-state=open]:not([data-swipe=move])'));
      },
      'a swipe of more than 50 px to the right closes it': async () => {
        await swipe(page, 52);
        await expectHidden(toast);
      },
      'F8 moves the focus to the region of toasts': async () => {
        await showMissing();
        await page.keyboard.press('F8');
        await expectShown(page.locator('.toasts:focus'));
        expect(await page.getByRole('region', { name: 'Notifications (F8)' }).count()).toBe(1);
      },
      'Dismiss closes it': async () => {
        await toast.getByRole('button', { name: 'Dismiss' }).click();
        await expectHidden(toast);
      },
      'after a toast that was closed by the pointer, the next one is closed after 5000 ms too': async () => {
        await showMissing();
        await expectClosedAfter5s();
      },
    });
    const commands = page.getByRole('button', { name: 'Commands' });
    const tooltip = page.getByRole('tooltip');
    await checkRows('tooltips', {
      'a tooltip is shown when the pointer has been over its control for 700 ms': async () => {
        await commands.hover();
        await page.clock.runFor(699);
        expect(await tooltip.count()).toBe(0);
        await page.clock.runFor(1);
        expect(await tooltip.innerText()).toBe('Commands (Ctrl-K)');
      },
      'it is closed when the pointer leaves': async () => {
        await page.mouse.move(0, 600, { steps: 5 });
        await expectHidden(tooltip);
      },
      'it is shown at once when the control gets the focus by keyboard': async () => {
        await commands.focus();
        await expectShown(tooltip);
      },
    });
  }, 180_000);
});
