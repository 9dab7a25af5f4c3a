import type { AppendResult } from '../../event-store.ts';
import type { StorableAppend } from '../../store/storable.ts';

export type BatchLimits = Readonly<{
  appends: number;
  events: number;
  bytes: number;
  /** Batches under way at the same time. */
  inFlight: number;
  /** Appends and bytes that may wait or be under way before more are refused. */
  waiting: number;
  waitingBytes: number;
  /** Milliseconds for which a lost connection is tried again before the caller is told. */
  patience: number;
}>;

export const defaultLimits: BatchLimits = {
  appends: 256,
  events: 1_000,
  bytes: 1 << 20,
  inFlight: 2,
  waiting: 10_000,
  waitingBytes: 64 << 20,
  patience: 15_000,
};

/** An append and who waits for its outcome. */
export type Entry = Readonly<{
  append: StorableAppend;
  resolve: (result: AppendResult) => void;
  reject: (error: unknown) => void;
}>;

export type AppendQueue = Readonly<{
  isFullFor: (append: StorableAppend) => boolean;
  join: (entry: Entry) => void;
  /** To be called when an append is answered: makes room, and lets the next one of its stream go on. */
  leave: (append: StorableAppend) => void;
  isReady: () => boolean;
  /** The next appends that go together: each stream once, sorted by stream. */
  takeBatch: () => readonly Entry[];
  /** Appends that wait or are under way. */
  size: () => number;
}>;

/** Two batches that lock streams in different orders could wait for each other. */
const byStream = (a: Entry, b: Entry): number => (a.append.stream < b.append.stream ? -1 : 1);

/** How many entries from the front go together. */
const batchLength = (ready: readonly Entry[], limits: BatchLimits): number => {
  let events = 0;
  let bytes = 0;
  let length = 0;
  for (const { append } of ready) {
    events += append.events.length;
    bytes += append.bytes;
    if (length > 0 && (events > limits.events || bytes > limits.bytes)) break;
    length++;
    if (length === limits.appends) break;
  }
  return length;
};

/**
 * Appends on their way to the store. Of each stream one is ready or under way; later ones wait in the
 * stream's own line, which keeps their order and the streams of a batch distinct.
 */
export const createAppendQueue = (limits: BatchLimits): AppendQueue => {
  const ready: Entry[] = [];
  const lines = new Map<string, Entry[]>();
  let size = 0;
  let bytes = 0;
  return {
    isFullFor: (append) => size >= limits.waiting || (size > 0 && bytes + append.bytes > limits.waitingBytes),
    join: (entry) => {
      const { stream } = entry.append;
      size++;
      bytes += entry.append.bytes;
      const line = lines.get(stream);
      if (line) line.push(entry);
      else {
        lines.set(stream, []);
        ready.push(entry);
      }
    },
    leave: ({ stream, bytes: freed }) => {
      size--;
      bytes -= freed;
      const next = lines.get(stream)?.shift();
      if (next) ready.push(next);
      else lines.delete(stream);
    },
    isReady: () => ready.length > 0,
    takeBatch: () => ready.splice(0, batchLength(ready, limits)).sort(byStream),
    size: () => size,
  };
};
