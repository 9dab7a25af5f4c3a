import { eventId, newId, type JsonObject } from '@tapedeck/kernel';
import type { DomainEvent, EventMetadata, NewEvent, RecordedEvent } from '../event.ts';

/**
 * A new event with sample metadata, for tests of which only its type and data matter.
 *
 * @example
 * await store.append('favourites-1', 'NO_STREAM', [sampleEvent('FavouriteAdded', { urlId: 'S3LKflwr' })]);
 */
export const sampleEvent = (
  type: string,
  data: JsonObject = {},
  { id = newId(), schemaVersion = 1 }: { readonly id?: string; readonly schemaVersion?: number } = {},
): NewEvent => ({
  id: eventId(id),
  type,
  schemaVersion,
  data,
  metadata: {
    actorId: 'system',
    actorKind: 'system',
    occurredAt: '2026-11-21T12:00:00.000Z',
    correlationId: 'test',
    causationId: 'test',
  },
});

type Place = Readonly<{
  stream?: string;
  version?: number;
  position?: bigint;
  id?: string;
  metadata?: Partial<EventMetadata>;
}>;

/**
 * The event as it is read from the tape, for tests of pure functions.
 *
 * @example
 * projection.fold([recordedEvent({ type: 'FavouriteAdded', data }, { stream: 'favourites-1', version: 3 })]);
 */
export const recordedEvent = <Event extends DomainEvent>(
  { type, data }: Event,
  { stream = 'sample-1', version = 1, position = 1n, id, metadata }: Place = {},
): RecordedEvent<Event> => {
  const { metadata: sampled, ...event } = sampleEvent(type, data, id === undefined ? {} : { id });
  const recordedAt = metadata?.occurredAt ?? sampled.occurredAt;
  // The cast is safe: type and data are those of the event.
  return {
    ...event,
    metadata: { ...sampled, ...metadata },
    stream,
    version,
    position,
    recordedAt,
  } as unknown as RecordedEvent<Event>;
};
