import type { JsonObject } from '@tapedeck/kernel';
import type { DomainEvent } from './event.ts';

/** Converts the JSON of schema version n to the JSON of version n + 1. Pure, and defined for every stored event. */
export type Upcaster = (data: JsonObject) => JsonObject;

export type EventTypeDefinition<Event extends DomainEvent = DomainEvent> = Readonly<{
  /** @internal Never set: from it the compiler infers the event. */
  event?: Event;
  /** Current schema version, from 1. */
  version: number;
  /** `upcasters[0]` converts version 1 to 2, and so on; `version - 1` of them. */
  upcasters?: readonly Upcaster[];
  /** Top-level fields that identify a person; they are stored encrypted with the key of an account. */
  personal?: readonly string[];
  /** The field that contains the id of this account; required with `personal`. */
  subject?: string;
}>;

/** Event types by their stored names, which never change. */
export type EventTypes = Readonly<Record<string, EventTypeDefinition>>;

/** The event types of a union, as `defineEvents` makes them. */
export type EventTypesOf<Event extends DomainEvent> = Readonly<{
  [Type in Event['type']]: EventTypeDefinition<Extract<Event, Readonly<{ type: Type }>>>;
}>;

/** The union of the events of these types. */
export type EventOf<Types extends EventTypes> =
  Types[keyof Types] extends EventTypeDefinition<infer Event> ? Event : never;

/**
 * A module's event types. The compiler demands an entry for each type of the union, and infers the union from them where
 * events are read.
 *
 * @example
 * export const favouriteEvents = defineEvents<FavouriteEvent>({
 *   FavouriteAdded: { version: 1 },
 * });
 */
export const defineEvents = <Event extends DomainEvent>(
  types: Readonly<Record<Event['type'], EventTypeDefinition>>,
): EventTypesOf<Event> =>
  // The cast is safe: what it adds exists for the compiler only.
  types as EventTypesOf<Event>;

/** The value that a personal field has after the key of its account was deleted. */
export type Forgotten = Readonly<{ $forgotten: true }>;

/** A personal field as it is read. */
export type Personal<T> = T | Forgotten;

declare const sealedValue: unique symbol;

/**
 * A personal field as projections receive it: its ciphertext, which they can only copy. `unsealRows` decrypts it for a
 * query, as long as the account's key exists.
 */
export type Sealed<T = unknown> = string & { readonly [sealedValue]: T };

type SealedData<Data> = {
  readonly [Field in keyof Data]: [Extract<Data[Field], Forgotten>] extends [never]
    ? Data[Field]
    : Sealed<Exclude<Data[Field], Forgotten>>;
};

/** An event with sealed personal fields. */
export type SealedEvent<Event extends DomainEvent> = Event extends DomainEvent
  ? Readonly<{ type: Event['type']; data: SealedData<Event['data']> }>
  : never;

export const forgotten: Forgotten = Object.freeze({ $forgotten: true });

/**
 * Whether a personal field can no longer be read, because its account was forgotten.
 *
 * @example
 * const email = isForgotten(event.data.email) ? null : event.data.email;
 */
export const isForgotten = (value: unknown): value is Forgotten =>
  typeof value === 'object' && value !== null && '$forgotten' in value && value.$forgotten === true;

/**
 * The value of a personal field, or the given one when it can no longer be read.
 *
 * @example
 * const tags = readable(event.data.tags, []);
 */
export const readable = <T, Other>(value: Personal<T>, ifForgotten: Other): T | Other =>
  isForgotten(value) ? ifForgotten : value;
