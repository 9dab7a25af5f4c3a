import { messageOf } from '@tapedeck/kernel';
import type { Logger } from '@tapedeck/platform/log';
import { Gauge } from 'prom-client';
import { figureDefinitions, type Figures } from './contract.ts';
import type { RecentFigures } from './queries/recent-figures.ts';

type Source = RecentFigures & Readonly<{ logger: Logger }>;

/** Those of the process; usually one. */
const sources = new Set<Source>();

type Value = Readonly<{ labels: Readonly<Record<string, string>>; value: number }>;

/** Without a value while there is no source, or none that can be read: a scrape has the other metrics all the same. */
const gauge = (
  name: string,
  help: string,
  labelNames: readonly string[],
  valuesOf: (figures: Figures) => readonly Value[],
): Gauge =>
  new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    async collect() {
      this.reset();
      // A gauge without labels would be 0.
      if (labelNames.length === 0) this.remove();
      for (const { read, logger } of sources) {
        try {
          for (const { labels, value } of valuesOf(await read())) this.set(labels, value);
        } catch (error) {
          logger.warn({ metric: name, error: messageOf(error) }, 'figures could not be read for the metrics');
        }
      }
    },
  });

const today = (series: readonly number[]): number => series.at(-1) ?? 0;
const unlabelled = (value: number | null): readonly Value[] =>
  value === null ? [] : [{ labels: {}, value }];
const secondsSince = (from: string | null, { readAt }: Figures): number | null =>
  from === null ? null : Math.max(0, (Date.parse(readAt) - Date.parse(from)) / 1_000);

gauge('figures_active_members', figureDefinitions.active, ['tier', 'period'], ({ members }) =>
  members.map(({ tier, period, active }) => ({ labels: { tier, period }, value: today(active) })),
);
gauge(
  'figures_monthly_recurring_revenue',
  `In minor units. ${figureDefinitions.revenue}`,
  ['currency'],
  ({ revenue }) => revenue.map(({ currency, amounts }) => ({ labels: { currency }, value: today(amounts) })),
);
gauge(
  'figures_members_today',
  'Accounts whose paid access began for the first time (new), began again (returned) or ended (churned) since midnight UTC.',
  ['change'],
  ({ joined, returned, churned }) => [
    { labels: { change: 'new' }, value: today(joined) },
    { labels: { change: 'returned' }, value: today(returned) },
    { labels: { change: 'churned' }, value: today(churned) },
  ],
);
gauge(
  'figures_failed_payments_today',
  'Invoices that could not be charged (failed), and such that were paid after all (recovered), since midnight UTC.',
  ['outcome'],
  ({ failed, recovered }) => [
    { labels: { outcome: 'failed' }, value: today(failed) },
    { labels: { outcome: 'recovered' }, value: today(recovered) },
  ],
);
gauge(
  'figures_webhooks_wrongly_signed_today',
  'Webhooks that were refused because of their signature since midnight UTC, by all processes.',
  [],
  ({ wronglySigned }) => unlabelled(today(wronglySigned)),
);
gauge('figures_last_webhook_age_seconds', figureDefinitions.lastWebhook, [], (figures) =>
  unlabelled(secondsSince(figures.lastWebhookAt, figures)),
);
gauge('figures_last_sweep_age_seconds', figureDefinitions.lastSweep, [], (figures) =>
  unlabelled(secondsSince(figures.sweep.lastAt, figures)),
);

/** Shows the figures in the metrics of the process until the returned function is called. */
export const showInMetrics = (source: Source): (() => void) => {
  sources.add(source);
  return () => {
    sources.delete(source);
  };
};
