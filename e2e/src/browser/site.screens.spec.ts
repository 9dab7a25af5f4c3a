import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import type { Page } from 'playwright-core';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { expectShown } from './explorer-screen.ts';
import { newAddress } from './favourites-screen.ts';
import { buyByEmail, claimByCode, openMember, openProMember } from './membership-screen.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment({ product: 'shared' });
let page: Page;

beforeEach(async () => {
  page = await environment.openPage('visitor');
});

describe('a browser with a session', () => {
  const withIntro = 'Pro: Pay $4.99, then $9.99/month';
  const buttons = async (): Promise<readonly string[]> =>
    (await page.locator('.plan .btn:visible').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));

  it('gets the dashboard at /, and at /landing a way to it and the present plan', async () => {
    page = await openMember(environment, newAddress());
    await page.goto('/landing');
    await expectShown(page.getByRole('link', { name: 'Members' }));
    expect(await page.getByRole('link', { name: /Login|Get Started/ }).count()).toBe(0);
    await expectShown(page.locator('[data-plan-of="Free"]').getByText('Your plan'));
    await expectShown(page.getByRole('button', { name: withIntro }));
    expect(await buttons()).toEqual(['Go to the dashboard', withIntro, 'Elite: Pay $19.99/month']);
    await page.getByRole('link', { name: 'Members' }).click();
    await expectShown(page.getByRole('heading', { name: 'Strategy Optimizer' }));
    await page.goto('/#pricing');
    await page.waitForURL('**/landing#pricing');
  }, 60_000);

  it('that has a subscription is sent to My Account to change it', async () => {
    page = await openProMember(environment, newAddress());
    await page.goto('/landing#pricing');
    await expectShown(page.locator('[data-plan-of="Pro"]').getByText('Your plan'));
    await expectShown(page.getByRole('link', { name: 'Change your plan in My Account' }).first());
    expect(await buttons()).toEqual([
      'Go to the dashboard',
      'Change your plan in My Account',
      'Change your plan in My Account',
    ]);
  }, 60_000);

  it('that has claimed a purchase by a code can buy a plan of its own', async () => {
    const buyer = newAddress();
    await buyByEmail(page, buyer);
    page = await openMember(environment, newAddress());
    await claimByCode(environment, page, buyer);
    await page.goto('/landing#pricing');
    await expectShown(page.locator('[data-plan-of="Pro"]').getByText('Your plan'));
    await page.getByRole('button', { name: 'Elite: Pay $19.99/month' }).click();
    await expectShown(page.getByText('$19.99 per month', { exact: true }));
  }, 60_000);

  const setEndedSession = async (): Promise<void> => {
    const { port } = new URL((await page.goto('/landing'))?.url() ?? '');
    const cookie = { name: `tapedeck-${port}`, value: 'over', domain: 'localhost', path: '/' };
    await page.context().addCookies([cookie]);
  };

  it('that is over gets the page of a visitor, without an error', async () => {
    await setEndedSession();
    await page.goto('/landing');
    await expectShown(page.getByRole('link', { name: 'Get Started' }));
    await expectShown(page.getByRole('button', { name: withIntro }));
    await eventually(async () => expect(await page.context().cookies()).toEqual([]));
  });

  it('that is over is sent from / to the page of a visitor, without an error', async () => {
    await setEndedSession();
    await page.goto('/');
    await page.waitForURL('**/landing');
    await expectShown(page.getByRole('link', { name: 'Get Started' }));
  });
});

describe('what other sites and search engines get', () => {
  it('is complete: addresses, pictures, manifest', async () => {
    await page.goto('/landing');
    const { origin } = new URL(page.url());
    const content = (selector: string): Promise<string | null> =>
      page
        .locator(selector)
        .evaluate((element) => element.getAttribute('content') ?? element.getAttribute('href'));
    expect(await content('link[rel=canonical]')).toBe(`${origin}/`);
    expect(await content('meta[property="og:url"]')).toBe(`${origin}/`);
    const files = [
      String(await content('meta[property="og:image"]')),
      ...(await page
        .locator('link[rel~=icon], link[rel=apple-touch-icon], link[rel=manifest]')
        .evaluateAll((links) =>
          links.map((link) => new URL(link.getAttribute('href') ?? '', location.href).href),
        )),
    ];
    const manifest = (await (await page.request.get('/site.webmanifest')).json()) as {
      icons: readonly { src: string }[];
    };
    files.push(...manifest.icons.map(({ src }) => origin + src));
    expect(files.length).toBeGreaterThan(6);
    for (const file of files) {
      const answer = await page.request.get(file);
      expect([file, answer.status(), answer.headers()['content-type']]).toEqual([
        file,
        200,
        expect.stringMatching(/^(image\/|application\/manifest\+json)/),
      ]);
    }
    expect(await (await page.request.get('/robots.txt')).text()).toContain(`Sitemap: ${origin}/sitemap.xml`);
    const sitemap = await (await page.request.get('/sitemap.xml')).text();
    const listed = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) => address);
    expect(listed).toContain(`${origin}/pages/extension-privacy-policy`);
    for (const address of listed) expect((await page.request.get(address)).status()).toBe(200);
    expect((await page.request.get('/landing.html')).status()).toBe(404);
  });

  it('is not sent again to a browser that has it', async () => {
    const { headers } = await fetch(new URL('/', (await page.goto('/'))?.url()));
    const known = { 'if-none-match': headers.get('etag') ?? '' };
    const again = await fetch(page.url(), { headers: known });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const { port } = new URL(page.url());
    const signedIn = await fetch(page.url(), { headers: { ...known, cookie: `tapedeck-${port}=x` } });
    expect(signedIn.status).toBe(200);
    expect(headers.get('vary')).toMatch(/cookie/i);
  });
});

describe('the foot', () => {
  it('is on every page, with all of its links', async () => {
    const { page: member } = environment;
    for (const path of [
      '/landing',
      '/',
      '/strategies',
      '/payment-success',
      '/pages/terms-of-service',
      '/nowhere',
    ]) {
      await member.goto(path);
      const foot = member.getByRole('contentinfo');
      await expectShown(foot.getByRole('link', { name: 'Documentation' }));
      expect([path, await foot.getByRole('link').allTextContents()]).toEqual([
        path,
        expect.arrayContaining([
          'Documentation',
          'Help Center',
          'Community',
          'Support',
          'Privacy Policy',
          'Terms of Service',
        ]),
      ]);
    }
    await member.getByRole('link', { name: 'Privacy Policy' }).click();
    await expectShown(member.getByRole('heading', { level: 1, name: 'Privacy Policy' }));
    await expectShown(member.getByText('Last updated October 22, 2025'));
    await expectAccessibleEverywhere(member);
  }, 120_000);
});
