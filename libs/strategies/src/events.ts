import { defineEvents } from '@tapedeck/eventing/core';
import type { StrategyImportEvent } from './domain/strategy-import.ts';
import type { StrategyEvent } from './domain/strategy.ts';

export { isDemoStrategy, strategyId, type StrategyId } from './domain/ids.ts';
export { indicatorLabels, indicatorOf, type Indicator } from './domain/indicators.ts';
export { figuresOf, type StrategyFigures } from './domain/figures.ts';
export type { StrategyRecord } from './domain/strategy-record.ts';
export type {
  StrategyAmended,
  StrategyEvent,
  StrategyImported,
  StrategyRevised,
  StrategyWithdrawn,
} from './domain/strategy.ts';
export type {
  Duplicate,
  ImportCompleted,
  ImportCounts,
  ImportEntryRejected,
  ImportFailed,
  ImportRequested,
  ImportSource,
  Rejection,
  StrategyImportEvent,
} from './domain/strategy-import.ts';

const eventsOfStrategies = defineEvents<StrategyEvent>({
  StrategyImported: { version: 1 },
  StrategyRevised: { version: 1 },
  StrategyAmended: { version: 1 },
  StrategyWithdrawn: { version: 1 },
});

export const strategyImportEvents = defineEvents<StrategyImportEvent>({
  ImportRequested: { version: 1 },
  ImportEntryRejected: { version: 1 },
  ImportCompleted: { version: 1 },
  ImportFailed: { version: 1 },
});

export const strategyEvents = { ...eventsOfStrategies, ...strategyImportEvents };

export const strategyStream = (urlId: string): string => `strategy-${urlId}`;
export const strategyImportStream = (importId: string): string => `strategyImport-${importId}`;
