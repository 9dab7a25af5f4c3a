import type { NewEvent, Position, RecordedEvent } from './event.ts';

/** What the caller believes of the stream: absent, there, either, or at exactly this version (≥ 1). */
export type ExpectedVersion = 'NO_STREAM' | 'EXISTS' | 'ANY' | number;

export type AppendResult =
  | Readonly<{ outcome: 'appended'; version: number; position: Position }>
  /** All the ids are there already, in this stream: nothing was written. */
  | Readonly<{ outcome: 'duplicate'; version: number; position: Position }>
  /** The expectation was wrong; `actual` is the stream's version, 0 when there is no stream. */
  | Readonly<{ outcome: 'conflict'; actual: number }>;

export type TapePage = Readonly<{
  events: readonly RecordedEvent[];
  /** Everything at or before it has been seen by this reader: the next `after`, also when `events` is empty. */
  position: Position;
  /** The settled end of the tape at the time of reading. */
  head: Position;
}>;

export type ReadTapeOptions = Readonly<{
  after: Position;
  limit: number;
  /** Only these event types; the position still moves over the others. */
  types?: readonly string[];
}>;

export type FollowOptions = Readonly<{
  after: Position;
  batchSize: number;
  types?: readonly string[];
  signal: AbortSignal;
}>;

/**
 * The tape. Every adapter passes `event-store.contract.ts`.
 *
 * @example
 * const result = await store.append('favourites-…', 'NO_STREAM', [event]);
 * if (result.outcome === 'conflict') throw new Error(`stream is at ${result.actual}`);
 */
export type EventStore = Readonly<{
  /**
   * Writes all events or none. Concurrent calls are independent of one another.
   * @throws DomainError EVENT_NOT_STORABLE for text with U+0000 or a lone surrogate,
   * EVENT_ID_REUSED when some ids belong to another append, TAPE_OVERLOADED when too many appends wait.
   */
  append: (stream: string, expected: ExpectedVersion, events: readonly NewEvent[]) => Promise<AppendResult>;
  /** The stream's events in order, from `from` (a version, 1 by default); an unknown stream is empty. */
  readStream: (stream: string, options?: { readonly from?: number }) => Promise<readonly RecordedEvent[]>;
  /** Several streams in one round trip, for imports; unknown streams are missing from the map. */
  readStreams: (streams: readonly string[]) => Promise<ReadonlyMap<string, readonly RecordedEvent[]>>;
  /** One page of the settled tape, in order of position. Nothing at or before `position` can appear later. */
  readTape: (options: ReadTapeOptions) => Promise<TapePage>;
  /** Pages of the tape for as long as the signal is not aborted; waits when there is nothing new. */
  follow: (options: FollowOptions) => AsyncIterable<TapePage>;
  /** The settled end of the tape. */
  head: () => Promise<Position>;
  close: () => Promise<void>;
}>;
