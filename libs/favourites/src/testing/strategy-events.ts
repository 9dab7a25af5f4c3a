import type { NewEvent } from '@tapedeck/eventing';
import { eventId, newId } from '@tapedeck/kernel';
import type { StrategyEvent } from '@tapedeck/strategies/events';
import { emptyRecord } from '@tapedeck/strategies/testing';

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

const recordOf = (urlId: string) => ({
  ...emptyRecord,
  code_lines: 10,
  title: 'Trend rider',
  author: 'Ann',
  total_pandl: '+10 USD (+12.5%)',
  url_id: urlId,
});

/** A strategy as the catalogue's import writes it. */
export const strategyImported = (urlId: string): NewEvent =>
  eventOf('StrategyImported', { record: recordOf(urlId), contentHash: urlId });

export const strategyRevised = (urlId: string): NewEvent =>
  eventOf('StrategyRevised', {
    record: { ...recordOf(urlId), title: 'Trend rider 2' },
    contentHash: `${urlId} 2`,
  });

export const strategyWithdrawn = (urlId: string): NewEvent =>
  eventOf('StrategyWithdrawn', { urlId, reason: 'test' });
