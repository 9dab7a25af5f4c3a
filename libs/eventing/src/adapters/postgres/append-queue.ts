import type { AppendResult } from '../../event-store.ts';
import type { StorableAppend } from '../../store/storable.ts';

export type BatchLimits = Readonly<{
  /** Per batch. */
  maxAppends: number;
  maxEvents: number;
  maxBytes: number;
  /** Batches that are sent at the same time. */
  maxBatchesInFlight: number;
  /** Appends and bytes that may wait or be in flight; further appends are refused. */
  maxWaitingAppends: number;
  maxWaitingBytes: number;
  /** For how long an append is retried after a lost connection, before it fails. */
  retryForMs: number;
}>;

export const defaultBatchLimits: BatchLimits = {
  maxAppends: 256,
  maxEvents: 1_000,
  maxBytes: 1 << 20,
  maxBatchesInFlight: 2,
  maxWaitingAppends: 10_000,
  maxWaitingBytes: 64 << 20,
  retryForMs: 15_000,
};

/** An append with the callbacks for its outcome. */
export type QueuedAppend = Readonly<{
  append: StorableAppend;
  resolve: (result: AppendResult) => void;
  reject: (error: unknown) => void;
}>;

export type AppendQueue = Readonly<{
  isFullFor: (append: StorableAppend) => boolean;
  add: (queued: QueuedAppend) => void;
  /** To be called when an append has its outcome: frees its place, and makes the next one of its stream ready. */
  complete: (append: StorableAppend) => void;
  isReady: () => boolean;
  /** Takes the next batch: at most one append per stream, sorted by stream. */
  takeBatch: () => readonly QueuedAppend[];
  /** Appends that wait or are in flight. */
  size: () => number;
}>;

/** Two batches that lock streams in different orders could deadlock. */
const byStream = (a: QueuedAppend, b: QueuedAppend): number => (a.append.stream < b.append.stream ? -1 : 1);

/** How many appends from the front of the queue fit into one batch. */
const batchLength = (ready: readonly QueuedAppend[], limits: BatchLimits): number => {
  let events = 0;
  let bytes = 0;
  let length = 0;
  for (const { append } of ready) {
    events += append.events.length;
    bytes += append.bytes;
    if (length > 0 && (events > limits.maxEvents || bytes > limits.maxBytes)) break;
    length++;
    if (length === limits.maxAppends) break;
  }
  return length;
};

/**
 * The appends that wait or are in flight. Of each stream only one is ready or in flight; the later ones wait behind
 * it. So they keep their order, and a batch contains a stream only once.
 */
export const createAppendQueue = (limits: BatchLimits): AppendQueue => {
  const ready: QueuedAppend[] = [];
  const waitingByStream = new Map<string, QueuedAppend[]>();
  let size = 0;
  let bytes = 0;
  return {
    isFullFor: (append) =>
      size >= limits.maxWaitingAppends || (size > 0 && bytes + append.bytes > limits.maxWaitingBytes),
    add: (queued) => {
      const { stream } = queued.append;
      size++;
      bytes += queued.append.bytes;
      const waiting = waitingByStream.get(stream);
      if (waiting) waiting.push(queued);
      else {
        waitingByStream.set(stream, []);
        ready.push(queued);
      }
    },
    complete: (append) => {
      size--;
      bytes -= append.bytes;
      const next = waitingByStream.get(append.stream)?.shift();
      if (next) ready.push(next);
      else waitingByStream.delete(append.stream);
    },
    isReady: () => ready.length > 0,
    takeBatch: () => ready.splice(0, batchLength(ready, limits)).sort(byStream),
    size: () => size,
  };
};
