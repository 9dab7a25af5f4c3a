import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectShown } from '../explorer-screen.ts';
import { setUpTestEnvironment } from '../test-environment.ts';
import { checkRows } from './check-rows.ts';
import { expectLink, expectTexts } from './expectations.ts';

const environment = setUpTestEnvironment({ product: 'shared' });

const openSection = async (section: string): Promise<Page> => {
  const { page } = environment;
  await page.goto(`/?section=${section}`);
  await expectShown(page.getByRole('heading', { level: 1 }));
  return page;
};

describe('the sections without data of the member', () => {
  it('Trading Bots', async () => {
    const page = await openSection('trading-bots');
    await checkRows('trading bots', {
      'the title is Trading Bots, with the badge Coming Soon': () =>
        expectTexts(page, 'Trading Bots', 'Coming Soon'),
      'the features are 24/7 automated execution, multi-exchange support, advanced risk management and real-time monitoring':
        () =>
          expectTexts(
            page,
            '24/7 automated execution',
            'Multi-exchange support',
            'Advanced risk management',
            'Real-time monitoring',
          ),
      'supported exchanges are listed': async () =>
        expect(
          await page.getByRole('region', { name: 'Supported exchanges' }).getByRole('listitem').count(),
        ).toBeGreaterThan(1),
      'Notify Me When Available cannot be pressed': async () =>
        expect(await page.getByRole('button', { name: 'Notify Me When Available' }).isDisabled()).toBe(true),
    });
  }, 60_000);

  it('Strategy Optimizer', async () => {
    const page = await openSection('strategy-optimizer');
    await checkRows('strategy optimizer', {
      'the features are optimization algorithms, Monte Carlo simulation, backtesting metrics and risk analysis':
        () =>
          expectTexts(
            page,
            'Parameter optimization algorithms',
            'Monte Carlo simulation',
            'Advanced backtesting metrics',
            'Risk management analysis',
          ),
      'Get Extension opens the store in a new tab': () =>
        expectLink(page.getByRole('link', { name: 'Get Extension' }), /^https:/, '_blank'),
      'View Guide opens the guide in a new tab': () =>
        expectLink(page.getByRole('link', { name: 'View Guide' }), /^https:/, '_blank'),
      'Recent Optimizations has two examples, one completed and one running': async () =>
        expect(
          await page
            .getByRole('region', { name: 'Recent Optimizations' })
            .locator('li .badge')
            .allTextContents(),
        ).toEqual(['Completed', 'Running']),
    });
  }, 60_000);
});
