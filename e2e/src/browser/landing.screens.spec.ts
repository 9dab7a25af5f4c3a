import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { explorerRoutes, Teaser } from '@tapedeck/explorer/contract';
import { formatWhole } from '@tapedeck/web/format';
import type { Page } from 'playwright-core';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { expectHidden, expectShown, requestExploration } from './explorer-screen.ts';
import { overflow } from './layout-checks.ts';
import { layoutShiftOf, recordLayoutShift } from './layout-shift.ts';
import { openMember, openProMember } from './membership-screen.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment({ product: 'shared' });
let page: Page;

beforeEach(async () => {
  page = await environment.openPage('visitor');
});

const slider = (name: string) => page.getByRole('slider', { name });
const slidersLoaded = async (): Promise<void> => {
  await page.locator('#explorer').scrollIntoViewIfNeeded();
  await expectShown(slider('Sharpe ratio minimum'));
};

describe('the landing page', () => {
  it('is at / for visitors and at /landing for everybody, with its sections in order', async () => {
    for (const path of ['/', '/landing']) {
      await page.goto(path);
      expect(
        await page
          .locator('main > *, main > div > div > section')
          .evaluateAll((all) => all.flatMap(({ id }) => id || [])),
      ).toEqual(['explorer', 'products', 'pricing', 'faq', 'about', 'contact']);
      expect(await page.locator('.topbar .nav a').allTextContents()).toEqual([
        'Products',
        'Pricing',
        'FAQ',
        'About Us',
        'Contact',
      ]);
    }
    for (const name of ['Login', 'Get Started'])
      expect(await page.getByRole('link', { name }).first().getAttribute('href')).toBe('/api/login');
    expect(await page.getByRole('link', { name: 'Members' }).count()).toBe(0);
  });

  it('sells the extension: its store opens beside the page', async () => {
    await page.goto('/');
    for (const name of ['Get the extension', 'Download Extension']) {
      const link = page.getByRole('link', { name });
      expect([await link.getAttribute('target'), await link.getAttribute('rel')]).toEqual([
        '_blank',
        'noopener noreferrer',
      ]);
    }
    for (const name of ['Explore Strategies', 'Launch Explorer'])
      expect(await page.getByRole('link', { name, exact: true }).getAttribute('href')).toMatch(
        /^\/api\/login\?/,
      );
    await expectShown(page.getByText('LIMITED TIME', { exact: true }));
    await expectShown(page.getByText('4,500+ strategies', { exact: true }));
    await expectShown(page.getByText('Real Data', { exact: true }));
    expect(await page.getByRole('button', { name: 'Not available yet' }).isDisabled()).toBe(true);
  });

  it('loads nothing from another host, the video only after a press, and few scripts', async () => {
    const addresses: URL[] = [];
    let scripts = 0;
    page.on('response', async (response) => {
      const address = new URL(response.url());
      addresses.push(address);
      if (address.pathname.endsWith('.js')) scripts += gzipSync(await response.body()).length;
    });
    const requested = (path: string): readonly string[] =>
      addresses.map(({ pathname }) => pathname).filter((pathname) => pathname.startsWith(path));
    const fromOtherHosts = (): readonly string[] =>
      addresses.filter(({ host }) => host !== new URL(page.url()).host).map(({ href }) => href);
    await page.goto('/', { waitUntil: 'networkidle' });
    await slidersLoaded();
    await page.waitForLoadState('networkidle');
    expect(fromOtherHosts()).toEqual([]);
    expect(requested('/api/')).toEqual([explorerRoutes.teaser]);
    expect(requested('/demo/')).toEqual([]);
    expect(scripts).toBeGreaterThan(0);
    expect(scripts).toBeLessThanOrEqual(100 * 1_024);
    await page.getByRole('button', { name: /Watch the demo/ }).click();
    await page.waitForResponse(/\/demo\/demo\.webm/);
    const duration = await page.locator('video').evaluate(
      (video) =>
        new Promise((resolve) => {
          // The window's types do not say what the element is.
          const { readyState } = video as HTMLVideoElement;
          const read = (): void => resolve((video as HTMLVideoElement).duration);
          if (readyState > 0) read();
          else video.addEventListener('loadedmetadata', read);
        }),
    );
    expect(duration).toBe(30);
    expect(fromOtherHosts()).toEqual([]);
  });

  it('opens one question at a time, and closes it by a second press', async () => {
    await page.goto('/#faq');
    const open = page.locator('details[open] summary');
    expect(await page.locator('details').count()).toBe(10);
    expect(await open.allTextContents()).toEqual(['What is a strategy optimizer?']);
    await page.getByText('Is it free?').click();
    expect(await open.allTextContents()).toEqual(['Is it free?']);
    await page.getByText('Is it free?').click();
    expect(await open.count()).toBe(0);
    const data = await page.locator('script[type="application/ld+json"]').textContent();
    const [, faq] = (
      JSON.parse(data ?? '') as { '@graph': readonly { mainEntity?: readonly { name: string }[] }[] }
    )['@graph'];
    expect(faq?.mainEntity?.map(({ name }) => name)).toEqual(
      await page.locator('details summary').allTextContents(),
    );
  });

  it('has the prices of the server, by month and by year', async () => {
    await page.goto('/#pricing');
    const shown = async (): Promise<readonly string[]> =>
      (await page.locator('.plan .price:visible').allInnerTexts()).map((text) =>
        text.replaceAll(/\s+/g, ' '),
      );
    expect(await shown()).toEqual([
      '$0 for as long as you like',
      'Before: $9.99 $4.99 first month, then $9.99 a month',
      '$19.99 a month $49.99 in 2026',
    ]);
    await page.locator('.choice label', { hasText: 'Annual' }).click();
    expect(await shown()).toEqual([
      '$0 for as long as you like',
      'Before: $119.88 $74.99 a year save 25%',
      'Before: $239.88 $179.99 a year save 25%',
    ]);
    expect(await page.getByRole('link', { name: 'Start free' }).getAttribute('href')).toBe('/api/login');
  });

  it('asks a visitor for an address, and says what is wrong with it', async () => {
    await page.goto('/#pricing');
    await page.getByRole('button', { name: 'Elite: Pay $19.99/month' }).click();
    const dialog = page.getByRole('dialog');
    const submit = dialog.getByRole('button', { name: 'Pay $19.99/month' });
    expect(await submit.isDisabled()).toBe(true);
    await dialog.getByLabel('E-mail address').fill('nobody@nowhere');
    await submit.click();
    await expectShown(page.locator('.toast').getByText('Invalid Email'));
    await expectShown(dialog.getByText('Please enter a valid email address'));
    await page.route('**/api/create-elite-subscription-anonymous', (route) => route.fulfill({ json: {} }));
    await dialog.getByLabel('E-mail address').fill('somebody@example.com');
    await submit.click();
    await expectShown(page.locator('.toast').getByText('Failed to create checkout session'));
  });

  it('is read without JavaScript', async () => {
    const reader = await environment.openPage('visitor', { javaScriptEnabled: false });
    await reader.goto('/#pricing');
    for (const text of [
      'Every setting tried. Every result on tape.',
      'first month, then $9.99 a month',
      '10K+',
    ])
      await expectShown(reader.getByText(text));
    await reader.locator('.choice label', { hasText: 'Annual' }).click();
    await expectShown(reader.getByText('$179.99'));
    await reader.getByText('Is it free?').click();
    await expectShown(reader.getByText('Paid tiers vary five parameters and more at once.'));
    await expectHidden(reader.getByRole('button', { name: 'Switch between light and dark' }));
    await reader.setViewportSize({ width: 390, height: 844 });
    await reader.getByRole('button', { name: 'Menu' }).click();
    await expectShown(reader.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'FAQ' }));
  });

  it('closes the menu of phones after a choice, and scrolls there', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/');
    const menu = page.getByRole('navigation', { name: 'Menu' });
    await page.getByRole('button', { name: 'Menu' }).click();
    await menu.getByRole('link', { name: 'About Us' }).click();
    await expectHidden(menu);
    expect(new URL(page.url()).hash).toBe('#about');
    await page.waitForFunction(() => {
      const { top = 1_000 } = document.getElementById('about')?.getBoundingClientRect() ?? {};
      return top < window.innerHeight / 2;
    });
  });

  it('keeps the chosen theme, without a flash of the other one', async () => {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto('/');
    await page.getByRole('button', { name: 'Switch between light and dark' }).click();
    await page.goto('/landing', { waitUntil: 'commit' });
    await page.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark');
  });

  it.each([1_440, 1_024, 768, 390, 320])('is not wider than a window of %i pixels', async (width) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/');
    await slidersLoaded();
    expect(await page.evaluate(overflow)).toEqual([]);
  });

  it('does not move while it loads', async () => {
    await recordLayoutShift(page);
    for (const width of [1_440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto('/');
      await slidersLoaded();
      await page.evaluate(() => document.fonts.ready);
      expect(await layoutShiftOf(page)).toBeLessThanOrEqual(0.02);
    }
  });

  it('is accessible, with menu and dialog open too', async () => {
    await page.goto('/');
    await slidersLoaded();
    await expectAccessibleEverywhere(page);
    await page.getByRole('button', { name: /^Pro: Pay/ }).click();
    await expectShown(page.getByRole('dialog'));
    await expectAccessibleEverywhere(page);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Menu' }).click();
    await expectShown(page.getByRole('navigation', { name: 'Menu' }));
    await expectAccessibleEverywhere(page);
  }, 120_000);
});

describe('the sliders of the landing page', () => {
  const totalOf = async (query: string): Promise<number> =>
    (await requestExploration(environment.page, query)).total;
  const status = (): ReturnType<Page['locator']> => page.locator('.try').getByRole('status');

  it('show the real catalogue, and filter each other as the explorer does', async () => {
    await page.goto('/');
    await slidersLoaded();
    const teaser = Teaser.parse(await (await page.request.get(explorerRoutes.teaser)).json());
    const all = formatWhole(teaser.total);
    const low = Number(await slider('Sharpe ratio minimum').inputValue());
    expect(teaser.sharpeRatio.edges).toContain(low);
    await expectShown(
      status().filter({
        hasText: `${formatWhole(await totalOf(`min_sharpe_ratio=${low}`))} of ${all} strategies`,
      }),
    );
    const bars = page.getByRole('group', { name: 'Max drawdown' }).locator('svg.bars.in path');
    const before = await bars.getAttribute('d');
    await slider('Sharpe ratio minimum').focus();
    await page.keyboard.press('ArrowRight');
    const next = Number(await slider('Sharpe ratio minimum').inputValue());
    expect(teaser.sharpeRatio.edges.indexOf(next)).toBe(teaser.sharpeRatio.edges.indexOf(low) + 1);
    const total = await totalOf(`min_sharpe_ratio=${next}`);
    await expectShown(status().filter({ hasText: `${formatWhole(total)} of ${all} strategies` }));
    expect(await bars.getAttribute('d')).not.toBe(before);
    await page.getByRole('button', { name: 'Clear Sharpe ratio' }).click();
    await expectShown(status().filter({ hasText: `${all} of ${all} strategies` }));
  });

  it('follow a drag without a request', async () => {
    await page.goto('/');
    await slidersLoaded();
    let requests = 0;
    page.on('request', () => requests++);
    const before = await status().textContent();
    const plot = page.getByRole('group', { name: 'Max drawdown' });
    const { x = 0, y = 0, width = 0, height = 0 } = (await plot.boundingBox()) ?? {};
    await page.mouse.move(x + width, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 3, y + height / 2, { steps: 5 });
    await expectShown(status().filter({ hasNotText: before ?? '' }));
    await page.mouse.up();
    expect(requests).toBe(0);
  });
});

describe('a browser with a session', () => {
  const buttons = async (): Promise<readonly string[]> =>
    (await page.locator('.plan .btn:visible').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));

  it('gets the dashboard at /, and at /landing a way to it and the present plan', async () => {
    page = await openMember(environment, `${crypto.randomUUID().slice(0, 8)}@members.example`);
    await page.goto('/landing');
    await expectShown(page.getByRole('link', { name: 'Members' }));
    expect(await page.getByRole('link', { name: /Login|Get Started/ }).count()).toBe(0);
    await expectShown(page.locator('[data-plan-of="Free"]').getByText('Your plan'));
    expect(await buttons()).toEqual([
      'Go to the dashboard',
      'Pro: Pay $4.99, then $9.99/month',
      'Elite: Pay $19.99/month',
    ]);
    await page.getByRole('link', { name: 'Members' }).click();
    await expectShown(page.getByRole('heading', { name: 'Strategy Optimizer' }));
    await page.goto('/#pricing');
    await page.waitForURL('**/landing#pricing');
  }, 60_000);

  it('that has a subscription is sent to My Account to change it', async () => {
    page = await openProMember(environment, `${crypto.randomUUID().slice(0, 8)}@members.example`);
    await page.goto('/landing#pricing');
    await expectShown(page.locator('[data-plan-of="Pro"]').getByText('Your plan'));
    expect(await buttons()).toEqual([
      'Go to the dashboard',
      'Change your plan in My Account',
      'Change your plan in My Account',
    ]);
  }, 60_000);

  it('that is over gets the page of a visitor, without an error', async () => {
    const { port } = new URL((await page.goto('/'))?.url() ?? '');
    const cookie = { name: `tapedeck-${port}`, value: 'over', domain: 'localhost', path: '/' };
    await page.context().addCookies([cookie]);
    await page.goto('/landing');
    await expectShown(page.getByRole('link', { name: 'Get Started' }));
    expect(await page.context().cookies()).toEqual([]);
    await page.context().addCookies([cookie]);
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
