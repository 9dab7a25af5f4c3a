import { defineEvents, type DomainEvent, type SnapshotForm } from '@tapedeck/eventing/core';
import type { StrategyRecord } from './strategy-record.ts';

/** `contentHash` is the hash of the record as its source has it. */
type FromSource = { record: StrategyRecord; contentHash: string };

export type StrategyImported = DomainEvent<'StrategyImported', FromSource>;
export type StrategyRevised = DomainEvent<'StrategyRevised', FromSource>;
/** A correction by hand: `record` is the corrected record, `changed` names the corrected fields. */
export type StrategyAmended = DomainEvent<
  'StrategyAmended',
  { record: StrategyRecord; changed: readonly string[]; reason: string }
>;
export type StrategyWithdrawn = DomainEvent<'StrategyWithdrawn', { urlId: string; reason: string }>;
export type StrategyEvent = StrategyImported | StrategyRevised | StrategyAmended | StrategyWithdrawn;

export const eventsOfStrategies = defineEvents<StrategyEvent>({
  StrategyImported: { version: 1 },
  StrategyRevised: { version: 1 },
  StrategyAmended: { version: 1 },
  StrategyWithdrawn: { version: 1 },
});

export const strategyStream = (urlId: string): string => `strategy-${urlId}`;

export type Unknown = Readonly<{ status: 'unknown' }>;
/** `contentHash` is that of the last import: importing the same file again leaves corrections unchanged. */
export type Listed = Readonly<{ status: 'listed'; record: StrategyRecord; contentHash: string }>;
export type Withdrawn = Readonly<{ status: 'withdrawn'; reason: string }>;
export type Strategy = Unknown | Listed | Withdrawn;

export const unknownStrategy: Strategy = { status: 'unknown' };

export const evolve = (state: Strategy, event: StrategyEvent): Strategy => {
  switch (event.type) {
    case 'StrategyImported':
    case 'StrategyRevised':
      return { status: 'listed', record: event.data.record, contentHash: event.data.contentHash };
    case 'StrategyAmended':
      return state.status === 'listed' ? { ...state, record: event.data.record } : state;
    case 'StrategyWithdrawn':
      return { status: 'withdrawn', reason: event.data.reason };
    default:
      return event satisfies never;
  }
};

export const strategySnapshot: SnapshotForm<Strategy> = {
  version: 1,
  toEntries: (state) => [state],
  fromEntries: ([state]) => state as Strategy,
};
