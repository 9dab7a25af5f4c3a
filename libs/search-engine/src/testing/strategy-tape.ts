import type { EventStore, NewEvent, Position } from '@tapedeck/eventing';
import { derivedId, eventId } from '@tapedeck/kernel';
import type { StrategyEvent, StrategyRecord } from '@tapedeck/strategies/events';
import { emptyRecord } from '@tapedeck/strategies/testing';
import type { ExplorerRow } from '../search-port.ts';

export const unknownRecord: StrategyRecord = { ...emptyRecord, url_id: 'AAAAAAAA', title: 'Untitled' };

export type PartialRecord = Partial<StrategyRecord> & Readonly<{ url_id: string }>;

const numberText = (value: number | null): string | null =>
  value === Infinity ? '∞' : (value?.toString() ?? null);
const percentText = (value: number | null): string | null => (value === null ? null : `1 USD (${value}%)`);

const toCount = (value: number | null): number | null =>
  value === null || value < 0 || value === Infinity ? null : Math.floor(value);

/** A record from which the fold makes this row, apart from values that a record cannot express. */
export const recordOf = (row: ExplorerRow): PartialRecord => ({
  url_id: row.urlId,
  title: row.title || 'Untitled',
  author: row.author,
  full_description: row.enhanced ? (row.description ?? 'described') : null,
  initial_capital: row.enhanced ? '10000' : null,
  categories: row.categories,
  symbol: row.symbol,
  pine_version: row.pineVersion,
  publication_date: row.publicationDate,
  backtesting_range_start: row.backtestingStart,
  backtesting_range_end: row.backtestingEnd,
  total_pandl: percentText(row.figures.totalPandlPercent),
  max_equity_drawdown: percentText(row.figures.maxDrawdownPercent),
  profit_factor: numberText(row.figures.profitFactor),
  sharpe_ratio_all: numberText(row.figures.sharpeRatio),
  total_trades: numberText(toCount(row.figures.totalTrades)),
  likes: toCount(row.figures.likes),
  views: toCount(row.figures.views),
  comments_count: toCount(row.figures.comments),
  code_lines: toCount(row.figures.codeLines),
});

let events = 0;

const newEvent = (event: StrategyEvent): NewEvent => ({
  id: eventId(derivedId('explorer test', ++events, performance.now())),
  ...event,
  schemaVersion: 1,
  metadata: {
    actorId: 'test',
    actorKind: 'system',
    occurredAt: '2026-01-01T00:00:00.000Z',
    correlationId: 'test',
    causationId: 'test',
  },
});

const append = async (store: EventStore, urlId: string, event: StrategyEvent): Promise<Position> => {
  const result = await store.append(`strategy-${urlId}`, 'ANY', [newEvent(event)]);
  if (result.outcome === 'conflict')
    throw new Error('An append with expected version ANY reported a conflict.');
  return result.position;
};

/** Appends strategies to the tape; returns the last position. */
export const importStrategies = async (
  store: EventStore,
  records: readonly PartialRecord[],
): Promise<Position> => {
  const positions = await Promise.all(
    records.map((record) =>
      append(store, record.url_id, {
        type: 'StrategyImported',
        data: { record: { ...unknownRecord, ...record }, contentHash: record.url_id },
      }),
    ),
  );
  return positions.reduce((last, position) => (position > last ? position : last), 0n);
};

export const withdrawStrategy = (store: EventStore, urlId: string): Promise<Position> =>
  append(store, urlId, { type: 'StrategyWithdrawn', data: { urlId, reason: 'test' } });
