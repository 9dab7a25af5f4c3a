import { catalogueEditEvents } from './domain/catalogue-edit.ts';
import { eventsOfStrategies } from './domain/strategy.ts';
import { strategyImportEvents } from './domain/strategy-import.ts';

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

export {
  catalogueEditEvents,
  catalogueEdits,
  changedTwice,
  type CommittedChange,
  type SqlChangesCommitted,
} from './domain/catalogue-edit.ts';
export { strategyStream } from './domain/strategy.ts';
export { strategyImportEvents, strategyImportStream } from './domain/strategy-import.ts';

export const strategyEvents = {
  ...eventsOfStrategies,
  ...strategyImportEvents,
  ...catalogueEditEvents,
};
