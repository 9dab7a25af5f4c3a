import { DomainError, messageOf, type Clock } from '@tapedeck/kernel';
import { setTimeout } from 'node:timers/promises';
import type { AppendResult } from '../../event-store.ts';
import type { StorableAppend } from '../../store/storable.ts';
import { createAppendQueue, type BatchLimits, type QueuedAppend } from './append-queue.ts';

export type BatchSender = Readonly<{
  /**
   * Sends the appends in one transaction and returns one result for each, in order. Each stream occurs once; the
   * streams are sorted.
   */
  send: (appends: readonly StorableAppend[]) => Promise<readonly AppendResult[]>;
  isTransient: (error: unknown) => boolean;
}>;

export type AppendBatcher = Readonly<{
  append: (append: StorableAppend) => Promise<AppendResult>;
  /** The number of appends that wait or are in flight. */
  waiting: () => number;
  /** Refuses further appends; resolves when all accepted appends have their outcome. */
  close: () => Promise<void>;
}>;

const overloaded = (): DomainError =>
  new DomainError(
    'unavailable',
    'TAPE_OVERLOADED',
    'Too many changes are waiting to be written: try again shortly.',
  );
const closed = (): DomainError =>
  new DomainError('unavailable', 'TAPE_CLOSED', 'The product is stopping: try again shortly.');
const unavailable = (error: unknown): DomainError =>
  new DomainError(
    'unavailable',
    'TAPE_UNAVAILABLE',
    'The tape cannot be written right now: try again shortly.',
    {
      cause: messageOf(error),
    },
  );

const noResult = (): Error => new Error('The store returned no result.');

const minRetryDelayMs = 20;
const maxRetryDelayMs = 1_000;

/** Sends one append alone, with retries after transient errors. The store recognises a repeated append by its ids. */
const sendAlone = async (
  sender: BatchSender,
  queued: QueuedAppend,
  retryUntil: number,
  clock: Clock,
): Promise<void> => {
  for (let delayMs = minRetryDelayMs; ; delayMs = Math.min(delayMs * 2, maxRetryDelayMs)) {
    try {
      const [result] = await sender.send([queued.append]);
      if (!result) throw noResult();
      return queued.resolve(result);
    } catch (error) {
      if (!sender.isTransient(error)) return queued.reject(error);
      if (clock.now() + delayMs > retryUntil) return queued.reject(unavailable(error));
      await setTimeout(delayMs);
    }
  }
};

/** Sends a batch. If it fails, sends each append alone, so that a bad append does not fail the others. */
const sendBatch = async (
  sender: BatchSender,
  batch: readonly QueuedAppend[],
  retryForMs: number,
  clock: Clock,
): Promise<void> => {
  try {
    const results = await sender.send(batch.map((queued) => queued.append));
    batch.forEach((queued, index) => {
      const result = results[index];
      if (result) queued.resolve(result);
      else queued.reject(noResult());
    });
  } catch {
    // The batch was not written, or its outcome is unknown.
    const retryUntil = clock.now() + retryForMs;
    for (const queued of batch) await sendAlone(sender, queued, retryUntil, clock);
  }
};

/**
 * Sends appends of concurrent callers in batches. It sends at once and does not wait for more appends: a batch
 * contains what is in the queue when it starts.
 */
export const createAppendBatcher = (
  sender: BatchSender,
  limits: BatchLimits,
  clock: Clock,
): AppendBatcher => {
  const queue = createAppendQueue(limits);
  let batchesInFlight = 0;
  let scheduled = false;
  let onIdle = (): void => {};
  let closing: Promise<void> | undefined;

  const run = async (batch: readonly QueuedAppend[]): Promise<void> => {
    batchesInFlight++;
    await sendBatch(sender, batch, limits.retryForMs, clock);
    batchesInFlight--;
    schedule();
  };

  const schedule = (): void => {
    if (scheduled || batchesInFlight >= limits.maxBatchesInFlight || !queue.isReady()) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      while (batchesInFlight < limits.maxBatchesInFlight && queue.isReady()) void run(queue.takeBatch());
    });
  };

  const complete = (append: StorableAppend): void => {
    queue.complete(append);
    if (queue.size() === 0) onIdle();
    schedule();
  };

  return {
    append: (append) =>
      new Promise((resolve, reject) => {
        if (closing) return reject(closed());
        if (queue.isFullFor(append)) return reject(overloaded());
        queue.add({
          append,
          resolve: (result) => {
            complete(append);
            resolve(result);
          },
          reject: (error) => {
            complete(append);
            reject(error);
          },
        });
        schedule();
      }),
    waiting: queue.size,
    close: () =>
      (closing ??= new Promise((resolve) => {
        if (queue.size() === 0) resolve();
        else onIdle = resolve;
      })),
  };
};
