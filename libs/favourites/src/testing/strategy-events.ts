import type { NewEvent } from '@tapedeck/eventing';
import { eventId, newId } from '@tapedeck/kernel';
import type { StrategyEvent } from '@tapedeck/strategies/events';

const unknown = {
  max_equity_drawdown: null,
  profit_factor: null,
  sharpe_ratio_all: null,
  total_trades: null,
  profitable_trades: null,
  likes: null,
  views: null,
  comments_count: null,
  code_lines: 10,
};

const eventOf = (type: StrategyEvent['type'], data: NewEvent['data']): NewEvent => ({
  id: eventId(newId()),
  type,
  schemaVersion: 1,
  data,
  metadata: {
    actorId: 'test',
    actorKind: 'system',
    occurredAt: '2026-01-01T00:00:00.000Z',
    correlationId: 'test',
    causationId: 'test',
  },
});

/** A strategy as the catalogue's import writes it, with the fields that favourites read. */
export const strategyImported = (urlId: string): NewEvent =>
  eventOf('StrategyImported', {
    record: {
      ...unknown,
      title: 'Trend rider',
      author: 'Ann',
      total_pandl: '+10 USD (+12.5%)',
      url_id: urlId,
    },
    contentHash: urlId,
  });

export const strategyWithdrawn = (urlId: string): NewEvent =>
  eventOf('StrategyWithdrawn', { urlId, reason: 'test' });
