import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectHidden, expectShown } from '../explorer-screen.ts';
import { setUpTestEnvironment } from '../test-environment.ts';
import { checkRows } from './check-rows.ts';
import { expectLink, expectTexts } from './expectations.ts';
import { textsOf } from './shown-texts.ts';

const environment = setUpTestEnvironment({ product: 'shared' });

const openLanding = async (user: 'visitor' | 'member' = 'visitor'): Promise<Page> => {
  const page = user === 'member' ? environment.page : await environment.openPage('visitor');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/landing');
  return page;
};

const isOnScreen = (page: Page, selector: string): Promise<unknown> =>
  page.waitForFunction((wanted) => {
    const { top = -1, bottom = -1 } = document.querySelector(wanted)?.getBoundingClientRect() ?? {};
    return top < window.innerHeight && bottom > 0;
  }, selector);

const scrollBehaviour = (page: Page): Promise<string> =>
  page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior);

/** Presses a link of the header; ends when its section is on the screen. */
const goTo = async (page: Page, name: string, section: string): Promise<void> => {
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name, exact: true }).click();
  await page.waitForURL(({ hash }) => hash === section);
  await isOnScreen(page, section);
};

describe('the landing page', () => {
  it('has its header, hero and the promotion of the explorer', async () => {
    const page = await openLanding();
    const members = await openLanding('member');
    const header = page.locator('.topbar');
    const promo = page.locator('#explorer');
    await checkRows('landing header, hero and promotion', {
      'its sections follow each other: explorer, products, pricing, questions, about, contact': async () =>
        expect(await page.locator('main section[id]').evaluateAll((all) => all.map(({ id }) => id))).toEqual([
          'explorer',
          'products',
          'pricing',
          'faq',
          'about',
          'contact',
        ]),
      'a visitor gets the same page at / and at /landing': async () => {
        const headings = async (path: string): Promise<readonly string[]> =>
          (await (await page.request.get(path)).text()).match(/<h[123][ >].*?<\/h[123]>/g) ?? [];
        expect((await headings('/')).length).toBeGreaterThan(15);
        expect(await headings('/')).toEqual(await headings('/landing'));
      },
      'the header stays at the top of the window': async () => {
        await page.evaluate(() => window.scrollTo(0, 2_000));
        expect(await page.evaluate(() => window.scrollY)).toBe(2_000);
        expect((await header.boundingBox())?.y).toBe(0);
      },
      'Products leads to its section': () => goTo(page, 'Products', '#products'),
      'Pricing leads to its section': () => goTo(page, 'Pricing', '#pricing'),
      'About Us leads to its section': () => goTo(page, 'About Us', '#about'),
      'Contact leads to its section': () => goTo(page, 'Contact', '#contact'),
      'the way to a section is scrolled smoothly, unless less motion is wished for': async () => {
        expect(await scrollBehaviour(page)).toBe('auto');
        await page.emulateMedia({ reducedMotion: 'no-preference' });
        expect(await scrollBehaviour(page)).toBe('smooth');
        await page.emulateMedia({ reducedMotion: 'reduce' });
      },
      'the menu of a narrow window closes after a choice': async () => {
        await page.setViewportSize({ width: 390, height: 844 });
        const menu = page.getByRole('navigation', { name: 'Menu' });
        await page.getByRole('button', { name: 'Menu' }).click();
        await menu.getByRole('link', { name: 'Products' }).click();
        await expectHidden(menu);
        await isOnScreen(page, '#products');
        await page.setViewportSize({ width: 1_440, height: 900 });
      },
      'visitors get Login and Get Started, both to sign-in': async () => {
        for (const name of ['Login', 'Get Started'])
          await expectLink(header.getByRole('link', { name }), /^\/api\/login$/);
        expect(await header.getByRole('link', { name: 'Members' }).count()).toBe(0);
      },
      'members get Members instead, which leads to the dashboard': async () => {
        await expectLink(members.locator('.topbar').getByRole('link', { name: 'Members' }), /^\/$/);
        for (const name of ['Login', 'Get Started'])
          expect(await members.getByRole('link', { name }).count()).toBe(0);
      },
      'the hero has a headline': async () =>
        expect(await textsOf(page.locator('.hero h1'))).toEqual([
          'Every setting tried. Every result on tape.',
        ]),
      'the store of the extension opens in a new tab': () =>
        expectLink(
          page.locator('.hero').getByRole('link', { name: 'Get the extension' }),
          /^https:/,
          '_blank',
        ),
      'the demo video is played within the page': async () => {
        await page.getByRole('button', { name: /Watch the demo/ }).click();
        const video = page.locator('.hero video');
        await expectShown(video);
        expect(await video.locator('source').getAttribute('src')).toBe('/demo/demo.webm');
      },
      'the promotion has the badge LIMITED TIME': () => expectTexts(promo, 'LIMITED TIME'),
      'the promotion has the badges 4,500+ strategies and Real Data': () =>
        expectTexts(promo, '4,500+ strategies', 'Real Data'),
      'Explore Strategies leads to sign-in': () =>
        expectLink(promo.getByRole('link', { name: 'Explore Strategies' }), /^\/api\/login\?/),
    });
  }, 180_000);

  it('has the products, claims, contacts and its foot', async () => {
    const page = await openLanding();
    const product = (name: string) => page.locator('.product').filter({ hasText: name });
    const claim = (of: string) => page.locator('.claims > div').filter({ hasText: of }).locator('dd');
    const contact = page.locator('#contact');
    const foot = page.getByRole('contentinfo');
    await checkRows('landing products, about, contact and foot', {
      'Strategy Optimizer: Download Extension opens the store in a new tab': () =>
        expectLink(
          product('Strategy Optimizer').getByRole('link', { name: 'Download Extension' }),
          /^https:/,
          '_blank',
        ),
      'Strategy Explorer: Launch Explorer leads to sign-in': () =>
        expectLink(
          product('Strategy Explorer').getByRole('link', { name: 'Launch Explorer' }),
          /^\/api\/login\?/,
        ),
      'Strategy Explorer is marked Beta, and has more than 4,500 strategies': async () => {
        await expectTexts(product('Strategy Explorer'), 'Beta');
        await expectShown(product('Strategy Explorer').getByText(/^More than 4,500 /));
      },
      'Trading Bots is marked Coming Soon, and cannot be chosen': async () => {
        await expectTexts(product('Trading Bots'), 'Coming Soon');
        expect(await product('Trading Bots').getByRole('button').isDisabled()).toBe(true);
        expect(await product('Trading Bots').getByRole('link').count()).toBe(0);
      },
      'about: 10K+ active users': async () => expect(await claim('active users').innerText()).toBe('10K+'),
      'about: $2B+ volume analysed': async () =>
        expect(await claim('volume analysed').innerText()).toBe('$2B+'),
      'about: 4,500+ strategies': async () => expect(await claim('strategies').innerText()).toBe('4,500+'),
      'about: the city is named': () =>
        expectShown(page.locator('#about').getByText(/ San Francisco, California\.$/)),
      'about: several networks are linked, each in a new tab': async () => {
        const links = page.locator('#about').getByRole('link');
        expect(await links.count()).toBeGreaterThan(1);
        for (const link of await links.all()) await expectLink(link, /^https:/, '_blank');
      },
      'contact: the community server opens in a new tab': () =>
        expectLink(contact.getByRole('link', { name: 'Community server' }), /^https:/, '_blank'),
      'contact: the billing address is billing@tapedeck.example': () =>
        expectLink(
          contact.getByRole('link', { name: 'billing@tapedeck.example', exact: true }),
          /^mailto:billing@tapedeck\.example$/,
        ),
      'the foot leads to the privacy policy and to the terms': async () => {
        await expectLink(
          foot.getByRole('link', { name: 'Privacy Policy' }),
          /^\/pages\/extension-privacy-policy$/,
        );
        await expectLink(foot.getByRole('link', { name: 'Terms of Service' }), /^\/pages\/terms-of-service$/);
      },
      'the foot has links for Documentation, Help Center and Community': async () => {
        for (const name of ['Documentation', 'Help Center', 'Community'])
          await expectLink(foot.getByRole('link', { name }), /^https:/, '_blank');
      },
    });
  }, 180_000);

  it('answers ten questions', async () => {
    const page = await openLanding();
    const open = (): Promise<readonly string[]> => textsOf(page.locator('details[open] summary'));
    const answer = (question: string): Promise<string | null> =>
      page.locator('details').filter({ hasText: question }).locator('.answer').textContent();
    await checkRows('questions', {
      'the topics are optimizers, the extension, its price, parameters, competitors, markets, Pine Script v5, durations, profit and CSV export':
        async () =>
          expect(await page.locator('details summary').allTextContents()).toEqual([
            'What is a strategy optimizer?',
            'How does the extension work?',
            'Is it free?',
            'Which parameters can be optimized?',
            'How does it compare with other optimizers?',
            'Which markets are supported?',
            'Does it support Pine Script v5?',
            'How long does an optimization take?',
            'Does it guarantee a profit?',
            'Can I export the results?',
          ]),
      'the first one is open at first': async () =>
        expect(await open()).toEqual(['What is a strategy optimizer?']),
      'one is open at a time': async () => {
        await page.getByText('Is it free?').click();
        expect(await open()).toEqual(['Is it free?']);
      },
      'a press on the open one closes it': async () => {
        await page.getByText('Is it free?').click();
        expect(await open()).toEqual([]);
      },
      'free: the timeframe and one parameter, paid tiers have five and more': async () => {
        expect(await answer('Is it free?')).toMatch(
          / the timeframe and one parameter\. .*five or more parameters/,
        );
      },
      'a simple optimization takes 2 to 5 minutes, a complex one 15 to 30': async () =>
        expect(await answer('How long does an optimization take?')).toMatch(
          /^Simple optimizations take 2 to 5 minutes, complex ones 15 to 30 minutes\./,
        ),
      'a profit is not guaranteed': async () =>
        expect(await answer('Does it guarantee a profit?')).toMatch(/^No\. /),
      'CSV export is for paid members': async () =>
        expect(await answer('Can I export the results?')).toMatch(/ paid members can export them as CSV\.$/),
      'search engines get the same questions and answers as data': async () => {
        type Entry = Readonly<{ name: string; acceptedAnswer: { text: string } }>;
        const text = await page.locator('script[type="application/ld+json"]').textContent();
        const data = JSON.parse(text ?? '') as { '@graph': readonly { mainEntity?: readonly Entry[] }[] };
        const entries = data['@graph'].flatMap(({ mainEntity = [] }) => mainEntity);
        expect(entries.map(({ name, acceptedAnswer }) => [name, acceptedAnswer.text])).toEqual(
          await page
            .locator('details')
            .evaluateAll((all) => all.map(({ children }) => [...children].map((part) => part.textContent))),
        );
      },
    });
  }, 180_000);
});
