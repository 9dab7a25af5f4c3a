import { v5, v7, validate } from 'uuid';
import { DomainError } from './errors.ts';

declare const brand: unique symbol;

/** A string that is one kind of id. Only the function that checks this kind creates it. */
export type Branded<Name extends string> = string & { readonly [brand]: Name };

export type AccountId = Branded<'AccountId'>;
export type CommandId = Branded<'CommandId'>;
export type EventId = Branded<'EventId'>;

/**
 * The UUID in lower case. A module uses it to define its own kind of id.
 *
 * @throws DomainError INVALID_ID when the value is not a UUID; the message uses `name`
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

/**
 * An id computed from its parts (UUID version 5): the same parts always give the same id, different parts another.
 *
 * @example
 * derivedId('account', 'ada@example.com');
 */
export const derivedId = (...parts: readonly (string | number)[]): string =>
  v5(JSON.stringify(parts), namespace);

/** UUIDs of these versions begin with 48 bits of time: 7, and 8 as `timeOrderedId` makes it. */
const timeOrdered = /^[0-9a-f]{8}-[0-9a-f]{4}-[78][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * As `derivedId` of all parts, but if the first one is a time-ordered id, the result begins with its time (UUID version 8,
 * 74 bits of the hash). Ids of the same time lie side by side in an index, so that a new one does not change a page of
 * its own.
 *
 * @example
 * timeOrderedId(importId, 'import', urlId);
 */
export const timeOrderedId = (source: string, ...parts: readonly (string | number)[]): string => {
  const hash = derivedId(source, ...parts);
  return timeOrdered.test(source) ? `${source.slice(0, 13)}-8${hash.slice(15)}` : hash;
};

/**
 * The id of the n-th event that a command appends to a stream. It is derived, so that the store recognises the events of
 * a repeated command. A command that changes several streams has other events in each.
 */
export const eventIdFor = (command: CommandId, stream: string, index: number): EventId =>
  timeOrderedId(command, stream, index) as EventId;
