export * from './domain/figures.ts';
export type { StrategyRecord } from './domain/strategy-record.ts';
