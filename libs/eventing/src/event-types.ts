import type { JsonObject } from '@tapedeck/kernel';

/** Raw JSON of schema version n to raw JSON of version n + 1; pure and total. */
export type Upcaster = (data: JsonObject) => JsonObject;

export type EventTypeDefinition = Readonly<{
  /** Current schema version, from 1. */
  version: number;
  /** `upcasters[0]` lifts version 1 to 2, and so on: always `version - 1` of them. */
  upcasters?: readonly Upcaster[];
  /** Top-level fields that name a person; stored encrypted with that account's key. */
  personal?: readonly string[];
  /** The field that holds the account id whose key encrypts them; needed with `personal`. */
  subject?: string;
}>;

/**
 * A room's event types by their stable stored names.
 *
 * @example
 * export const favouriteEvents = {
 *   FavouriteAdded: { version: 1 },
 * } satisfies Record<FavouriteEvent['type'], EventTypeDefinition>;
 */
export type EventTypes = Readonly<Record<string, EventTypeDefinition>>;
