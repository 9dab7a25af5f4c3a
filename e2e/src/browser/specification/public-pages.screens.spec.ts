import { describe, expect, it } from '@jest/globals';
import { chartCaptureRoutes, SampleStrategy } from '@tapedeck/chart-capture/contract';
import { explorerRoutes } from '@tapedeck/explorer/contract';
import { expectHidden, expectShown, holdRequests } from '../explorer-screen.ts';
import { setUpTestEnvironment } from '../test-environment.ts';
import { checkRows } from './check-rows.ts';
import { expectLink, expectTexts } from './expectations.ts';
import { answerLater } from './held-answers.ts';
import { expectNewToast } from './shown-texts.ts';
import { recordDepartures, stopClock } from './stopped-clock.ts';

const environment = setUpTestEnvironment({ product: 'shared', expectedErrors: /status of 503/ });

describe('the legal pages', () => {
  it('say what they have to say', async () => {
    const page = await environment.openPage('visitor');
    const section = (name: RegExp) => page.getByRole('region', { name });
    const expectSaid = (part: RegExp, text: RegExp): Promise<void> =>
      expectShown(section(part).getByText(text));
    await checkRows('legal pages', {
      'the privacy policy was last updated on October 22, 2025': async () => {
        await page.goto('/pages/extension-privacy-policy');
        await expectTexts(page, 'Privacy Policy', 'Last updated October 22, 2025');
      },
      'the privacy policy names the data that are collected, where they come from, and what for':
        async () => {
          const table = section(/^\d+\. Data we collect$/).getByRole('table');
          expect(await table.getByRole('columnheader').allTextContents()).toEqual([
            'Data',
            'Where it comes from',
            'What we use it for',
          ]);
          for (const text of [
            /^Name, e-mail address/,
            /^Discord e-mail address and TradingView username$/,
            /payments/,
          ])
            await expectShown(table.getByRole('rowheader').getByText(text));
        },
      'the privacy policy covers the browser extension': () =>
        expectSaid(/The browser extension$/, /does not read other websites/),
      'the privacy policy has the rights: to see, correct, delete, object and complain': async () => {
        const rights = section(/^\d+\. Your rights$/);
        expect(await rights.locator('li strong').allInnerTexts()).toEqual([
          'see your data',
          'correct it',
          'delete it',
          'object to or restrict',
          'complain',
        ]);
      },
      'the terms were last updated on October 15, 2024': async () => {
        await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).click();
        await expectTexts(page, 'Terms of Service', 'Last updated October 15, 2024');
      },
      'the terms: one must be at least 18 years old': () =>
        expectSaid(/^\d+\. Eligibility$/, /^You must be at least 18 years old/),
      'the terms: a membership is billed again and again until it is cancelled': () =>
        expectSaid(/recurring billing$/, /renews automatically.* until you cancel\./),
      'the terms: fees are in US dollars': () =>
        expectSaid(/recurring billing$/, /^Fees are in US dollars\./),
      'the terms: fees are not refunded': () => expectSaid(/^\d+\. Refunds$/, /^Fees are non-refundable/),
      'the terms: a cancellation takes effect at the end of the billing period': () =>
        expectSaid(/^\d+\. Cancellation$/, /takes effect at the end of the billing period/),
      'the terms: liability is limited to the fees of 12 months or 100 US dollars, whichever is greater':
        () =>
          expectSaid(
            /^\d+\. Liability$/,
            /^the fees that you paid in the last 12 months or 100 US dollars, whichever is greater$/,
          ),
      'the terms: the law of California governs': () =>
        expectSaid(/^\d+\. Governing law$/, /governed by the law of the State of California, USA/),
      'the terms: nothing is financial advice, and trading can lose money': () =>
        expectSaid(/^\d+\. Trading disclaimer$/, /Nothing here is financial.*Trading can lose all the money/),
    });
  }, 180_000);
});

describe('a visitor', () => {
  it('is sent to sign-in by the pages of members', async () => {
    const page = await environment.openPage('visitor');
    await page.clock.install();
    /** Opens a page for members; ends when the browser would have gone to sign-in. */
    const expectSignIn = async (path: string): Promise<void> => {
      await page.unrouteAll();
      const release = await holdRequests(page, '**/api/auth/session');
      await page.goto(path);
      const departures = await recordDepartures(page);
      await stopClock(page);
      release();
      const toast = page.locator('.toast');
      // What an answer changes is drawn with the next frame.
      const deadline = performance.now() + 20_000;
      while ((await toast.count()) === 0 && performance.now() < deadline) await page.clock.runFor(1);
      await expectNewToast(page, 'Unauthorized', 'You are logged out. Logging in again...');
      const shown = await page.evaluate(() => Date.now());
      await page.clock.runFor(2_000);
      const login = new URL('/api/login', page.url());
      login.searchParams.set('returnTo', path);
      expect(await departures()).toEqual([{ address: login.href, at: shown + 500 }]);
      await page.clock.resume();
    };
    await checkRows('signed-out access', {
      '/strategies: Unauthorized, You are logged out. Logging in again..., and 500 ms later sign-in, which returns there':
        () => expectSignIn('/strategies'),
      '/strategy/…: the same toast, and sign-in returns there': () => expectSignIn('/strategy/one-of-them'),
      '/complete-profile: the same toast, and sign-in returns there': () => expectSignIn('/complete-profile'),
      '/?section=my-account: the same toast, and sign-in returns there': () =>
        expectSignIn('/?section=my-account'),
      'calls for members are answered with 401': async () => {
        for (const path of [
          explorerRoutes.filtered,
          '/api/indicators',
          '/api/member/favorites',
          '/api/member/tier',
          '/api/auth/user',
        ])
          expect([path, (await page.request.get(path)).status()]).toEqual([path, 401]);
      },
    });
  }, 180_000);

  it('gets the other pages', async () => {
    const page = await environment.openPage('visitor');
    await page.clock.install();
    const sample = SampleStrategy.parse(await (await page.request.get(chartCaptureRoutes.sample)).json());
    const picture = {
      imagePath: '/icon-512.png',
      width: 512,
      height: 512,
      takenAt: '2027-03-14T12:00:00.000Z',
    };
    const captures = `**${chartCaptureRoutes.capture}`;
    const release = await answerLater(page, captures, 200, picture);
    await checkRows('other pages', {
      'an address without a page: Page Not Found, and a way to /': async () => {
        await page.goto('/nowhere');
        await expectTexts(page, 'Page Not Found');
        await expectLink(page.getByRole('link', { name: 'Go to the start page' }), /^\/$/);
      },
      '/test-screenshot is for everybody, and names its one strategy': async () => {
        await page.goto('/test-screenshot');
        await expectTexts(
          page,
          'Chart capture test',
          `The performance chart of one strategy (${sample.urlId}), captured from the charting site as it is for every strategy page.`,
        );
      },
      'its strategy is the first by its id': async () =>
        expect(await environment.catalogue.countWhere(`url_id collate "C" < '${sample.urlId}'`)).toBe(0),
      'while the chart is captured: Loading performance chart, and after 4 s that it can take half a minute':
        async () => {
          // More than four seconds may have passed already.
          await Promise.all([page.waitForRequest(captures), page.reload({ waitUntil: 'commit' })]);
          await expectTexts(page, 'Loading performance chart');
          await page.clock.fastForward(4_000);
          await expectTexts(page, 'Capturing the performance chart. This can take half a minute.');
        },
      'a captured chart is shown with its day': async () => {
        await release();
        await expectTexts(page, 'Captured Mar 14, 2027');
        await expectShown(
          page.getByRole('img', { name: 'Performance chart, as the charting site shows it' }),
        );
        await expectHidden(page.getByText(/^Loading|^Capturing/));
      },
    });
  }, 180_000);
});
