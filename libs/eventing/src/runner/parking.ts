import type { ClientBase } from 'pg';
import type { Projection } from '../projection.ts';
import type { ParkedEvent } from './fold-batch.ts';

/** More parked events mean that the fold is wrong: the projection then stops and reports that. */
const maxParked = 10_000;

/** The keys with a parked event. */
export const blockedKeys = async (client: ClientBase, projection: Projection): Promise<Set<string>> => {
  const { rows } = await client.query<{ key: string }>(
    'select distinct key from projection_parked_events where projection = $1 and version = $2',
    [projection.name, projection.version],
  );
  return new Set(rows.map(({ key }) => key));
};

const maxErrorLength = 1_000;

/** The message of an error as PostgreSQL can store it. */
export const storableError = (message: string): string =>
  message.slice(0, maxErrorLength).replaceAll('\0', '\uFFFD');

/** Stores where parked events are on the tape. The replay reads them again. */
export const parkEvents = async (
  client: ClientBase,
  projection: Projection,
  parked: readonly ParkedEvent[],
): Promise<void> => {
  if (parked.length === 0) return;
  await client.query(
    `insert into projection_parked_events (projection, version, position, key, stream, stream_version, type, error, attempts)
     select $1, $2, e.position, e.key, e.stream, e.stream_version, e.type, e.error, case when e.error is null then 0 else 1 end
     from unnest($3::bigint[], $4::text[], $5::text[], $6::integer[], $7::text[], $8::text[])
       e (position, key, stream, stream_version, type, error)
     on conflict (projection, version, position) do nothing`,
    [
      projection.name,
      projection.version,
      parked.map(({ event }) => String(event.position)),
      parked.map(({ key }) => key),
      parked.map(({ event }) => event.stream),
      parked.map(({ event }) => event.version),
      parked.map(({ event }) => event.type),
      parked.map(({ error }) => (error === undefined ? null : storableError(error))),
    ],
  );
  const total = await countParked(client, projection);
  if (total > maxParked) {
    throw new Error(
      `Projection "${projection.name}" would have ${total} parked events: correct its fold or raise its version first.`,
    );
  }
};

/** To be called after every change of the parked events. Returns their number, which the checkpoint row contains too. */
export const countParked = async (client: ClientBase, projection: Projection): Promise<number> => {
  const { rows } = await client.query<{ parked: number }>(
    `update projection_checkpoints c set parking_changes = parking_changes + 1, parked = (select count(*) from projection_parked_events p
       where p.projection = c.projection and p.version = c.version)
     where c.projection = $1 and c.version = $2 returning parked`,
    [projection.name, projection.version],
  );
  return rows[0]?.parked ?? 0;
};
