import type { EventId, JsonObject } from '@tapedeck/kernel';
import type { EventStore, ReadTapeOptions, TapePage } from '../../event-store.ts';
import type { EventMetadata, Position, RecordedEvent } from '../../event.ts';
import { maxVersion } from './append-sql.ts';
import type { Mark, SettledMark } from './settled-mark.ts';
import type { TapeConnections, TextRow } from './tape-connections.ts';
import { isUnavailable } from './tape-errors.ts';

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
  ({ read }: TapeConnections): EventStore['readStream'] =>
  async (stream, { from = 1, upTo = maxVersion } = {}) => {
    const rows = await read({
      name: 'tape_read_stream',
      text: `select ${columns} from tape_events where stream = $1 and version >= $2 and version <= $3
          order by version`,
      values: [stream, Math.min(from, maxVersion), Math.min(upTo, maxVersion)],
    });
    return rows.map(toRecorded);
  };

export const readStreams =
  ({ read }: TapeConnections): EventStore['readStreams'] =>
  async (streams) => {
    const rows = await read({
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

export const readEvent =
  ({ read }: TapeConnections): EventStore['readEvent'] =>
  async (position) => {
    const text = `select ${columns} from tape_events where position = $1`;
    const [row] = await read({ name: 'tape_read_event', text, values: [String(position)] });
    return row && toRecorded(row);
  };

/** Positions that one query covers, so that a query for a rare event type does not scan the whole tape. */
const maxPositionsPerPage = 50_000n;

type Range = Readonly<{
  after: Position;
  upTo: Position;
  limit: number;
  types: readonly string[] | undefined;
}>;

/** Events of a range; `isWhole` when there are no more in it. */
type FoundEvents = Readonly<{ events: readonly RecordedEvent[]; isWhole: boolean }>;

/** Events in the range, as many as the limits permit, but at least one. */
const readEvents = async (
  { read }: TapeConnections,
  server: Mark['server'],
  { after, upTo, limit, types }: Range,
  maxBytes: number,
): Promise<FoundEvents> => {
  const range = `position > $1 and position <= $2 ${types ? 'and type = any($5)' : ''}`;
  const sizes = `select position, coalesce(bytes, octet_length(data::text) + octet_length(metadata::text)) as size
    from tape_events where ${range} order by position limit $3`;
  // Almost every page fits, so events are counted only in one that does not.
  const text = `
    with page as materialized (select sum(size) as bytes from (${sizes}) found)
    select ${columns}, (select bytes from page) from tape_events where ${range} order by position
    limit case when (select bytes from page) < $4 then $3::bigint else (
      select count(*) from (
        select size, sum(size) over (order by position rows unbounded preceding) as total from (${sizes}) found
      ) summed where total - size < $4) end`;
  const values = [String(after), String(upTo), limit, maxBytes, ...(types ? [types] : [])];
  const name = types ? 'tape_read_types' : 'tape_read';
  const rows = await read({ name, text, values }, server);
  const isWhole = rows.length < limit && Number(rows.at(-1)?.at(-1) ?? 0) < maxBytes;
  return { events: rows.map(toRecorded), isWhole };
};

const readLastPosition = async (
  { read }: TapeConnections,
  server: Mark['server'],
  upTo: Position,
): Promise<Position> => {
  const text = 'select max(position) from tape_events where position <= $1';
  const [row] = await read({ name: 'tape_last_position', text, values: [String(upTo)] }, server);
  return BigInt(row?.[0] ?? 0);
};

/** A page up to the mark. Its position is that of an event, so that a checkpoint survives a crash of the server. */
const readUpTo = async (
  connections: TapeConnections,
  { position: head, server }: Mark,
  { after, limit, types }: ReadTapeOptions,
  maxBytes: number,
): Promise<TapePage> => {
  for (let from = after; ;) {
    const upTo = types && head - from > maxPositionsPerPage ? from + maxPositionsPerPage : head;
    const range = { after: from, upTo, limit, types };
    const { events, isWhole } = await readEvents(connections, server, range, maxBytes);
    const last = events.at(-1)?.position;
    if (isWhole && upTo === head) return { events, position: head, head };
    if (last !== undefined) return { events, position: last, head };
    const position = await readLastPosition(connections, server, upTo);
    if (position > after) return { events, position, head };
    from = upTo;
  }
};

export const readTape =
  (
    connections: TapeConnections,
    mark: SettledMark,
    onServerChanged: () => void,
    maxBytes: number,
  ): EventStore['readTape'] =>
  async (options) => {
    const { after, limit } = options;
    const known = mark.current();
    const settled = known && known.position - after >= BigInt(limit) ? known : await mark.advance();
    const head = settled.position;
    if (head <= after) return { events: [], position: after, head };
    try {
      return await readUpTo(connections, settled, options, maxBytes);
    } catch (error) {
      if (isUnavailable(error)) onServerChanged();
      throw error;
    }
  };
