import { DomainError, parseUuid, type Branded } from '@tapedeck/kernel';

/** A strategy's public id: exactly 8 of `[A-Za-z0-9]`, case-sensitive. */
export type StrategyId = Branded<'StrategyId'>;
export type ImportId = Branded<'ImportId'>;

export const isStrategyId = (value: string): value is StrategyId => /^[A-Za-z0-9]{8}$/.test(value);

/** @throws DomainError INVALID_STRATEGY_ID when `value` is not 8 letters or digits. */
export const strategyId = (value: string): StrategyId => {
  if (isStrategyId(value)) return value;
  throw new DomainError(
    'invalid',
    'INVALID_STRATEGY_ID',
    `"${value.slice(0, 40)}" is not a strategy id: it must be exactly 8 letters or digits.`,
  );
};

/** @throws DomainError INVALID_ID when `value` is not a UUID. */
export const importId = (value: string): ImportId => parseUuid('import id', value) as ImportId;

/** Ids of published scripts are random, and none is known to begin like this. */
export const demoIdPrefix = 'Demo';

/** Whether a strategy belongs to the demo catalogue, which screens mark (docs/product-decisions.md#demo-catalogue). */
export const isDemoStrategy = (urlId: string): boolean => urlId.startsWith(demoIdPrefix);
