import { isoNow, systemClock, type Clock, type EventId, type JsonObject } from '@tapedeck/kernel';
import { randomBytes, randomUUID } from 'node:crypto';
import type {
  AppendResult,
  EventStore,
  ExpectedVersion,
  Snapshot,
  Snapshots,
  TapePage,
} from '../event-store.ts';
import type { EventMetadata, Position, RecordedEvent } from '../event.ts';
import type { EventTypes } from '../event-types.ts';
import { followTape, tapeChanged } from '../store/follow-tape.ts';
import { createHeadPoller } from '../store/head-poller.ts';
import {
  accountForgotten,
  personalKeyMissing,
  type KeyState,
  type PersonalDataKeys,
} from '../store/personal-data-keys.ts';
import {
  eventIdReused,
  toStorableAppend,
  type StorableAppend,
  type StorableEvent,
} from '../store/storable.ts';
import { withEventTypes } from '../store/with-event-types.ts';
import { withoutKeys } from '../store/sealed-fields.ts';
import { withPersonalData } from '../store/with-personal-data.ts';

export type MemoryEventStoreOptions = Readonly<{
  types: EventTypes;
  /** A new set of keys by default. */
  keys?: PersonalDataKeys;
  clock?: Clock;
}>;

type StoredEvent = StorableEvent &
  Readonly<{ stream: string; version: number; position: bigint; recordedAt: string }>;

const toRecorded = ({ bytes: _bytes, ...event }: StoredEvent): RecordedEvent => ({
  ...event,
  id: event.id as EventId,
  data: JSON.parse(event.data) as JsonObject,
  metadata: JSON.parse(event.metadata) as EventMetadata,
});

const isAsExpected = (expected: ExpectedVersion, actual: number): boolean => {
  if (expected === 'ANY') return true;
  if (expected === 'EXISTS') return actual > 0;
  return expected === (actual === 0 ? 'NO_STREAM' : actual);
};

type Tape = Readonly<{
  events: StoredEvent[];
  streams: Map<string, StoredEvent[]>;
  ids: Map<string, StoredEvent>;
}>;

const findDuplicate = (tape: Tape, { stream, events }: StorableAppend): AppendResult | undefined => {
  const known = events.flatMap((event) => tape.ids.get(event.id) ?? []);
  const last = known.reduce<StoredEvent | undefined>(
    (a, b) => (a && a.version > b.version ? a : b),
    undefined,
  );
  if (!last) return undefined;
  if (known.length < events.length || known.some((event) => event.stream !== stream))
    throw eventIdReused(stream);
  return { outcome: 'duplicate', version: last.version, position: last.position };
};

const write = (tape: Tape, append: StorableAppend, recordedAt: string): AppendResult => {
  const { stream, expected, events } = append;
  const duplicate = findDuplicate(tape, append);
  if (duplicate) return duplicate;
  const history = tape.streams.get(stream) ?? [];
  if (!isAsExpected(expected, history.length)) return { outcome: 'conflict', actual: history.length };
  tape.streams.set(stream, history);
  for (const event of events) {
    const position = BigInt(tape.events.length + 1);
    const stored = { ...event, stream, version: history.length + 1, position, recordedAt };
    history.push(stored);
    tape.events.push(stored);
    tape.ids.set(event.id, stored);
  }
  return { outcome: 'appended', version: history.length, position: BigInt(tape.events.length) };
};

const createMemorySnapshots = (): Snapshots => {
  const snapshots = new Map<string, Snapshot>();
  return {
    read: async (stream, form) => {
      const snapshot = snapshots.get(stream);
      return snapshot?.form === form ? snapshot : undefined;
    },
    write: async (snapshot) => {
      const { stream, form } = snapshot;
      if (form >= (snapshots.get(stream)?.form ?? form)) snapshots.set(stream, snapshot);
    },
  };
};

/** The store without event types and encryption: it accepts and returns any event. */
export const createMemoryTape = (clock: Clock): EventStore => {
  const tape: Tape = { events: [], streams: new Map(), ids: new Map() };
  const head = (): bigint => BigInt(tape.events.length);
  const poller = createHeadPoller(async () => head());
  const assertSameTape = (_: TapePage, after: Position): void => {
    if (after > head()) throw tapeChanged();
  };

  const readTape: EventStore['readTape'] = async ({ after, limit, types }) => {
    const wanted = types && new Set(types);
    const events: StoredEvent[] = [];
    let index = Number(after);
    for (; index < tape.events.length && events.length < limit; index++) {
      const event = tape.events[index];
      if (event && (!wanted || wanted.has(event.type))) events.push(event);
    }
    const position = BigInt(Math.max(index, Number(after)));
    return { events: events.map(toRecorded), position, head: head() };
  };

  return {
    append: async (stream, expected, events) => {
      const result = write(tape, toStorableAppend(stream, expected, events), isoNow(clock));
      if (result.outcome === 'appended') poller.pollNow();
      return result;
    },
    readStream: async (stream, { from = 1, upTo = Infinity } = {}) =>
      (tape.streams.get(stream) ?? [])
        .filter(({ version }) => version >= from && version <= upTo)
        .map(toRecorded),
    findEvent: async (stream, id) => {
      const event = tape.ids.get(id);
      return event?.stream === stream ? toRecorded(event) : undefined;
    },
    snapshots: createMemorySnapshots(),
    ...withoutKeys,
    readStreams: async (streams) =>
      new Map(
        streams.flatMap((stream) => {
          const events = tape.streams.get(stream);
          return events ? [[stream, events.map(toRecorded)] as const] : [];
        }),
      ),
    readEvent: async (position) => {
      const event = tape.events[Number(position) - 1];
      return event && toRecorded(event);
    },
    readTape,
    follow: (options) =>
      followTape(
        {
          readTape,
          waitBeyond: poller.waitBeyond,
          isTransient: () => false,
          watchTape: () => assertSameTape,
        },
        options,
      ),
    head: async () => head(),
    close: async () => {},
  };
};

/**
 * An event store in memory, for tests and experiments.
 *
 * @example
 * const store = createMemoryEventStore({ types: favouriteEvents });
 * await store.append('favourites-…', 'NO_STREAM', [event]);
 */
export const createMemoryEventStore = ({
  types,
  keys,
  clock = systemClock,
}: MemoryEventStoreOptions): EventStore => {
  const tape = createMemoryTape(clock);
  const ownKeys = keys ?? createMemoryPersonalDataKeys(tape);
  return withEventTypes(withPersonalData(tape, types, ownKeys), types);
};

const hasPersonalEvents = async (tape: EventStore, subject: string): Promise<boolean> => {
  const { events } = await tape.readTape({ after: 0n, limit: Number.MAX_SAFE_INTEGER, form: 'stored' });
  return events.some(({ metadata }) => metadata['personalSubject'] === subject);
};

/**
 * Keys of personal data in memory. Without the tape they cannot notice that a key was lost.
 *
 * @example
 * const store = createMemoryEventStore({ types, keys: createMemoryPersonalDataKeys() });
 */
export const createMemoryPersonalDataKeys = (tape?: EventStore): PersonalDataKeys => {
  const keys = new Map<string, KeyState>();
  return {
    keyFor: async (subject) => {
      const isLost = !keys.has(subject) && tape !== undefined && (await hasPersonalEvents(tape, subject));
      const key = keys.get(subject) ?? { id: randomUUID(), secret: randomBytes(32) };
      if (key === 'forgotten') throw accountForgotten();
      if (isLost) throw personalKeyMissing(subject);
      keys.set(subject, key);
      return key;
    },
    keysOf: async (subjects) => {
      const found = new Map<string, KeyState>();
      for (const subject of subjects) {
        const key = keys.get(subject);
        if (key) found.set(subject, key);
      }
      return found;
    },
    forget: async (subject) => {
      keys.set(subject, 'forgotten');
    },
  };
};
