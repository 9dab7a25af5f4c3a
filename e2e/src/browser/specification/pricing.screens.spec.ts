import { describe, expect, it } from '@jest/globals';
import { setUpTestEnvironment } from '../test-environment.ts';
import { checkRows } from './check-rows.ts';
import { expectLink } from './expectations.ts';
import { textsOf } from './shown-texts.ts';

const environment = setUpTestEnvironment({ product: 'shared' });

describe('the pricing', () => {
  it('has three plans, with prices and features', async () => {
    const page = await environment.openPage('visitor');
    await page.goto('/');
    const plan = (tier: string) =>
      page.locator('.plan', { has: page.getByRole('heading', { name: tier, exact: true }) });
    const price = (tier: string) => plan(tier).locator('.price:visible');
    const show = (period: 'Monthly' | 'Annual'): Promise<void> =>
      page.locator('.choice label', { hasText: period }).click();
    /** What is charged, and the words beside it. */
    const charged = async (tier: string): Promise<readonly string[]> => [
      await price(tier).locator('b').innerText(),
      ...(await price(tier).locator('> span').innerText()).split(/\s*\n\s*/),
    ];
    /** What is drawn with a line through it. */
    const struckThrough = (tier: string): Promise<readonly string[]> =>
      price(tier)
        .locator('*')
        .evaluateAll((all) =>
          all
            .filter((element) => element.checkVisibility())
            .filter((element) => getComputedStyle(element).textDecorationLine === 'line-through')
            .map((element) => element.lastChild?.textContent ?? ''),
        );
    const features = (tier: string): Promise<readonly string[]> => textsOf(plan(tier).getByRole('listitem'));
    await checkRows('pricing', {
      'the plans are Free, Pro and Elite, and Pro is the popular one': async () => {
        expect(await page.locator('.plan h3').allTextContents()).toEqual(['Free', 'Pro', 'Elite']);
        expect(await page.locator('.plan', { hasText: 'Popular' }).locator('h3').allTextContents()).toEqual([
          'Pro',
        ]);
      },
      'prices are by the month at first': async () =>
        expect(await page.getByRole('radio', { name: 'Monthly' }).isChecked()).toBe(true),
      'annual billing is advertised as 25% off': async () =>
        expect(await textsOf(page.locator('.choice label'))).toEqual(['Monthly', 'Annual 25% off']),
      'Free costs $0': async () => expect((await charged('Free'))[0]).toBe('$0'),
      'Free: its button leads to sign-in': () =>
        expectLink(plan('Free').getByRole('link', { name: 'Start free' }), /^\/api\/login$/),
      'Pro by the month costs $4.99 for the first month, then $9.99 a month': async () =>
        expect(await charged('Pro')).toEqual(['$4.99', 'first month, then $9.99 a month']),
      'Pro by the month: $9.99 is struck through': async () =>
        expect(await struckThrough('Pro')).toEqual(['$9.99']),
      'Elite by the month costs $19.99 a month': async () =>
        expect((await charged('Elite')).slice(0, 2)).toEqual(['$19.99', 'a month']),
      'Elite by the month has the note $49.99 in 2026, and nothing is struck through': async () => {
        expect((await charged('Elite')).slice(2)).toEqual(['$49.99 in 2026']);
        expect(await struckThrough('Elite')).toEqual([]);
      },
      'Pro by the year costs $74.99 a year, save 25%': async () => {
        await show('Annual');
        expect(await charged('Pro')).toEqual(['$74.99', 'a year', 'save 25%']);
      },
      'Pro by the year: $119.88 is struck through': async () =>
        expect(await struckThrough('Pro')).toEqual(['$119.88']),
      'Elite by the year costs $179.99 a year, save 25%': async () =>
        expect(await charged('Elite')).toEqual(['$179.99', 'a year', 'save 25%']),
      'Elite by the year: $239.88 is struck through': async () =>
        expect(await struckThrough('Elite')).toEqual(['$239.88']),
      'the buttons name what is charged': async () => {
        expect(await textsOf(page.locator('.plan-pay:visible'))).toEqual([
          'Pro: Pay $74.99/year',
          'Elite: Pay $179.99/year',
        ]);
        await show('Monthly');
        expect(await textsOf(page.locator('.plan-pay:visible'))).toEqual([
          'Pro: Pay $4.99, then $9.99/month',
          'Elite: Pay $19.99/month',
        ]);
      },
      'Free lists unlimited optimizations, multiple timeframes, one parameter, adjustable backtest speed, historical results and community access':
        async () =>
          expect((await features('Free')).slice(0, 6)).toEqual([
            'Unlimited optimizations',
            'Multiple timeframes',
            'One parameter',
            'Adjustable backtest speed',
            'Historical results',
            'Community access',
          ]),
      'Free lists besides what everybody may use: favorites, Strategy Explorer (5000+) and strategy source code':
        async () =>
          expect((await features('Free')).slice(6)).toEqual([
            'Favorites',
            'Strategy Explorer (5000+)',
            'Strategy source code',
          ]),
      'Pro adds to everything in Free unlimited symbols, unlimited parameters, CSV export and community member roles':
        async () => {
          expect(await plan('Pro').locator('.plan-before').innerText()).toBe('Everything in Free, and');
          expect(await features('Pro')).toEqual([
            'Unlimited symbols',
            'Unlimited parameters',
            'CSV export',
            'Community member roles',
          ]);
        },
      'Elite adds to everything in Pro new strategies, member strategies, member optimization results and trading bots, which are coming soon':
        async () => {
          expect(await plan('Elite').locator('.plan-before').innerText()).toBe('Everything in Pro, and');
          expect(await features('Elite')).toEqual([
            'New strategies',
            'Member strategies',
            'Member optimization results',
            'Trading bots Coming soon',
          ]);
        },
      'it says that one can cancel at any time, and that access starts with the payment': async () =>
        expect(await textsOf(page.locator('.pricing .lede'))).toEqual([
          'Cancel at any time. Access starts as soon as the payment goes through.',
        ]),
    });
  }, 180_000);
});
