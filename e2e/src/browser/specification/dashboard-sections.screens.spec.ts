import { describe, expect, it } from '@jest/globals';
import { identityRoutes, OptionalUser, type SignedInUser } from '@tapedeck/identity/contract';
import { membershipRoutes } from '@tapedeck/membership/contract';
import type { Page } from 'playwright-core';
import { expectHidden, expectShown } from '../explorer-screen.ts';
import { signInAs } from '../membership-screen.ts';
import { setUpTestEnvironment } from '../test-environment.ts';
import { checkRows } from './check-rows.ts';
import { answerWith, expectLink, expectTexts } from './expectations.ts';
import { textsOf } from './shown-texts.ts';

const environment = setUpTestEnvironment({ product: 'shared' });

const openDashboard = async (page: Page): Promise<void> => {
  await page.goto('/');
  await expectShown(page.getByRole('heading', { name: 'Community' }));
};

type Names = Readonly<{ greeting: string; menu: string | null; avatar: string }>;

/** What the dashboard calls an account with these names. */
const namesOf = async (page: Page, user: SignedInUser, names: Partial<SignedInUser>): Promise<Names> => {
  const stop = await answerWith(page, `**${identityRoutes.optionalUser}`, 200, {
    user: { ...user, ...names },
  });
  await page.goto('/');
  const trigger = page.locator('.topbar .user');
  await expectShown(trigger);
  const greeting = await page.getByRole('heading', { level: 1 }).innerText();
  const menu = await trigger.getAttribute('aria-label');
  const avatar = await trigger.locator('.avatar').evaluate((element) => element.outerHTML);
  await stop();
  return { greeting, menu, avatar };
};

const currentUser = async (page: Page): Promise<SignedInUser> => {
  const { user } = OptionalUser.parse(await (await page.request.get(identityRoutes.optionalUser)).json());
  if (!user) throw new Error('There is no session.');
  return user;
};

describe('the dashboard', () => {
  it('greets by name', async () => {
    const { page } = environment;
    const user = await currentUser(page);
    const full = await namesOf(page, user, {
      firstName: 'Priya',
      lastName: 'Raman',
      email: 'pr@example.com',
    });
    const first = await namesOf(page, user, { firstName: 'Priya', lastName: null });
    const address = await namesOf(page, user, {
      firstName: null,
      lastName: 'Raman',
      email: 'nora@example.com',
    });
    const nothing = await namesOf(page, user, { firstName: null, lastName: null, email: '' });
    const profileImageUrl = '/icon-512.png';
    const picture = await namesOf(page, user, { profileImageUrl });
    await checkRows('names', {
      'the greeting is by the first name': () =>
        Promise.resolve(expect(full.greeting).toMatch(/^Good (morning|afternoon|evening), Priya$/)),
      'without a first name the greeting is by the e-mail address before the at-sign': () =>
        Promise.resolve(expect(address.greeting).toMatch(/, nora$/)),
      'without a first name and an address the greeting says: there': () =>
        Promise.resolve(expect(nothing.greeting).toMatch(/, there$/)),
      'the display name is first and last name': () =>
        Promise.resolve(expect(full.menu).toMatch(/: Priya Raman, account menu$/)),
      'without a last name the display name is the first name': () =>
        Promise.resolve(expect(first.menu).toMatch(/: Priya, account menu$/)),
      'without a first name the display name is the e-mail address before the at-sign': () =>
        Promise.resolve(expect(address.menu).toMatch(/: nora, account menu$/)),
      'without names and address the display name is: User': () =>
        Promise.resolve(expect(nothing.menu).toMatch(/: User, account menu$/)),
      'the avatar is the picture of the profile': () =>
        Promise.resolve(expect(picture.avatar).toContain(`src="${profileImageUrl}"`)),
      'without a picture the avatar has the first letters of first and last name': () =>
        Promise.resolve(expect(full.avatar).toMatch(/>PR</)),
      'without a last name the avatar has the first letter of the first name': () =>
        Promise.resolve(expect(first.avatar).toMatch(/>P</)),
      'without a first name the avatar has the first letter of the address, in upper case': () =>
        Promise.resolve(expect(address.avatar).toMatch(/>N</)),
      'without names and address the avatar has: U': () =>
        Promise.resolve(expect(nothing.avatar).toMatch(/>U</)),
    });
  }, 180_000);

  it('has its cards', async () => {
    const { page } = environment;
    await openDashboard(page);
    const card = (name: string) => page.getByRole('region', { name, exact: true });
    const explorer = card('Strategy Explorer');
    const optimizer = card('Strategy Optimizer');
    const community = card('Community');
    await checkRows('dashboard', {
      'a button beside the greeting opens the community in a new tab': () =>
        expectLink(
          page.locator('.member-head').getByRole('link', { name: 'Join the community' }),
          /^https:/,
          '_blank',
        ),
      'there are cards for membership, favorites, explorer, optimizer and community': async () => {
        for (const name of [
          'Membership',
          'Favorites',
          'Strategy Explorer',
          'Strategy Optimizer',
          'Community',
        ])
          await expectShown(card(name));
      },
      'Strategy Explorer has the badge New': () => expectTexts(explorer, 'New'),
      'Strategy Explorer has three numbered steps': async () => {
        expect(await explorer.locator('ol.steps > li').count()).toBe(3);
      },
      'Strategy Optimizer has the badge Available': () => expectTexts(optimizer, 'Available'),
      'Strategy Optimizer: install the extension, open a strategy, start the optimization': async () =>
        expect(await textsOf(optimizer.locator('ol.steps > li'))).toEqual([
          'Install the extension.',
          'Open a strategy on a chart.',
          'Start the optimization.',
        ]),
      'View Guide opens the guide in a new tab': () =>
        expectLink(optimizer.getByRole('link', { name: 'View Guide' }), /^https:/, '_blank'),
      'Community has three benefits and a button to join in a new tab': async () => {
        expect(await community.getByRole('listitem').count()).toBe(3);
        await expectLink(community.getByRole('link', { name: 'Join the chat server' }), /^https:/, '_blank');
      },
      'members with a plan are not asked to upgrade': async () =>
        expect(await page.getByText(/Upgrade/).count()).toBe(0),
      'members have no admin panel': async () => expect(await page.getByText('Admin Access').count()).toBe(0),
      'nothing is asked again when the window gets the focus': async () => {
        await page.waitForLoadState('networkidle');
        // What the focus causes is sent before the next task; later requests have other causes.
        const asked = await page.evaluate(async () => {
          const { fetch } = window;
          const sent: string[] = [];
          const recordingFetch = (url: string, init?: RequestInit): Promise<Response> => {
            sent.push(url);
            return fetch(url, init);
          };
          Object.assign(window, { fetch: recordingFetch });
          window.dispatchEvent(new Event('focus'));
          await new Promise((resolve) => setTimeout(resolve));
          Object.assign(window, { fetch });
          return sent;
        });
        expect(asked).toEqual([]);
      },
      'the foot has Privacy Policy, Terms of Service, Help Center, Documentation and Support': async () => {
        for (const name of ['Privacy Policy', 'Terms of Service', 'Help Center', 'Documentation', 'Support'])
          await expectShown(page.getByRole('contentinfo').getByRole('link', { name }));
      },
      'Get Extension switches to the section of the optimizer': async () => {
        await optimizer.getByRole('link', { name: 'Get Extension' }).click();
        await expectShown(page.getByRole('heading', { level: 1, name: 'Strategy Optimizer' }));
        // The address loses the parameter after the section is shown.
        await page.waitForURL(({ search }) => search === '');
        await page.goBack();
      },
      'Explore Strategies switches to the explorer': async () => {
        await explorer.getByRole('link', { name: 'Explore Strategies' }).click();
        await expectShown(page.getByRole('heading', { level: 1, name: 'Strategy Explorer' }));
        await page.waitForURL('**/strategies');
      },
      'without a membership: No membership found. Contact support for assistance': async () => {
        await answerWith(page, `**${membershipRoutes.tier}`, 404, {});
        await openDashboard(page);
        await expectTexts(card('Membership'), 'No membership found. Contact support for assistance');
        await expectLink(card('Membership').getByRole('link', { name: 'Write to support' }), /^mailto:/);
      },
    });
  }, 180_000);

  it('has sections, and a menu of the account', async () => {
    const { page } = environment;
    const heading = (name: string) => page.getByRole('heading', { level: 1, name });
    const nav = page.getByRole('navigation', { name: 'Main' });
    const address = (): string => new URL(page.url()).pathname + new URL(page.url()).search;
    const expectSection = async (section: string, name: string | RegExp): Promise<void> => {
      await page.goto(`/?section=${section}`);
      await expectShown(page.getByRole('heading', { level: 1, name }));
      await page.waitForURL(({ search }) => search === '');
    };
    const menu = page.getByRole('menu');
    await checkRows('sections and user menu', {
      '/?section=strategy-optimizer shows the optimizer, and the address loses the parameter': () =>
        expectSection('strategy-optimizer', 'Strategy Optimizer'),
      '/?section=trading-bots shows the trading bots, and the address loses the parameter': () =>
        expectSection('trading-bots', 'Trading Bots'),
      '/?section=my-account shows the account, and the address loses the parameter': () =>
        expectSection('my-account', 'My Account'),
      '/?section=dashboard shows the dashboard, and the address loses the parameter': () =>
        expectSection('dashboard', /^Good /),
      '/?section=strategy-explorer leads to the explorer at /strategies': async () => {
        await page.goto('/?section=strategy-explorer');
        await expectShown(heading('Strategy Explorer'));
        expect(address()).toBe('/strategies');
      },
      'a section that is chosen on another page is shown at /': async () => {
        await page.goto('/pages/terms-of-service');
        await expectLink(nav.getByRole('link', { name: 'Trading Bots' }), /^\/\?section=trading-bots$/);
        await nav.getByRole('link', { name: 'Trading Bots' }).click();
        await expectShown(heading('Trading Bots'));
        await page.waitForURL(({ pathname, search }) => pathname + search === '/');
      },
      'a section that is chosen at / is shown in place, without loading the page': async () => {
        await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
        await nav.getByRole('link', { name: 'Optimizer' }).click();
        await expectShown(heading('Strategy Optimizer'));
        await page.waitForURL(({ pathname, search }) => pathname + search === '/');
        expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true);
      },
      'the menu of the account shows the e-mail address': async () => {
        await page.locator('.topbar .user').click();
        await expectShown(menu.getByText('pro@tapedeck.example'));
      },
      'the menu has Logout, a link that signs out': () =>
        expectLink(menu.getByRole('menuitem', { name: 'Logout' }), /^\/api\/logout$/),
      'the menu leads to My Account': async () => {
        await menu.getByRole('menuitem', { name: 'My Account' }).click();
        await expectShown(heading('My Account'));
        await expectHidden(menu);
      },
    });
  }, 180_000);

  it('has the tools of admins', async () => {
    const page = await environment.openPage('visitor');
    await signInAs(page, 'admin@tapedeck.example');
    await openDashboard(page);
    const panel = page.getByRole('region', { name: 'Admin Access' });
    await checkRows('admin panel', {
      'it has the tabs SQL Console and Strategy Upload': async () =>
        expect(await textsOf(panel.getByRole('tab'))).toEqual(['SQL Console', 'Strategy Upload']),
      'SQL Console is chosen at first': async () => {
        expect(await textsOf(panel.locator('[role=tab][aria-selected=true]'))).toEqual(['SQL Console']);
        await expectShown(panel.getByRole('button', { name: 'Execute' }));
      },
      'Strategy Upload shows the upload instead': async () => {
        await panel.getByRole('tab', { name: 'Strategy Upload' }).click();
        await expectShown(panel.getByRole('button', { name: 'Upload', exact: true }));
        await expectHidden(panel.getByRole('button', { name: 'Execute' }));
      },
    });
  }, 180_000);
});
