import { DomainError, type JsonObject } from '@tapedeck/kernel';
import type { EventStore, TapePage } from '../event-store.ts';
import type { EventTypeDefinition, EventTypes } from '../event-types.ts';
import type { NewEvent, RecordedEvent } from '../event.ts';

/** Called for every stored event of an unknown type or version; readers do not get it. */
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

/**
 * The event at the current schema version of its type; undefined when the type is unknown, or the version is newer.
 *
 * @example
 * const event = upcast(stored, { FavouriteAdded: { version: 2, upcasters: [(data) => ({ ...data, tags: [] })] } });
 */
export const upcast = (event: RecordedEvent, types: EventTypes): RecordedEvent | undefined => {
  const definition = definitionOf(types, event.type);
  if (!definition || event.schemaVersion > definition.version) return undefined;
  if (event.schemaVersion === definition.version) return event;
  const data = upcastData(event.data, event.schemaVersion, definition);
  return { ...event, data, schemaVersion: definition.version };
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
 * A store that returns only events of known types, at their current version, and accepts no others.
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
  const upcastKnown = (events: readonly RecordedEvent[]): readonly RecordedEvent[] => {
    const current: RecordedEvent[] = [];
    for (const event of events) {
      const upcasted = upcast(event, types);
      if (upcasted) current.push(upcasted);
      else onUnknownType(event);
    }
    return current;
  };
  const upcastPage = (page: TapePage): TapePage => ({ ...page, events: upcastKnown(page.events) });

  return {
    ...store,
    append: async (stream, expected, events) => {
      assertCurrent(events, types);
      return store.append(stream, expected, events);
    },
    readStream: async (stream, options) => upcastKnown(await store.readStream(stream, options)),
    readStreams: async (streams) => {
      const found = await store.readStreams(streams);
      return new Map([...found].map(([stream, events]) => [stream, upcastKnown(events)]));
    },
    readTape: async (options) => upcastPage(await store.readTape(options)),
    follow: async function* (options) {
      for await (const page of store.follow(options)) yield upcastPage(page);
    },
  };
};
