import type { EventId, JsonValue } from '@tapedeck/kernel';
import type { Forgotten, Sealed } from './event-types.ts';
import type { NewEvent, Position, RecordedEvent } from './event.ts';

/** The state of the stream that an append requires: absent, existing, any, or exactly this version (from 1). */
export type ExpectedVersion = 'NO_STREAM' | 'EXISTS' | 'ANY' | number;

export type AppendResult =
  | Readonly<{ outcome: 'appended'; version: number; position: Position }>
  /** The stream already contains all the ids; nothing was written. An adapter may find that out by reading the stream. */
  | Readonly<{ outcome: 'duplicate'; version: number; position: Position }>
  /** The stream has another version than expected: `actual`, which is 0 when there is no such stream. */
  | Readonly<{ outcome: 'conflict'; actual: number }>;

export type TapePage = Readonly<{
  events: readonly RecordedEvent[];
  /**
   * The reader has read everything up to this position. It is the next `after`, also when `events` is empty: the
   * position of an event, or 0, or the given `after`.
   */
  position: Position;
  /** The settled mark at the time of reading. */
  head: Position;
  /** The event at `position`, whatever its type, where the reader has read it. */
  last?: Pick<RecordedEvent, 'position' | 'stream' | 'version' | 'id'>;
}>;

/**
 * How events are returned. `current`: at the current schema version of their type, decrypted, of known types only.
 * `sealed`: the same with each personal field as a `Sealed` text; for read models.
 * `stored`: as they were written, of every type, with ciphertext in personal fields; for those who pass events on.
 */
export type ReadForm = 'current' | 'sealed' | 'stored';

export type ReadStreamOptions = Readonly<{
  /** The first version; 1 by default. */
  from?: number;
  /** The last version; that of the stream by default. */
  upTo?: number;
  form?: ReadForm;
}>;

export type ReadTapeOptions = Readonly<{
  after: Position;
  limit: number;
  /** Reads only these event types, which must be known; `position` still passes over the others. */
  types?: readonly string[];
  form?: ReadForm;
}>;

export type FollowOptions = Readonly<{
  after: Position;
  batchSize: number;
  types?: readonly string[];
  form?: ReadForm;
  signal: AbortSignal;
}>;

/** The state of a stream up to one of its events. */
export type Snapshot = Readonly<{
  stream: string;
  /** Which program can read the content: the version of its decider's `SnapshotForm`. */
  form: number;
  /** The last event that the state contains. */
  version: number;
  position: Position;
  eventId: EventId;
  content: Uint8Array;
}>;

/** At most one snapshot per stream. They can be deleted at any time: a state is then computed from the events again. */
export type Snapshots = Readonly<{
  /** `subject`: the account whose key encrypts it. Undefined also for another form, and once the account is forgotten. */
  read: (stream: string, form: number, subject?: string) => Promise<Snapshot | undefined>;
  /** Replaces the stream's snapshot, except one of a newer form. */
  write: (snapshot: Snapshot, subject?: string) => Promise<void>;
}>;

/**
 * The tape. Every adapter passes the tests in `testing/event-store.contract.ts`.
 *
 * @example
 * const result = await store.append('favourites-…', 'NO_STREAM', [event]);
 * if (result.outcome === 'conflict') throw new Error(`stream is at ${result.actual}`);
 */
export type EventStore = Readonly<{
  /**
   * Writes all the events or none. Concurrent calls do not affect each other.
   * @throws DomainError EVENT_NOT_STORABLE for text with U+0000 or a lone surrogate, EVENT_TOO_LARGE above 1 MiB,
   * EVENT_ID_REUSED when some of the ids belong to another append, TAPE_OVERLOADED when too many appends wait,
   * TAPE_UNAVAILABLE when nothing was written, APPEND_OUTCOME_UNKNOWN when that is not known: the same append can be
   * repeated.
   */
  append: (stream: string, expected: ExpectedVersion, events: readonly NewEvent[]) => Promise<AppendResult>;
  /**
   * The stream's events in order; an unknown stream is empty.
   * @throws DomainError EVENT_UNREADABLE, or EVENT_UNKNOWN for a newer version or an unknown type: no decision is based on a part of
   * a stream.
   */
  readStream: (stream: string, options?: ReadStreamOptions) => Promise<readonly RecordedEvent[]>;
  /** The event of the stream with this id. An adapter may find it by reading the stream. */
  findEvent: (stream: string, id: EventId) => Promise<RecordedEvent | undefined>;
  snapshots: Snapshots;
  /**
   * Decrypts personal fields of events that were read as `sealed`, in one round trip; `forgotten` once the key was deleted.
   * @throws DomainError PERSONAL_KEY_MISSING
   */
  unseal: (sealed: readonly Sealed[]) => Promise<readonly (JsonValue | Forgotten)[]>;
  /**
   * Deletes the key of an account for good: its personal fields are then `forgotten` everywhere, and nothing personal can
   * be written for it. Repeating it changes nothing. Other processes may use a cached key for up to a minute.
   */
  forget: (subject: string) => Promise<void>;
  /** Several streams in one round trip; the map has no entry for an unknown stream. */
  readStreams: (streams: readonly string[]) => Promise<ReadonlyMap<string, readonly RecordedEvent[]>>;
  /** The event at a position as it was written, whatever its type; undefined when there is none. Does not use the mark. */
  readEvent: (position: Position) => Promise<RecordedEvent | undefined>;
  /**
   * One page of the tape up to the settled mark, in order of position. No event can appear there later. Events that
   * cannot be read have `unreadable`. The page ends before an event whose version is newer than this program knows.
   * @throws DomainError EVENT_UNKNOWN when that event is the first one.
   */
  readTape: (options: ReadTapeOptions) => Promise<TapePage>;
  /**
   * Pages of the tape until the signal is aborted; waits at the end of the tape for new events, and for a store that
   * cannot be reached.
   * @throws DomainError TAPE_CHANGED when the tape is not the one that was read before, or ends before `after`.
   */
  follow: (options: FollowOptions) => AsyncIterable<TapePage>;
  /** The settled mark: the position of the last event up to which the tape can be read; 0 for an empty tape. */
  head: () => Promise<Position>;
  close: () => Promise<void>;
}>;
