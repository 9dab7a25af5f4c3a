import { v5, v7, validate } from 'uuid';
import { DomainError } from './errors.ts';

declare const brand: unique symbol;

/** A string that only this file can make into an id of that kind. */
export type Branded<Name extends string> = string & { readonly [brand]: Name };

export type AccountId = Branded<'AccountId'>;
/** A strategy's public id: exactly 8 of `[A-Za-z0-9]`, case-sensitive. */
export type StrategyId = Branded<'StrategyId'>;
export type ImportId = Branded<'ImportId'>;
/** A saved search of an account. */
export type SearchId = Branded<'SearchId'>;
export type CommandId = Branded<'CommandId'>;
export type EventId = Branded<'EventId'>;

const uuid = (name: string, value: string): string => {
  if (validate(value)) return value.toLowerCase();
  throw new DomainError(
    'invalid',
    'INVALID_ID',
    `"${value.slice(0, 80)}" is not a valid ${name}: send a UUID.`,
  );
};

export const accountId = (value: string): AccountId => uuid('account id', value) as AccountId;
export const importId = (value: string): ImportId => uuid('import id', value) as ImportId;
export const searchId = (value: string): SearchId => uuid('search id', value) as SearchId;
export const commandId = (value: string): CommandId => uuid('command id', value) as CommandId;
export const eventId = (value: string): EventId => uuid('event id', value) as EventId;

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

/** A new time-ordered id (UUID version 7). */
export const newId = (): string => v7();

const namespace = '6c1fbbd4-3a0d-5e0c-9d5a-2a4f52f7a9e1';

/** The same id for the same parts, always (UUID version 5); parts are joined unambiguously. */
export const derivedId = (...parts: readonly (string | number)[]): string =>
  v5(JSON.stringify(parts), namespace);

/** Event ids come from the command that caused them, so that a repeated command is recognised, not repeated. */
export const eventIdFor = (command: CommandId, index: number): EventId =>
  derivedId(command, index) as EventId;
