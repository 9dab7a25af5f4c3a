import type { EventId, JsonObject } from '@tapedeck/kernel';
import type { EventMetadata, RecordedEvent } from '../../event.ts';
import type { TextRow } from './tape-connections.ts';

/** What a query selects for `toRecorded`. */
export const columns = `position, stream, version, id, type, schema_version, data, metadata,
  recorded_at at time zone 'UTC'`;

/** Converts `2026-11-21 14:13:00.12` in UTC to `2026-11-21T14:13:00.120Z`. */
const toIso = (timestamp: string): string => {
  const fraction = timestamp.slice(20, 23).padEnd(3, '0');
  return `${timestamp.slice(0, 10)}T${timestamp.slice(11, 19)}.${fraction}Z`;
};

/** The event of a row that begins with `columns`. */
export const toRecorded = (row: TextRow): RecordedEvent => {
  const [position, stream, version, id, type, schemaVersion, data, metadata, recordedAt] = row as readonly [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  return {
    id: id as EventId,
    type,
    schemaVersion: Number(schemaVersion),
    data: JSON.parse(data) as JsonObject,
    metadata: JSON.parse(metadata) as EventMetadata,
    stream,
    version: Number(version),
    position: BigInt(position),
    recordedAt: toIso(recordedAt),
  };
};
