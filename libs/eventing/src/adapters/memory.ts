import { isoNow, systemClock, type Clock, type EventId, type JsonObject } from '@tapedeck/kernel';
import type { AppendResult, EventStore, ExpectedVersion } from '../event-store.ts';
import type { EventMetadata, RecordedEvent } from '../event.ts';
import type { EventTypes } from '../event-types.ts';
import { followTape } from '../store/follow-tape.ts';
import type { PersonalDataKeys } from '../store/personal-data-keys.ts';
import { createMemoryPersonalDataKeys } from '../personal-data/memory-keys.ts';
import { withPersonalData } from '../store/with-personal-data.ts';
import {
  eventIdReused,
  toStorableAppend,
  type StorableAppend,
  type StorableEvent,
} from '../store/storable.ts';
import { createTapeWatch } from '../store/head-poller.ts';
import { withEventTypes, type OnUnknownType } from '../store/with-event-types.ts';

export type MemoryEventStoreOptions = Readonly<{
  types: EventTypes;
  /** Keys of its own by default. */
  keys?: PersonalDataKeys;
  clock?: Clock;
  onUnknownType?: OnUnknownType;
}>;

type Stored = StorableEvent &
  Readonly<{ stream: string; version: number; position: bigint; recordedAt: string }>;

const toRecorded = (event: Stored): RecordedEvent => ({
  ...event,
  id: event.id as EventId,
  data: JSON.parse(event.data) as JsonObject,
  metadata: JSON.parse(event.metadata) as EventMetadata,
});

const agrees = (expected: ExpectedVersion, actual: number): boolean => {
  if (expected === 'ANY') return true;
  if (expected === 'EXISTS') return actual > 0;
  return expected === (actual === 0 ? 'NO_STREAM' : actual);
};

type Tape = Readonly<{
  events: Stored[];
  streams: Map<string, Stored[]>;
  ids: Map<string, Stored>;
}>;

const repetition = (tape: Tape, { stream, events }: StorableAppend): AppendResult | undefined => {
  const known = events.flatMap((event) => tape.ids.get(event.id) ?? []);
  const last = known.reduce<Stored | undefined>((a, b) => (a && a.version > b.version ? a : b), undefined);
  if (!last) return undefined;
  if (known.length < events.length || known.some((event) => event.stream !== stream))
    throw eventIdReused(stream);
  return { outcome: 'duplicate', version: last.version, position: last.position };
};

const write = (tape: Tape, append: StorableAppend, recordedAt: string): AppendResult => {
  const { stream, expected, events } = append;
  const repeated = repetition(tape, append);
  if (repeated) return repeated;
  const history = tape.streams.get(stream) ?? [];
  if (!agrees(expected, history.length)) return { outcome: 'conflict', actual: history.length };
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

/** The tape without types: what is written is what is read. */
export const createMemoryTape = (clock: Clock): EventStore => {
  const tape: Tape = { events: [], streams: new Map(), ids: new Map() };
  const head = (): bigint => BigInt(tape.events.length);
  const watch = createTapeWatch(async () => head());

  const readTape: EventStore['readTape'] = async ({ after, limit, types }) => {
    const wanted = types && new Set(types);
    const events: Stored[] = [];
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
      if (result.outcome === 'appended') watch.wake();
      return result;
    },
    readStream: async (stream, { from = 1 } = {}) =>
      (tape.streams.get(stream) ?? []).slice(Math.max(0, from - 1)).map(toRecorded),
    readStreams: async (streams) =>
      new Map(
        streams.flatMap((stream) => {
          const events = tape.streams.get(stream);
          return events ? [[stream, events.map(toRecorded)] as const] : [];
        }),
      ),
    readTape,
    follow: (options) =>
      followTape({ readTape, waitBeyond: watch.waitBeyond, isTransient: () => false }, options),
    head: async () => head(),
    close: async () => {},
  };
};

/**
 * A tape that lives as long as the process: for tests, and for trying things out.
 *
 * @example
 * const store = createMemoryEventStore({ types: favouriteEvents });
 * await store.append('favourites-…', 'NO_STREAM', [event]);
 */
export const createMemoryEventStore = ({
  types,
  keys = createMemoryPersonalDataKeys(),
  clock = systemClock,
  onUnknownType,
}: MemoryEventStoreOptions): EventStore =>
  withEventTypes(withPersonalData(createMemoryTape(clock), types, keys), types, onUnknownType);

export { createMemoryPersonalDataKeys } from '../personal-data/memory-keys.ts';
