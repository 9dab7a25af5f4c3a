import { DomainError } from '@tapedeck/kernel';
import type { PoolClient } from 'pg';
import type { EventStore } from '../event-store.ts';
import type { Position, RecordedEvent } from '../event.ts';
import type { Projection } from '../projection.ts';

/** Where a parked event is on the tape. */
export type ParkedPlace = Readonly<{
  position: Position;
  stream: string;
  /** Its version within the stream; unknown for events that were parked before versions were stored. */
  version: number | undefined;
}>;

/** The parked events of one key that could be read, in order, and the first one that could not. */
export type ReadParked = Readonly<{
  events: readonly RecordedEvent[];
  failed?: Readonly<{ position: Position; error: string }>;
}>;

type PlaceRow = Readonly<{ position: string; stream: string; stream_version: number | null }>;

export const parkedPlaces = async (
  client: PoolClient,
  { name, version }: Projection,
  key: string,
  limit: number,
): Promise<readonly ParkedPlace[]> => {
  const { rows } = await client.query<PlaceRow>(
    `select position, stream, stream_version from projection_parked_events
     where projection = $1 and version = $2 and key = $3 order by position limit $4`,
    [name, version, key, limit],
  );
  return rows.map((row) => ({
    position: BigInt(row.position),
    stream: row.stream,
    version: row.stream_version ?? undefined,
  }));
};

const missing = ({ stream, position }: ParkedPlace, found: string): DomainError =>
  new DomainError(
    'unavailable',
    'EVENT_MISSING',
    `The event of ${stream} at position ${position} is not on the tape: ${found}.`,
  );

/** Events as stored are returned whatever their type is, so that the search for a version fails on no other event. */
const versionAt = async (store: EventStore, place: ParkedPlace): Promise<number> => {
  const stored = await store.readStream(place.stream, { form: 'stored' });
  const found = stored.find(({ position }) => position === place.position);
  if (!found) throw missing(place, 'its stream has no event there');
  return found.version;
};

const readOne = async (store: EventStore, place: ParkedPlace): Promise<RecordedEvent> => {
  const version = place.version ?? (await versionAt(store, place));
  const [event] = await store.readStream(place.stream, { from: version, upTo: version, form: 'sealed' });
  if (!event) throw missing(place, 'its stream is shorter');
  if (event.position !== place.position)
    throw missing(place, `version ${version} is at position ${event.position}`);
  return event;
};

const follows = (last: ParkedPlace | undefined, { stream, version }: ParkedPlace): boolean =>
  last?.version !== undefined && last.stream === stream && last.version + 1 === version;

/** Successive events of one stream are read together. */
const runsOf = (places: readonly ParkedPlace[]): readonly (readonly ParkedPlace[])[] => {
  const runs: ParkedPlace[][] = [];
  for (const place of places) {
    const run = runs.at(-1);
    if (run && follows(run.at(-1), place)) run.push(place);
    else runs.push([place]);
  }
  return runs;
};

/** All events of a run by one request; undefined when one of them cannot be read. */
const readRun = async (
  store: EventStore,
  run: readonly ParkedPlace[],
): Promise<readonly RecordedEvent[] | undefined> => {
  const [from, upTo] = [run[0]?.version, run.at(-1)?.version];
  if (from === undefined || upTo === undefined) return undefined;
  const events = await store.readStream(run[0]?.stream ?? '', { from, upTo, form: 'sealed' }).catch(() => []);
  return run.every(({ position }, index) => events[index]?.position === position) ? events : undefined;
};

const ofOneEvent = new Set(['EVENT_MISSING', 'EVENT_UNKNOWN', 'EVENT_UNREADABLE']);

/** One event after the other, up to the first one that cannot be read. */
const readEach = async (store: EventStore, places: readonly ParkedPlace[]): Promise<ReadParked> => {
  const events: RecordedEvent[] = [];
  for (const place of places) {
    try {
      events.push(await readOne(store, place));
    } catch (error) {
      // Other errors say nothing about this event: the tape cannot be read at all.
      if (!(error instanceof DomainError) || !ofOneEvent.has(error.code)) throw error;
      return { events, failed: { position: place.position, error: error.message } };
    }
  }
  return { events };
};

/**
 * Reads parked events again, with the current upcasters and keys, by their streams: that does not depend on how far the
 * store can read the tape. Ends at the first one that is missing, unknown or unreadable.
 */
export const readParked = async (store: EventStore, places: readonly ParkedPlace[]): Promise<ReadParked> => {
  const events: RecordedEvent[] = [];
  for (const run of runsOf(places)) {
    const together = run.length > 1 ? await readRun(store, run) : undefined;
    const read: ReadParked = together ? { events: together } : await readEach(store, run);
    events.push(...read.events);
    if (read.failed) return { events, failed: read.failed };
  }
  return { events };
};
