import { DomainError, type JsonValue } from '@tapedeck/kernel';
import type { ExpectedVersion } from '../event-store.ts';
import type { NewEvent } from '../event.ts';

/** An event with its data and metadata as JSON text, as every adapter stores it. */
export type StorableEvent = Readonly<{
  id: string;
  type: string;
  schemaVersion: number;
  data: string;
  metadata: string;
  /** The size of both. */
  bytes: number;
}>;

export type StorableAppend = Readonly<{
  stream: string;
  expected: ExpectedVersion;
  events: readonly StorableEvent[];
  /** About the size of the request. */
  bytes: number;
}>;

const maxNameLength = 250;
/** Data and metadata of one event, as JSON in UTF-8. */
export const maxEventBytes = 1 << 20;
const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
// JSON.stringify escapes only control characters and lone surrogates by \u. After an even number of backslashes, \u is text.
// Linear: a match begins only where no backslash stands before.
const unstorableInJson = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;
// oxlint-disable-next-line no-control-regex
const unstorableName = /[\u0000-\u001f\u007f]|\p{Surrogate}/u;

const notStorable = (what: string, why: string): DomainError =>
  new DomainError('invalid', 'EVENT_NOT_STORABLE', `${what} cannot be stored: ${why}.`);

const tooLarge = (type: string, bytes: number): DomainError =>
  new DomainError(
    'too-large',
    'EVENT_TOO_LARGE',
    `Event ${type} has ${bytes.toLocaleString('en')} bytes: at most ${maxEventBytes.toLocaleString('en')} can be stored.`,
    { bytes, maxBytes: maxEventBytes },
  );

const hasUnstorableNumber = (value: JsonValue | undefined): boolean => {
  if (typeof value === 'number') return !Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return false;
  for (const part of Object.values(value)) if (hasUnstorableNumber(part)) return true;
  return false;
};

/**
 * The value as JSON text that every store returns unchanged.
 *
 * @throws DomainError EVENT_NOT_STORABLE for U+0000, lone surrogates, NaN and infinities.
 */
export const storableJson = (value: JsonValue, what: string): string => {
  if (hasUnstorableNumber(value)) {
    throw notStorable(
      what,
      'it contains NaN or an infinity, which JSON turns into null; write it as text or null',
    );
  }
  const text = JSON.stringify(value);
  if (text.includes('\\u') && unstorableInJson.test(text)) {
    throw notStorable(
      what,
      'its text contains U+0000 or half of a surrogate pair; remove it before appending',
    );
  }
  return text;
};

const assertStorableName = (kind: string, name: string): void => {
  if (name === '' || name.length > maxNameLength || unstorableName.test(name)) {
    const shown = JSON.stringify(name.slice(0, 60));
    throw notStorable(
      `${kind} ${shown}`,
      `a name has 1 to ${maxNameLength} characters, none a control character`,
    );
  }
};

const toStorableEvent = (event: NewEvent): StorableEvent => {
  assertStorableName('Event type', event.type);
  if (!uuidPattern.test(event.id)) {
    throw notStorable(`Event ${event.type}`, 'its id is not a UUID in lower case');
  }
  const data = storableJson(event.data, `Event ${event.type}`);
  const metadata = storableJson(event.metadata, `Metadata of ${event.type}`);
  const bytes = Buffer.byteLength(data) + Buffer.byteLength(metadata);
  if (bytes > maxEventBytes) throw tooLarge(event.type, bytes);
  return { id: event.id, type: event.type, schemaVersion: event.schemaVersion, data, metadata, bytes };
};

const assertExpected = (expected: ExpectedVersion): void => {
  if (typeof expected !== 'number' || (Number.isSafeInteger(expected) && expected >= 1)) return;
  throw new DomainError(
    'invalid',
    'EXPECTED_VERSION_INVALID',
    `The expected version ${expected} is invalid: use a number from 1, NO_STREAM, EXISTS or ANY.`,
  );
};

/** Checks everything about an append that does not depend on the content of the store. */
export const toStorableAppend = (
  stream: string,
  expected: ExpectedVersion,
  events: readonly NewEvent[],
): StorableAppend => {
  assertStorableName('Stream', stream);
  assertExpected(expected);
  if (events.length === 0) throw notStorable(`Append to ${stream}`, 'it has no events');
  const storable = events.map(toStorableEvent);
  if (new Set(events.map((event) => event.id)).size < events.length) throw eventIdReused(stream);
  const bytes = storable.reduce((sum, event) => sum + event.bytes + 100, 0);
  return { stream, expected, events: storable, bytes };
};

export const eventIdReused = (stream: string): DomainError =>
  new DomainError(
    'conflict',
    'EVENT_ID_REUSED',
    `An event id of the append to ${stream} belongs to another append: the ids must all be new, or all be those of the repeated append.`,
  );
