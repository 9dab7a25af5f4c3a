import { DomainError, type JsonObject } from '@tapedeck/kernel';
import type { EventStore, TapePage } from '../event-store.ts';
import type { EventTypeDefinition, EventTypes } from '../event-types.ts';
import type { NewEvent, RecordedEvent } from '../event.ts';

/** Told of every stored event that no room knows: read, counted, and left out. */
export type OnUnknownType = (event: RecordedEvent) => void;

/** Whether a store over these types needs keys for personal data. */
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
        `Event type ${name} has personal fields: name the field of its subject, which stays clear.`,
      );
    }
  }
};

const definitionOf = (types: EventTypes, name: string): EventTypeDefinition | undefined =>
  Object.hasOwn(types, name) ? types[name] : undefined;

/** Data as it was stored at version `from`, lifted to the type's current version. */
export const liftData = (
  data: JsonObject,
  from: number,
  { upcasters = [] }: EventTypeDefinition,
): JsonObject => upcasters.slice(from - 1).reduce((raw, lift) => lift(raw), data);

/**
 * The event at its type's current schema version; undefined when nobody knows the type, or not this version yet.
 *
 * @example
 * const event = upcast(stored, { FavouriteAdded: { version: 2, upcasters: [(data) => ({ ...data, tags: [] })] } });
 */
export const upcast = (event: RecordedEvent, types: EventTypes): RecordedEvent | undefined => {
  const definition = definitionOf(types, event.type);
  if (!definition || event.schemaVersion > definition.version) return undefined;
  if (event.schemaVersion === definition.version) return event;
  const data = liftData(event.data, event.schemaVersion, definition);
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
        ? `Event type ${type} is in no room's list of event types: it could never be read back.`
        : `Event ${type} is written at version ${schemaVersion}, but the current version is ${version}.`,
    );
  }
};

/**
 * A store that hands out only events its rooms know, at their current version, and accepts no others.
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
  const known = (events: readonly RecordedEvent[]): readonly RecordedEvent[] => {
    const current: RecordedEvent[] = [];
    for (const event of events) {
      const lifted = upcast(event, types);
      if (lifted) current.push(lifted);
      else onUnknownType(event);
    }
    return current;
  };
  const knownPage = (page: TapePage): TapePage => ({ ...page, events: known(page.events) });

  return {
    ...store,
    append: async (stream, expected, events) => {
      assertCurrent(events, types);
      return store.append(stream, expected, events);
    },
    readStream: async (stream, options) => known(await store.readStream(stream, options)),
    readStreams: async (streams) => {
      const found = await store.readStreams(streams);
      return new Map([...found].map(([stream, events]) => [stream, known(events)]));
    },
    readTape: async (options) => knownPage(await store.readTape(options)),
    follow: async function* (options) {
      for await (const page of store.follow(options)) yield knownPage(page);
    },
  };
};
