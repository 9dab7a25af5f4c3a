import { DomainError, messageOf, type JsonObject, type JsonValue } from '@tapedeck/kernel';
import { setImmediate } from 'node:timers/promises';
import type { EventStore, ReadForm, Snapshot, Snapshots, TapePage } from '../event-store.ts';
import { forgotten, type EventTypes } from '../event-types.ts';
import type { NewEvent, RecordedEvent } from '../event.ts';
import { missingKey, open, seal, type KeyState, type PersonalDataKeys } from './personal-data-keys.ts';
import { contextOf, sealedText, unencryptedText, unsealWith } from './sealed-fields.ts';
import { storableJson } from './storable.ts';

// Metadata of an event with encrypted fields: it names them, so that an event of any version can be decrypted.
const fieldsName = 'personalFields';
const subjectName = 'personalSubject';
const keyName = 'personalKey';
const reservedNames = [fieldsName, subjectName, keyName];

const subjectOf = (event: NewEvent, field: string): string => {
  const subject = event.data[field];
  if (typeof subject === 'string' && subject !== '') return subject;
  throw new DomainError(
    'invalid',
    'PERSONAL_SUBJECT_MISSING',
    `Event ${event.type} has personal fields: its field "${field}" must contain the id of the account they belong to.`,
  );
};

const assertNoReservedNames = (event: NewEvent): void => {
  const taken = reservedNames.find((name) => name in event.metadata);
  if (taken) throw new Error(`Metadata "${taken}" of ${event.type} is reserved for the store.`);
};

const encrypt = async (event: NewEvent, types: EventTypes, keys: PersonalDataKeys): Promise<NewEvent> => {
  assertNoReservedNames(event);
  const { personal = [], subject: subjectField = '' } = types[event.type] ?? {};
  // Null says nothing about a person, and needs no key: it can be written for a forgotten account too.
  const fields = personal.filter((field) => event.data[field] !== undefined && event.data[field] !== null);
  if (fields.length === 0) return event;
  const subject = subjectOf(event, subjectField);
  const key = await keys.keyFor(subject);
  const sealed = fields.map((field) => {
    const plain = storableJson(event.data[field] as JsonValue, `Field "${field}" of ${event.type}`);
    return [field, seal(key.secret, Buffer.from(plain), contextOf(event.id, field)).toString('base64')];
  });
  const metadata = { [fieldsName]: fields.join(','), [subjectName]: subject, [keyName]: key.id };
  return {
    ...event,
    data: { ...event.data, ...(Object.fromEntries(sealed) as JsonObject) },
    metadata: { ...event.metadata, ...metadata },
  };
};

const decryptField = (event: RecordedEvent, field: string, key: KeyState | undefined): JsonValue => {
  if (key === 'forgotten') return forgotten;
  const { [subjectName]: subject = '', [keyName]: keyId } = event.metadata;
  if (key === undefined || key.id !== keyId) throw new Error(missingKey(subject));
  try {
    const sealed = Buffer.from(String(event.data[field]), 'base64');
    return JSON.parse(open(key.secret, sealed, contextOf(event.id, field)).toString()) as JsonValue;
  } catch {
    throw new Error(`its field "${field}" cannot be decrypted, because it was changed after it was written.`);
  }
};

const decrypt = (event: RecordedEvent, keys: ReadonlyMap<string, KeyState>): RecordedEvent => {
  const fields = event.metadata[fieldsName];
  if (fields === undefined) return event;
  const { [fieldsName]: _fields, [subjectName]: subject = '', [keyName]: _key, ...metadata } = event.metadata;
  const key = keys.get(subject);
  try {
    const decrypted = fields.split(',').map((field) => [field, decryptField(event, field, key)]);
    return { ...event, data: { ...event.data, ...(Object.fromEntries(decrypted) as JsonObject) }, metadata };
  } catch (error) {
    return { ...event, metadata, unreadable: messageOf(error) };
  }
};

/** Needs no key. */
const sealFields = (event: RecordedEvent, types: EventTypes): RecordedEvent => {
  const {
    [fieldsName]: names,
    [subjectName]: subject = '',
    [keyName]: keyId = '',
    ...metadata
  } = event.metadata;
  const encrypted = names === undefined ? [] : names.split(',');
  const listed = types[event.type]?.personal ?? [];
  if (encrypted.length === 0 && listed.length === 0) return event;
  const data: Record<string, JsonValue | undefined> = { ...event.data };
  for (const field of listed) {
    const value = event.data[field];
    if (value !== undefined && !encrypted.includes(field)) data[field] = unencryptedText(value);
  }
  for (const field of encrypted) {
    const ciphertext = String(event.data[field]);
    data[field] = sealedText({ subject, keyId, eventId: event.id, field, ciphertext });
  }
  return { ...event, data, metadata };
};

const subjectsIn = (events: readonly RecordedEvent[]): readonly string[] => {
  const subjects = new Set<string>();
  for (const { metadata } of events) {
    if (metadata[fieldsName] !== undefined) subjects.add(metadata[subjectName] ?? '');
  }
  return [...subjects];
};

const snapshotContext = ({ stream, form, version }: Omit<Snapshot, 'content'>): string =>
  `snapshot ${form} of ${stream} at ${version}`;

/** Snapshots of states with personal data, encrypted with the account's key like the events that they replace. */
const withSealedSnapshots = (snapshots: Snapshots, keys: PersonalDataKeys): Snapshots => ({
  read: async (stream, form, subject) => {
    const snapshot = await snapshots.read(stream, form, subject);
    if (!snapshot || subject === undefined) return snapshot;
    const key = (await keys.keysOf([subject])).get(subject);
    if (key === undefined || key === 'forgotten') return undefined;
    // Reading the bytes of a large one has taken its time.
    await setImmediate();
    try {
      return { ...snapshot, content: open(key.secret, snapshot.content, snapshotContext(snapshot)) };
    } catch {
      return undefined;
    }
  },
  write: async (snapshot, subject) => {
    if (subject === undefined) return snapshots.write(snapshot);
    const { secret } = await keys.keyFor(subject);
    const content = seal(secret, snapshot.content, snapshotContext(snapshot));
    return snapshots.write({ ...snapshot, content }, subject);
  },
});

/**
 * A store that encrypts the personal fields of events, with one key for each account. Upcasters come after it: fields
 * are decrypted under the names under which they were written.
 *
 * @example
 * const store = withEventTypes(withPersonalData(rawStore, types, keys), types);
 */
export const withPersonalData = (
  store: EventStore,
  types: EventTypes,
  keys: PersonalDataKeys,
): EventStore => {
  const decryptAll = async (events: readonly RecordedEvent[]): Promise<readonly RecordedEvent[]> => {
    const subjects = subjectsIn(events);
    if (subjects.length === 0) return events;
    const found = await keys.keysOf(subjects);
    return events.map((event) => decrypt(event, found));
  };
  const inForm = async (
    events: readonly RecordedEvent[],
    form: ReadForm = 'current',
  ): Promise<readonly RecordedEvent[]> => {
    if (form === 'stored') return events;
    return form === 'sealed' ? events.map((event) => sealFields(event, types)) : decryptAll(events);
  };
  const pageInForm = async (page: TapePage, form: ReadForm | undefined): Promise<TapePage> => ({
    ...page,
    events: await inForm(page.events, form),
  });

  return {
    ...store,
    append: async (stream, expected, events) =>
      store.append(stream, expected, await Promise.all(events.map((event) => encrypt(event, types, keys)))),
    readStream: async (stream, options) => inForm(await store.readStream(stream, options), options?.form),
    findEvent: async (stream, id) => {
      const event = await store.findEvent(stream, id);
      return event && (await decryptAll([event]))[0];
    },
    snapshots: withSealedSnapshots(store.snapshots, keys),
    readStreams: async (streams) => {
      const found = await store.readStreams(streams);
      const keysFound = await keys.keysOf([...found.values()].flatMap(subjectsIn));
      return new Map(
        [...found].map(([stream, events]) => [stream, events.map((event) => decrypt(event, keysFound))]),
      );
    },
    unseal: unsealWith(keys),
    forget: keys.forget,
    readTape: async (options) => pageInForm(await store.readTape(options), options.form),
    follow: async function* (options) {
      for await (const page of store.follow(options)) yield await pageInForm(page, options.form);
    },
  };
};
