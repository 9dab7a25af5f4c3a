import { isoNow, type Clock, type EventId, type JsonObject } from '@tapedeck/kernel';
import type { AppendResult, EventStore, ExpectedVersion, Snapshots } from '../event-store.ts';
import type { EventTypes } from '../event-types.ts';
import type { EventMetadata, NewEvent, Position, RecordedEvent } from '../event.ts';
import type { PersonalDataKeys } from '../store/personal-data-keys.ts';
import { eventIdReused, toStorableAppend, type StorableEvent } from '../store/storable.ts';
import { withEventTypes } from '../store/with-event-types.ts';
import { withPersonalData } from '../store/with-personal-data.ts';
import { readOnlyKeys } from './read-only-keys.ts';

/** A tape as it was at one position, with appends that no other process sees and that end with this one. */
export type Shadow = Readonly<{
  store: EventStore;
  /** What was appended to it, in order, from the event with this index on. */
  added: (form: 'current' | 'sealed', from?: number) => Promise<readonly RecordedEvent[]>;
  /** The streams that were read, with the versions that they have on the tape. */
  readVersions: () => ReadonlyMap<string, number>;
}>;

export type ShadowOptions = Readonly<{
  store: EventStore;
  keys: PersonalDataKeys;
  types: EventTypes;
  clock: Clock;
}>;

const noSnapshots: Snapshots = { read: async () => undefined, write: async () => {} };

const unsupported = (what: string): never => {
  throw new Error(`A shadow of the tape cannot ${what}: nothing of it is on the tape.`);
};

const isAsExpected = (expected: ExpectedVersion, actual: number): boolean => {
  if (expected === 'ANY') return true;
  if (expected === 'EXISTS') return actual > 0;
  return expected === (actual === 0 ? 'NO_STREAM' : actual);
};

type Place = Readonly<{ stream: string; version: number; position: Position; recordedAt: string }>;

const toRecorded = ({ bytes: _bytes, ...event }: StorableEvent, place: Place): RecordedEvent => ({
  ...event,
  ...place,
  id: event.id as EventId,
  data: JSON.parse(event.data) as JsonObject,
  metadata: JSON.parse(event.metadata) as EventMetadata,
});

const duplicateOf = (
  stream: string,
  events: readonly NewEvent[],
  history: readonly RecordedEvent[],
): AppendResult | undefined => {
  const ids = new Set<string>(events.map(({ id }) => id));
  const known = history.filter(({ id }) => ids.has(id));
  const last = known.at(-1);
  if (!last) return undefined;
  if (known.length < events.length) throw eventIdReused(stream);
  return { outcome: 'duplicate', version: last.version, position: last.position };
};

type StoredShadow = Readonly<{
  tape: EventStore;
  added: readonly RecordedEvent[];
  readVersions: () => ReadonlyMap<string, number>;
}>;

/** In the form `stored`. A stream is read from the tape once: all that is computed on it sees the same. */
const storedShadow = (store: EventStore, at: Position, clock: Clock): StoredShadow => {
  const added: RecordedEvent[] = [];
  const addedTo = new Map<string, RecordedEvent[]>();
  const bases = new Map<string, Promise<readonly RecordedEvent[]>>();
  const versions = new Map<string, number>();

  const readBase = async (stream: string): Promise<readonly RecordedEvent[]> => {
    const events = await store.readStream(stream, { form: 'stored' });
    const visible = events.filter(({ position }) => position <= at);
    versions.set(stream, visible.length);
    return visible;
  };
  const baseOf = (stream: string): Promise<readonly RecordedEvent[]> => {
    const known = bases.get(stream) ?? readBase(stream);
    bases.set(stream, known);
    return known;
  };
  const historyOf = async (stream: string): Promise<readonly RecordedEvent[]> => {
    const base = await baseOf(stream);
    const own = addedTo.get(stream);
    return own ? [...base, ...own] : base;
  };
  const add = (event: RecordedEvent): void => {
    added.push(event);
    const own = addedTo.get(event.stream);
    if (own) own.push(event);
    else addedTo.set(event.stream, [event]);
  };

  const tape: EventStore = {
    append: async (stream, expected, events) => {
      const { events: storable } = toStorableAppend(stream, expected, events);
      const history = await historyOf(stream);
      const duplicate = duplicateOf(stream, events, history);
      if (duplicate) return duplicate;
      if (!isAsExpected(expected, history.length)) return { outcome: 'conflict', actual: history.length };
      const recordedAt = isoNow(clock);
      for (const [index, event] of storable.entries()) {
        const position = at + BigInt(added.length + 1);
        add(toRecorded(event, { stream, version: history.length + index + 1, position, recordedAt }));
      }
      return {
        outcome: 'appended',
        version: history.length + events.length,
        position: at + BigInt(added.length),
      };
    },
    readStream: async (stream, { from = 1, upTo = Infinity } = {}) => {
      const base = await baseOf(stream);
      const own = addedTo.get(stream) ?? [];
      const ownFrom = Math.max(0, from - 1 - base.length);
      return [...base.slice(from - 1, upTo), ...own.slice(ownFrom, Math.max(0, upTo - base.length))];
    },
    findEvent: async (stream, id) => (await historyOf(stream)).find((event) => event.id === id),
    snapshots: noSnapshots,
    readStreams: async (streams) => {
      const all = await Promise.all(
        streams.map(async (stream) => [stream, await historyOf(stream)] as const),
      );
      return new Map(all.filter(([, events]) => events.length > 0));
    },
    head: async () => at + BigInt(added.length),
    close: async () => {},
    unseal: async () => unsupported('decrypt anything'),
    forget: async () => unsupported('forget an account'),
    readEvent: async () => unsupported('be read by position'),
    readTape: async () => unsupported('be read by position'),
    follow: () => unsupported('be followed'),
  };
  return { tape, added, readVersions: () => versions };
};

/**
 * A shadow of the tape as it is now. What is appended to it is checked and encrypted as on the tape, so the same commands
 * have the same outcome; keys that do not exist yet are not created.
 *
 * @example
 * const shadow = await createShadow({ store, keys, types, clock });
 * const { events } = await runShadow(shadow, …);
 */
export const createShadow = async ({ store, keys, types, clock }: ShadowOptions): Promise<Shadow> => {
  const { tape, added, readVersions } = storedShadow(store, await store.head(), clock);
  const own = readOnlyKeys(keys);
  const shadowed = withEventTypes(withPersonalData(tape, types, own), types);
  return {
    store: shadowed,
    added: async (form, from = 0) => {
      const wanted = added.slice(from);
      const streams = [...new Set(wanted.map(({ stream }) => stream))];
      const found = await Promise.all(streams.map((stream) => shadowed.readStream(stream, { form })));
      const byId = new Map(found.flat().map((event) => [event.id, event]));
      return wanted.flatMap(({ id }) => byId.get(id) ?? []);
    },
    readVersions,
  };
};
