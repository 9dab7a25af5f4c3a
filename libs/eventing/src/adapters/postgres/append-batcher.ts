import { DomainError, messageOf } from '@tapedeck/kernel';
import { setTimeout as delay } from 'node:timers/promises';
import type { AppendResult } from '../../event-store.ts';
import type { StorableAppend } from '../../store/storable.ts';
import { createAppendQueue, type AppendQueue, type BatchLimits, type QueuedAppend } from './append-queue.ts';
import { tapeUnavailable } from './tape-errors.ts';

export type BatchSender = Readonly<{
  /**
   * Sends the appends in one transaction and returns one result for each, in order. Each stream occurs once; the
   * streams are sorted. Calls `onSent` before anything can have reached the server.
   */
  send: (appends: readonly StorableAppend[], onSent: () => void) => Promise<readonly AppendResult[]>;
  /** Whether to send again after this error. */
  isTransient: (error: unknown) => boolean;
  /** Whether an attempt that was sent may have been executed in spite of this error. */
  isUnknown: (error: unknown) => boolean;
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
const outcomeUnknown = (error: unknown): DomainError =>
  new DomainError(
    'unavailable',
    'APPEND_OUTCOME_UNKNOWN',
    'It is not known whether this was saved: send it again with the same Idempotency-Key.',
    { cause: messageOf(error) },
  );

const noResult = (): Error => new Error('The store returned no result.');

const minRetryDelayMs = 20;
const maxRetryDelayMs = 1_000;

/** Rejects each append that has no outcome after `appendMs`, also while it is in flight. */
const createExpiry = (queue: AppendQueue, appendMs: number, onExpired: () => void): { arm: () => void } => {
  let timer: NodeJS.Timeout | undefined;
  const dueIn = ({ acceptedAt }: QueuedAppend): number => acceptedAt + appendMs - performance.now();
  const expireDue = (): void => {
    timer = undefined;
    const reason = 'no attempt has succeeded in time';
    for (let oldest = queue.oldest(); oldest && dueIn(oldest) <= 0; oldest = queue.oldest()) {
      queue.complete(oldest);
      oldest.reject(oldest.mayBeWritten ? outcomeUnknown(reason) : tapeUnavailable('written', reason));
    }
    arm();
    onExpired();
  };
  const arm = (): void => {
    const oldest = queue.oldest();
    if (timer || !oldest) return;
    timer = setTimeout(expireDue, Math.max(1, dueIn(oldest)));
    // While an append has no outcome, its connection or its delay keeps the process running.
    timer.unref();
  };
  return { arm };
};

/** What to do with the appends of a batch after its attempt. */
type Outcomes = Readonly<{
  succeed: (queued: QueuedAppend, result: AppendResult) => void;
  fail: (queued: QueuedAppend, error: unknown) => void;
  retry: (queued: QueuedAppend) => void;
}>;

/**
 * Sends a batch. If it fails, its appends are sent again one at a time, so that a bad append does not fail the others.
 * The store recognises a repeated append by its ids.
 */
const sendBatch = async (
  sender: BatchSender,
  batch: readonly QueuedAppend[],
  { succeed, fail, retry }: Outcomes,
): Promise<void> => {
  const wereUnknown = batch.map(({ mayBeWritten }) => mayBeWritten);
  const onSent = (): void => {
    for (const queued of batch) queued.mayBeWritten = true;
  };
  try {
    const appends = batch.map(({ append }) => append);
    const results = await sender.send(appends, onSent);
    batch.forEach((queued, index) => {
      const result = results[index];
      if (result) succeed(queued, result);
      else fail(queued, noResult());
    });
  } catch (error) {
    const isTransient = sender.isTransient(error);
    batch.forEach((queued, index) => {
      if (!sender.isUnknown(error)) queued.mayBeWritten = wereUnknown[index] ?? false;
      if (isTransient || batch.length > 1) retry(queued);
      else
        fail(queued, queued.mayBeWritten && !(error instanceof DomainError) ? outcomeUnknown(error) : error);
    });
  }
};

const retryAfterDelay = async (queue: AppendQueue, queued: QueuedAppend): Promise<void> => {
  if (queued.isAlone) await delay(queued.delayMs);
  queued.delayMs = queued.isAlone ? Math.min(queued.delayMs * 2, maxRetryDelayMs) : minRetryDelayMs;
  queued.isAlone = true;
  queue.retry(queued);
};

/**
 * Sends appends of concurrent callers in batches. It sends at once and does not wait for more appends: a batch
 * contains what is in the queue when it starts.
 */
export const createAppendBatcher = (
  sender: BatchSender,
  limits: BatchLimits,
  appendMs: number,
): AppendBatcher => {
  const queue = createAppendQueue(limits);
  let batchesInFlight = 0;
  let scheduled = false;
  let onIdle = (): void => {};
  let closing: Promise<void> | undefined;

  const endIfIdle = (): void => {
    if (queue.size() === 0) onIdle();
  };
  const expiry = createExpiry(queue, appendMs, endIfIdle);

  const settle = (queued: QueuedAppend): void => {
    queue.complete(queued);
    queue.release(queued);
    endIfIdle();
    schedule();
  };
  const outcomes: Outcomes = {
    succeed: (queued, result) => {
      settle(queued);
      queued.resolve(result);
    },
    fail: (queued, error) => {
      settle(queued);
      queued.reject(error);
    },
    retry: (queued) => void retryAfterDelay(queue, queued).then(schedule),
  };

  const run = async (batch: readonly QueuedAppend[]): Promise<void> => {
    if (batch.length === 0) return;
    batchesInFlight++;
    await sendBatch(sender, batch, outcomes);
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

  return {
    append: (append) =>
      new Promise((resolve, reject) => {
        if (closing) return reject(closed());
        if (queue.isFullFor(append)) return reject(overloaded());
        queue.add({
          append,
          acceptedAt: performance.now(),
          resolve,
          reject,
          hasOutcome: false,
          mayBeWritten: false,
          isAlone: false,
          delayMs: 0,
        });
        expiry.arm();
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
