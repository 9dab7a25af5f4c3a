import type { EventId } from '@tapedeck/kernel';
import type { Snapshots } from '../../event-store.ts';
import type { TapeConnections, TapeQuery } from './tape-connections.ts';
import type { TimeLimits } from './time-limits.ts';

// Columns come as text: bytea is hexadecimal after `\x`.
const bytesOf = (column: string): Uint8Array => Buffer.from(column.slice(2), 'hex');

/** Snapshots in the database of the tape, so that both are restored together. */
export const createSnapshots = ({ read, use }: TapeConnections, { readMs }: TimeLimits): Snapshots => ({
  read: async (stream, form) => {
    const [row] = await read({
      name: 'tape_read_snapshot',
      text: 'select version, position, event_id, content from tape_snapshots where stream = $1 and form = $2',
      values: [stream, form],
    });
    if (!row) return undefined;
    const [version = '0', position = '0', eventId = '', content = ''] = row;
    return {
      stream,
      form,
      version: Number(version),
      position: BigInt(position),
      eventId: eventId as EventId,
      content: bytesOf(content),
    };
  },
  write: async ({ stream, form, version, position, eventId, content }) => {
    const query: TapeQuery = {
      name: 'tape_write_snapshot',
      text: `insert into tape_snapshots (stream, form, version, position, event_id, content)
               values ($1, $2, $3, $4, $5, $6)
             on conflict (stream) do update
               set (form, version, position, event_id, content) =
                   (excluded.form, excluded.version, excluded.position, excluded.event_id, excluded.content)
             where tape_snapshots.form <= excluded.form`,
      values: [stream, form, version, String(position), eventId, content],
    };
    await use((connection) => connection.query(query, readMs));
  },
});
