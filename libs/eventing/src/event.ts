import type { EventId, JsonObject } from '@tapedeck/kernel';

/** A fact as a module states it: past tense, plain data, ISO strings, ids. */
export type DomainEvent<Type extends string = string, Data extends JsonObject = JsonObject> = Readonly<{
  type: Type;
  data: Readonly<Data>;
}>;

/** Place on the tape: unique, growing, not gapless; 0 is before the first event. */
export type Position = bigint;

/** Who did it. `kind` is a word of the module that writes: `member`, `admin`, `system`, `visitor`, … */
export type Actor = Readonly<{ id: string; kind: string }>;

/**
 * Flat text to text, as every supported store demands.
 * Always there: actorId, actorKind, occurredAt (ISO 8601 UTC), correlationId, causationId.
 */
export type EventMetadata = Readonly<
  Record<string, string> & {
    actorId: string;
    actorKind: string;
    occurredAt: string;
    correlationId: string;
    causationId: string;
  }
>;

/** An event ready for the store. The id comes from the caller, so that appending twice is appending once. */
export type NewEvent<E extends DomainEvent = DomainEvent> = Readonly<{
  id: EventId;
  type: E['type'];
  schemaVersion: number;
  data: E['data'];
  metadata: EventMetadata;
}>;

/** An event as the tape keeps it; a union of events gives a union. `version` counts from 1 within its stream. */
export type RecordedEvent<E extends DomainEvent = DomainEvent> = E extends DomainEvent
  ? NewEvent<E> &
      Readonly<{
        stream: string;
        version: number;
        position: Position;
        /** ISO 8601 UTC, the store's clock. */
        recordedAt: string;
      }>
  : never;

/**
 * The text before the first hyphen.
 *
 * @example
 * categoryOf('strategy-S3LKflwr'); // 'strategy'
 */
export const categoryOf = (stream: string): string => stream.slice(0, Math.max(0, stream.indexOf('-')));
