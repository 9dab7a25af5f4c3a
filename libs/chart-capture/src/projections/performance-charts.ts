import { createHash } from 'node:crypto';
import { defineProjection, type RecordedEvent, type RowChange } from '@tapedeck/eventing';
import type { StrategyEvent, StrategyRecord } from '@tapedeck/strategies/events';
import type { ChartFailure } from '../domain/chart-failure.ts';
import { chartCaptureEvents, type ChartCaptureEvent } from '../domain/performance-chart.ts';

/** One row for each strategy of the catalogue. */
export type PerformanceChartRow = Readonly<{
  url_id: string;
  /** What the catalogue says of the strategy now. */
  figures: string;
  /** Null without a picture. */
  version: string | null;
  width: number | null;
  height: number | null;
  taken_at: Date | null;
  /** What the catalogue said when the picture was taken. */
  figures_of_picture: string | null;
  /** The last failure after the picture; null when there was none. */
  failure: ChartFailure | null;
  failed_at: Date | null;
  retry_at: Date | null;
  figures_of_failure: string | null;
}>;

const table = 'performance_charts';

/** Changes when a chart of the strategy's results would look different. */
const figuresOfRecord = (record: StrategyRecord): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        record.total_pandl,
        record.max_equity_drawdown,
        record.total_trades,
        record.profitable_trades,
        record.profit_factor,
      ]),
    )
    .digest('hex')
    .slice(0, 16);

const noFailure = { failure: null, failed_at: null, retry_at: null, figures_of_failure: null };

const changesOf = (event: RecordedEvent<StrategyEvent | ChartCaptureEvent>): readonly RowChange[] => {
  switch (event.type) {
    case 'StrategyImported': {
      const { record } = event.data;
      const row = { figures: figuresOfRecord(record) };
      return [{ op: 'put', table, key: { url_id: record.url_id }, row }];
    }
    case 'StrategyRevised':
    case 'StrategyAmended': {
      const { record } = event.data;
      const row = { figures: figuresOfRecord(record) };
      return [{ op: 'patch', table, key: { url_id: record.url_id }, row }];
    }
    case 'StrategyWithdrawn':
      return [{ op: 'remove', table, key: { url_id: event.data.urlId } }];
    case 'ChartCaptured': {
      const { urlId, version, width, height, takenAt, figures } = event.data;
      const row = { version, width, height, taken_at: takenAt, figures_of_picture: figures, ...noFailure };
      return [{ op: 'patch', table, key: { url_id: urlId }, row }];
    }
    case 'ChartCaptureFailed': {
      const { urlId, failure, retryAt, figures } = event.data;
      const failedAt = event.metadata.occurredAt;
      const row = { failure, failed_at: failedAt, retry_at: retryAt, figures_of_failure: figures };
      return [{ op: 'patch', table, key: { url_id: urlId }, row }];
    }
    default:
      return event satisfies never;
  }
};

/** Which strategies there are, and for each whether a picture is there, when it was taken, and how the last try failed. */
export const performanceCharts = defineProjection<StrategyEvent | ChartCaptureEvent>({
  name: 'performance_charts',
  version: 1,
  database: 'tapedeck',
  types: {
    StrategyImported: true,
    StrategyRevised: true,
    StrategyAmended: true,
    StrategyWithdrawn: true,
    ...chartCaptureEvents,
  },
  tables: [
    {
      name: table,
      key: ['url_id'],
      columns: {
        // Bytes in order: the first one is the sample.
        url_id: 'text collate "C" not null',
        figures: 'text not null',
        version: 'text',
        width: 'integer',
        height: 'integer',
        taken_at: 'timestamptz',
        figures_of_picture: 'text',
        failure: 'text',
        failed_at: 'timestamptz',
        retry_at: 'timestamptz',
        figures_of_failure: 'text',
      },
    },
  ],
  /** Both streams of a strategy: `strategy-{urlId}` and `performanceChart-{urlId}`. */
  keyOf: ({ stream }) => stream.slice(stream.indexOf('-') + 1),
  fold: (events) => events.flatMap(changesOf),
});
