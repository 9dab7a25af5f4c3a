import { v5, v7, validate } from 'uuid';
import { DomainError } from './errors.ts';

declare const brand: unique symbol;

/** A string of one kind of id; made only by the function that checks that kind. */
export type Branded<Name extends string> = string & { readonly [brand]: Name };

export type AccountId = Branded<'AccountId'>;
export type CommandId = Branded<'CommandId'>;
export type EventId = Branded<'EventId'>;

/**
 * A UUID in lower case, for ids that a module brands itself.
 *
 * @throws DomainError INVALID_ID, which calls the value a `name`
 * @example
 * export const importId = (value: string): ImportId => parseUuid('import id', value) as ImportId;
 */
export const parseUuid = (name: string, value: string): string => {
  if (validate(value)) return value.toLowerCase();
  throw new DomainError(
    'invalid',
    'INVALID_ID',
    `"${value.slice(0, 80)}" is not a valid ${name}: send a UUID.`,
  );
};

export const accountId = (value: string): AccountId => parseUuid('account id', value) as AccountId;
export const commandId = (value: string): CommandId => parseUuid('command id', value) as CommandId;
export const eventId = (value: string): EventId => parseUuid('event id', value) as EventId;

/** A new time-ordered id (UUID version 7). */
export const newId = (): string => v7();

const namespace = '6c1fbbd4-3a0d-5e0c-9d5a-2a4f52f7a9e1';

/** The same id for the same parts, always (UUID version 5); parts are joined unambiguously. */
export const derivedId = (...parts: readonly (string | number)[]): string =>
  v5(JSON.stringify(parts), namespace);

/** Event ids come from the command that caused them, so that a repeated command is recognised, not repeated. */
export const eventIdFor = (command: CommandId, index: number): EventId =>
  derivedId(command, index) as EventId;
