import type { EventId, JsonObject } from '@tapedeck/kernel';
import type { Pool, QueryArrayConfig } from 'pg';
import type { EventStore } from '../../event-store.ts';
import type { EventMetadata, Position, RecordedEvent } from '../../event.ts';
import { maxVersion } from './append-sql.ts';
import type { OpenAppends, SettledMark } from './settled-mark.ts';

type TextRow = readonly string[];

// The driver's parsers would take longer than everything else in a page, so columns are read as text and parsed here.
const asText = { getTypeParser: () => (value: string) => value };

const query = async (pool: Pool, config: Omit<QueryArrayConfig, 'rowMode'>): Promise<readonly TextRow[]> => {
  const { rows } = await pool.query<string[]>({ ...config, rowMode: 'array', types: asText });
  return rows;
};

const columns = `position, stream, version, id, type, schema_version, data, metadata,
  recorded_at at time zone 'UTC'`;

/** Converts `2026-11-21 14:13:00.12` in UTC to `2026-11-21T14:13:00.120Z`. */
const toIso = (timestamp: string): string => {
  const fraction = timestamp.slice(20, 23).padEnd(3, '0');
  return `${timestamp.slice(0, 10)}T${timestamp.slice(11, 19)}.${fraction}Z`;
};

const toRecorded = (row: TextRow): RecordedEvent => {
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

export const readStream =
  (pool: Pool): EventStore['readStream'] =>
  async (stream, { from = 1, upTo = maxVersion } = {}) => {
    const rows = await query(pool, {
      name: 'tape_read_stream',
      text: `select ${columns} from tape_events where stream = $1 and version >= $2 and version <= $3
        order by version`,
      values: [stream, Math.min(from, maxVersion), Math.min(upTo, maxVersion)],
    });
    return rows.map(toRecorded);
  };

export const readStreams =
  (pool: Pool): EventStore['readStreams'] =>
  async (streams) => {
    const rows = await query(pool, {
      name: 'tape_read_streams',
      text: `select ${columns} from tape_events where stream = any($1) order by stream, version`,
      values: [[...new Set(streams)]],
    });
    const found = new Map<string, RecordedEvent[]>();
    for (const event of rows.map(toRecorded)) {
      const events = found.get(event.stream);
      if (events) events.push(event);
      else found.set(event.stream, [event]);
    }
    return found;
  };

/** Positions that one query covers, so that a query for a rare event type does not scan the whole tape. */
const maxPositionsPerPage = 50_000n;

const readEvents = async (
  pool: Pool,
  after: Position,
  upTo: Position,
  limit: number,
  types: readonly string[] | undefined,
): Promise<readonly RecordedEvent[]> => {
  const range = `select ${columns} from tape_events where position > $1 and position <= $2`;
  const rows = await query(
    pool,
    types
      ? {
          name: 'tape_read_types',
          text: `${range} and type = any($4) order by position limit $3`,
          values: [String(after), String(upTo), limit, types],
        }
      : {
          name: 'tape_read',
          text: `${range} order by position limit $3`,
          values: [String(after), String(upTo), limit],
        },
  );
  return rows.map(toRecorded);
};

export const readTape =
  (pool: Pool, mark: SettledMark): EventStore['readTape'] =>
  async ({ after, limit, types }) => {
    const isFullPage = mark.current() - after >= BigInt(limit);
    const head = isFullPage ? mark.current() : await mark.advance();
    if (head <= after) return { events: [], position: after, head };
    const upTo = head - after > maxPositionsPerPage ? after + maxPositionsPerPage : head;
    const events = await readEvents(pool, after, upTo, limit, types);
    const position = events.length < limit ? upTo : (events.at(-1)?.position ?? upTo);
    return { events, position, head };
  };

/** Calls the SQL function `tape_settling`; the order in which that reads makes the mark safe. */
export const readOpenAppends =
  (pool: Pool): (() => Promise<OpenAppends>) =>
  async () => {
    const [row] = await query(pool, {
      name: 'tape_settling',
      text: `select last_position, array_to_string(writers, ',') from tape_settling()`,
    });
    const [lastPosition = '0', writers = ''] = row ?? [];
    return { lastPosition: BigInt(lastPosition), writers: writers === '' ? [] : writers.split(',') };
  };
