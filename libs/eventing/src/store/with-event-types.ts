import { DomainError, messageOf, type JsonObject } from '@tapedeck/kernel';
import type { EventStore, ReadForm, TapePage } from '../event-store.ts';
import type { EventTypeDefinition, EventTypes } from '../event-types.ts';
import type { NewEvent, RecordedEvent } from '../event.ts';

/** Called for every stored event of an unknown type; readers do not get it. */
export type OnUnknownType = (event: RecordedEvent) => void;

/** Whether a store of these types needs keys for personal data. */
export const hasPersonalFields = (types: EventTypes): boolean =>
  Object.values(types).some(({ personal = [] }) => personal.length > 0);

const assertDefinitions = (types: EventTypes): void => {
  for (const [name, { version, upcasters = [], personal = [], subject }] of Object.entries(types)) {
    if (!Number.isSafeInteger(version) || version < 1 || upcasters.length !== version - 1) {
      throw new Error(`Event type ${name} is at version ${version}: it needs ${version - 1} upcasters.`);
    }
    if (personal.some((field) => !/^\w+$/.test(field))) {
      throw new Error(`A personal field of ${name} has a name other than letters, digits and underscores.`);
    }
    if (personal.length > 0 && (subject === undefined || personal.includes(subject))) {
      throw new Error(
        `Event type ${name} has personal fields: name the field of its subject, which is not encrypted.`,
      );
    }
  }
};

const definitionOf = (types: EventTypes, name: string): EventTypeDefinition | undefined =>
  Object.hasOwn(types, name) ? types[name] : undefined;

/** Converts data that was stored at version `from` to the current version. */
export const upcastData = (
  data: JsonObject,
  from: number,
  { upcasters = [] }: EventTypeDefinition,
): JsonObject => upcasters.slice(from - 1).reduce((raw, upcastOnce) => upcastOnce(raw), data);

const unknownEvent = ({ type, schemaVersion, position }: RecordedEvent, known: string): DomainError =>
  new DomainError(
    'unavailable',
    'EVENT_UNKNOWN',
    `The event at position ${position} is ${type} at version ${schemaVersion}, which a newer version of the program has written: this one ${known}. Update this process.`,
  );

const unreadable = ({ type, position, unreadable: reason = '' }: RecordedEvent): DomainError =>
  new DomainError(
    'unavailable',
    'EVENT_UNREADABLE',
    `The event ${type} at position ${position} cannot be read: ${reason}`,
  );

/**
 * The event at the current schema version of its type, or with `unreadable` when an upcaster throws; undefined when the
 * type is unknown.
 *
 * @throws DomainError EVENT_UNKNOWN when it has a newer version.
 *
 * @example
 * const event = upcast(stored, { FavouriteAdded: { version: 2, upcasters: [(data) => ({ ...data, tags: [] })] } });
 */
export const upcast = (event: RecordedEvent, types: EventTypes): RecordedEvent | undefined => {
  const definition = definitionOf(types, event.type);
  if (!definition) return undefined;
  if (event.schemaVersion > definition.version)
    throw unknownEvent(event, `knows version ${definition.version}`);
  if (event.schemaVersion === definition.version || event.unreadable !== undefined) return event;
  try {
    const data = upcastData(event.data, event.schemaVersion, definition);
    return { ...event, data, schemaVersion: definition.version };
  } catch (error) {
    return { ...event, unreadable: `its upcaster failed: ${messageOf(error)}` };
  }
};

const assertCurrent = (events: readonly NewEvent[], types: EventTypes): void => {
  for (const { type, schemaVersion } of events) {
    const version = definitionOf(types, type)?.version;
    if (version === schemaVersion) continue;
    throw new DomainError(
      'invalid',
      'EVENT_TYPE_UNKNOWN',
      version === undefined
        ? `Event type ${type} is not in the list of event types of any module: it could never be read back.`
        : `Event ${type} is written at version ${schemaVersion}, but the current version is ${version}.`,
    );
  }
};

/**
 * A store that returns only events of known types, at their current version, and accepts no others. Readers of the tape
 * stop at a newer version, because they would never come back to what they pass over; readers of a stream also at an
 * unknown type, because they decide on all of it.
 *
 * @example
 * const store = withEventTypes(rawStore, { ...strategyEvents, ...favouriteEvents });
 */
export const withEventTypes = (
  store: EventStore,
  types: EventTypes,
  onUnknownType: OnUnknownType = () => {},
): EventStore => {
  assertDefinitions(types);
  // Not by flatMap: an array for each event would double the time of a page.
  const upcastKnown = (events: readonly RecordedEvent[]): readonly RecordedEvent[] => {
    const current: RecordedEvent[] = [];
    for (const event of events) {
      const upcasted = upcast(event, types);
      if (upcasted) current.push(upcasted);
      else onUnknownType(event);
    }
    return current;
  };
  const isNewer = ({ type, schemaVersion }: RecordedEvent): boolean =>
    schemaVersion > (definitionOf(types, type)?.version ?? Infinity);
  const upcastPage = (page: TapePage): TapePage => {
    const end = page.events.findIndex(isNewer);
    const before = end > 0 ? page.events.slice(0, end) : page.events;
    const position = end > 0 ? (before.at(-1)?.position ?? page.position) : page.position;
    return { ...page, position, events: upcastKnown(before) };
  };
  const upcastStream = (events: readonly RecordedEvent[]): readonly RecordedEvent[] =>
    events.map((event) => {
      const current = upcast(event, types);
      if (!current) throw unknownEvent(event, 'does not know the type');
      if (current.unreadable !== undefined) throw unreadable(current);
      return current;
    });
  const assertKnown = (names: readonly string[] = []): void => {
    const unknown = names.find((name) => !definitionOf(types, name));
    if (unknown === undefined) return;
    throw new Error(`The tape is read for events ${unknown}, which no module of this process defines.`);
  };
  const isStored = (options: Readonly<{ form?: ReadForm }> | undefined): boolean =>
    options?.form === 'stored';

  return {
    ...store,
    append: async (stream, expected, events) => {
      assertCurrent(events, types);
      return store.append(stream, expected, events);
    },
    readStream: async (stream, options) => {
      const events = await store.readStream(stream, options);
      return isStored(options) ? events : upcastStream(events);
    },
    findEvent: async (stream, id) => {
      const event = await store.findEvent(stream, id);
      return event && upcastStream([event])[0];
    },
    readStreams: async (streams) => {
      const found = await store.readStreams(streams);
      return new Map([...found].map(([stream, events]) => [stream, upcastStream(events)]));
    },
    readTape: async (options) => {
      assertKnown(options.types);
      const page = await store.readTape(options);
      return isStored(options) ? page : upcastPage(page);
    },
    follow: async function* (options) {
      assertKnown(options.types);
      for await (const page of store.follow(options)) {
        if (isStored(options)) {
          yield page;
          continue;
        }
        yield upcastPage(page);
        upcastKnown(page.events.filter(isNewer));
      }
    },
  };
};
