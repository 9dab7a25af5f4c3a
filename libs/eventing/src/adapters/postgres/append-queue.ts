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
}>;

export const defaultBatchLimits: BatchLimits = {
  maxAppends: 256,
  maxEvents: 1_000,
  maxBytes: 1 << 20,
  maxBatchesInFlight: 2,
  maxWaitingAppends: 10_000,
  maxWaitingBytes: 64 << 20,
};

/** An append that was accepted. */
export type QueuedAppend = {
  readonly append: StorableAppend;
  /** By `performance.now`. */
  readonly acceptedAt: number;
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: unknown) => void;
  /** It has its outcome. Its attempt may still be in flight. */
  hasOutcome: boolean;
  /** An attempt has been sent whose outcome is unknown. */
  mayBeWritten: boolean;
  /** An attempt has failed, so it is sent without others, which it could make fail. */
  isAlone: boolean;
  /** Before the next attempt. */
  delayMs: number;
};

export type AppendQueue = Readonly<{
  isFullFor: (append: StorableAppend) => boolean;
  add: (queued: QueuedAppend) => void;
  /** To be called when an append gets its outcome: frees its place. */
  complete: (queued: QueuedAppend) => void;
  /** To be called when no attempt of the append is in flight any more: makes the next one of its stream ready. */
  release: (queued: QueuedAppend) => void;
  /** Makes an append ready again, behind the others. */
  retry: (queued: QueuedAppend) => void;
  isReady: () => boolean;
  /** Takes the next batch: at most one append per stream, sorted by stream. It is empty when none has to be sent. */
  takeBatch: () => readonly QueuedAppend[];
  /** The append without outcome that was accepted first. */
  oldest: () => QueuedAppend | undefined;
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
  for (const { append, isAlone } of ready) {
    events += append.events.length;
    bytes += append.bytes;
    if (length > 0 && (isAlone || events > limits.maxEvents || bytes > limits.maxBytes)) break;
    length++;
    if (isAlone || length === limits.maxAppends) break;
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
  const withoutOutcome = new Set<QueuedAppend>();
  let bytes = 0;

  const release = ({ append: { stream } }: QueuedAppend): void => {
    const waiting = waitingByStream.get(stream);
    const next = waiting?.find(({ hasOutcome }) => !hasOutcome);
    if (waiting && next) {
      waiting.splice(0, waiting.indexOf(next) + 1);
      ready.push(next);
    } else waitingByStream.delete(stream);
  };

  return {
    isFullFor: (append) =>
      withoutOutcome.size >= limits.maxWaitingAppends ||
      (withoutOutcome.size > 0 && bytes + append.bytes > limits.maxWaitingBytes),
    add: (queued) => {
      const { stream } = queued.append;
      withoutOutcome.add(queued);
      bytes += queued.append.bytes;
      const waiting = waitingByStream.get(stream);
      if (waiting) waiting.push(queued);
      else {
        waitingByStream.set(stream, []);
        ready.push(queued);
      }
    },
    complete: (queued) => {
      queued.hasOutcome = true;
      if (withoutOutcome.delete(queued)) bytes -= queued.append.bytes;
    },
    release,
    retry: (queued) => void ready.push(queued),
    isReady: () => ready.length > 0,
    takeBatch: () => {
      const batch = ready.splice(0, batchLength(ready, limits));
      for (const queued of batch) if (queued.hasOutcome) release(queued);
      return batch.filter(({ hasOutcome }) => !hasOutcome).sort(byStream);
    },
    oldest: () => withoutOutcome.values().next().value,
    size: () => withoutOutcome.size,
  };
};
