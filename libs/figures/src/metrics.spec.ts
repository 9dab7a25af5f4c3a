import { afterEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@tapedeck/platform/log';
import { register } from 'prom-client';
import { showInMetrics } from './metrics.ts';
import { figuresOfTwoDays } from './testing/figures-of-two-days.ts';

const logger = createLogger('test', 'silent');

let hide = (): void => undefined;
afterEach(() => hide());

const lines = async (): Promise<readonly string[]> =>
  (await register.metrics()).split('\n').filter((line) => line.startsWith('figures_'));

describe('the metrics of figures', () => {
  it('are those of the current day, without what is not known', async () => {
    hide = showInMetrics({ read: async () => figuresOfTwoDays, logger });
    expect(await lines()).toEqual([
      'figures_active_members{tier="Pro",period="monthly"} 5',
      'figures_monthly_recurring_revenue{currency="usd"} 4995',
      'figures_members_today{change="new"} 2',
      'figures_members_today{change="returned"} 0',
      'figures_members_today{change="churned"} 1',
      'figures_failed_payments_today{outcome="failed"} 3',
      'figures_failed_payments_today{outcome="recovered"} 1',
      'figures_webhooks_wrongly_signed_today 7',
      'figures_last_webhook_age_seconds 90',
    ]);
  });

  it('are missing while the database does not answer, and the others are not', async () => {
    hide = showInMetrics({ read: () => Promise.reject(new Error('lost')), logger });
    expect(await lines()).toEqual([]);
    expect(await register.metrics()).toContain('# HELP figures_active_members');
  });

  it('are missing in a process that shows none', async () => {
    expect(await lines()).toEqual([]);
  });
});
