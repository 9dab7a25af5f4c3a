import type { ClientBase } from 'pg';
import type { Projection } from '../projection.ts';
import type { ParkedEvent } from './fold-batch.ts';

/** More than this is no poison event but a broken fold: the projection then stands still and says why. */
const mostParked = 10_000;

/** Keys of which an event is put aside: later ones must wait behind it. */
export const blockedKeys = async (client: ClientBase, projection: Projection): Promise<Set<string>> => {
  const { rows } = await client.query<{ key: string }>(
    'select distinct key from projection_parked_events where projection = $1 and version = $2',
    [projection.name, projection.version],
  );
  return new Set(rows.map(({ key }) => key));
};

/** Remembers where the events stand, not what they say: they are read, and upcast, again when their time comes. */
export const parkEvents = async (
  client: ClientBase,
  projection: Projection,
  parked: readonly ParkedEvent[],
): Promise<void> => {
  if (parked.length === 0) return;
  await client.query(
    `insert into projection_parked_events (projection, version, position, key, stream, type, error, attempts)
     select $1, $2, e.position, e.key, e.stream, e.type, e.error, case when e.error is null then 0 else 1 end
     from unnest($3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[]) e (position, key, stream, type, error)
     on conflict (projection, version, position) do nothing`,
    [
      projection.name,
      projection.version,
      parked.map(({ event }) => String(event.position)),
      parked.map(({ key }) => key),
      parked.map(({ event }) => event.stream),
      parked.map(({ event }) => event.type),
      parked.map(({ error }) => error?.slice(0, 1_000) ?? null),
    ],
  );
  const all = await countParked(client, projection);
  if (all > mostParked) {
    throw new Error(
      `Projection "${projection.name}" would have ${all} parked events: its fold must be repaired, or its version raised, first.`,
    );
  }
};

export const countParked = async (client: ClientBase, projection: Projection): Promise<number> => {
  const { rows } = await client.query<{ parked: number }>(
    `update projection_checkpoints c set parked = (select count(*) from projection_parked_events p
       where p.projection = c.projection and p.version = c.version)
     where c.projection = $1 and c.version = $2 returning parked`,
    [projection.name, projection.version],
  );
  return rows[0]?.parked ?? 0;
};
