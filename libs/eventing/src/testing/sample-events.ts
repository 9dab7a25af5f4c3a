import { eventId, newId, type JsonObject } from '@tapedeck/kernel';
import type { NewEvent } from '../event.ts';

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
