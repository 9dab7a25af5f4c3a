import type { EventStore } from '../../event-store.ts';
import type { RecordedEvent } from '../../event.ts';
import { maxVersion } from './append-sql.ts';
import { columns, toRecorded } from './event-rows.ts';
import type { TapeConnections } from './tape-connections.ts';

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

export const findEvent =
  ({ read }: TapeConnections): EventStore['findEvent'] =>
  async (stream, id) => {
    const text = `select ${columns} from tape_events where id = $1 and stream = $2`;
    const [row] = await read({ name: 'tape_find_event', text, values: [id, stream] });
    return row && toRecorded(row);
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
