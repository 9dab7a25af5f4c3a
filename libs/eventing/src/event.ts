import type { EventId, JsonObject } from '@tapedeck/kernel';

/** An event as a module's domain defines it: a type in the past tense and plain data (ids, ISO strings). */
export type DomainEvent<Type extends string = string, Data extends JsonObject = JsonObject> = Readonly<{
  type: Type;
  data: Readonly<Data>;
}>;

/**
 * The place of an event on the tape. Positions are unique and increase, with gaps of any size; 0 is before the first
 * event. Outside of an adapter they are only compared: the position next to one may not be that of any event.
 */
export type Position = bigint;

/** The person or program that caused an event. The writing module defines the kinds: `member`, `system`, … */
export type Actor = Readonly<{ id: string; kind: string }>;

/** Text by name, without nesting, because every supported store can keep that. `occurredAt` is ISO 8601 in UTC. */
export type EventMetadata = Readonly<
  Record<string, string> & {
    actorId: string;
    actorKind: string;
    occurredAt: string;
    correlationId: string;
    causationId: string;
  }
>;

/** Metadata: the replay that has appended the event, or one of its causes. */
export const replayIdName = 'replayId';

/** An event to append. The caller gives the id, so that the store recognises an event that is appended again. */
export type NewEvent<E extends DomainEvent = DomainEvent> = Readonly<{
  id: EventId;
  type: E['type'];
  schemaVersion: number;
  data: E['data'];
  metadata: EventMetadata;
}>;

/** An event as read from the tape; a union of events gives a union. `version` counts from 1 within its stream. */
export type RecordedEvent<E extends DomainEvent = DomainEvent> = E extends DomainEvent
  ? NewEvent<E> &
      Readonly<{
        stream: string;
        version: number;
        position: Position;
        /** When the store wrote it: ISO 8601 in UTC. */
        recordedAt: string;
        /** Why `data` is still as stored: an upcaster or the decryption of a field failed. */
        unreadable?: string;
      }>
  : never;

/**
 * The category of a stream: the text before the first hyphen of its name.
 *
 * @example
 * categoryOf('strategy-S3LKflwr'); // 'strategy'
 */
export const categoryOf = (stream: string): string => stream.slice(0, Math.max(0, stream.indexOf('-')));
