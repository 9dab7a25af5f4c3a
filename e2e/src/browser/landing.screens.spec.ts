import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { explorerRoutes, Teaser } from '@tapedeck/explorer/contract';
import { formatWhole } from '@tapedeck/web/format';
import type { Page } from 'playwright-core';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { expectHidden, expectShown, requestExploration } from './explorer-screen.ts';
import { overflow } from './layout-checks.ts';
import { layoutShiftOf, recordLayoutShift } from './layout-shift.ts';
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
    const sizes: Promise<number>[] = [];
    page.on('response', (response) => {
      const address = new URL(response.url());
      addresses.push(address);
      if (address.pathname.endsWith('.js')) sizes.push(response.body().then((body) => gzipSync(body).length));
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
    const scripts = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(scripts).toBeGreaterThan(0);
    expect(scripts).toBeLessThanOrEqual(100 * 1_024);
    const loaded = page.waitForResponse(/\/demo\/demo\.webm/);
    await page.getByRole('button', { name: /Watch the demo/ }).click();
    await loaded;
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
    await expectShown(reader.getByText('Paid tiers vary five or more parameters at once.'));
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
    await page.waitForURL(({ hash }) => hash === '#about');
    await page.waitForFunction(() => {
      const { top = 1_000 } = document.getElementById('about')?.getBoundingClientRect() ?? {};
      return top < window.innerHeight / 2;
    });
  });

  it('keeps the chosen theme, without a flash of the other one', async () => {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto('/');
    await page.getByRole('button', { name: 'Switch between light and dark' }).click();
    await page.addInitScript(() => {
      new MutationObserver((_changes, observer) => {
        if (!document.body) return;
        document.body.dataset['firstTheme'] = document.documentElement.dataset['theme'];
        observer.disconnect();
      }).observe(document, { childList: true, subtree: true });
    });
    await page.goto('/landing');
    expect(await page.locator('body').getAttribute('data-first-theme')).toBe('dark');
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
    // Otherwise the page scrolls smoothly, and the slider moves on while it is measured.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto('/');
    await slidersLoaded();
    // The texts of the sliders ask for fonts.
    await page.evaluate(() => document.fonts.ready);
    let requests = 0;
    page.on('request', () => requests++);
    const before = await status().textContent();
    const plot = page.getByRole('group', { name: 'Max drawdown' });
    await plot.scrollIntoViewIfNeeded();
    const { x = 0, y = 0, width = 0, height = 0 } = (await plot.boundingBox()) ?? {};
    await page.mouse.move(x + width, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 3, y + height / 2, { steps: 5 });
    await expectShown(status().filter({ hasNotText: before ?? '' }));
    await page.mouse.up();
    expect(requests).toBe(0);
  });
});
