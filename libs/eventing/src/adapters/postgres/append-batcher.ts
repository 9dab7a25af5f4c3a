import { DomainError, messageOf, type Clock } from '@tapedeck/kernel';
import type { AppendResult } from '../../event-store.ts';
import type { StorableAppend } from '../../store/storable.ts';
import { createAppendQueue, type BatchLimits, type Entry } from './append-queue.ts';

export type BatchSender = Readonly<{
  /** All of them in one transaction, one outcome each, in order; each stream occurs once, streams are sorted. */
  send: (appends: readonly StorableAppend[]) => Promise<readonly AppendResult[]>;
  isTransient: (error: unknown) => boolean;
}>;

export type AppendBatcher = Readonly<{
  append: (append: StorableAppend) => Promise<AppendResult>;
  /** Appends that wait or are under way. */
  waiting: () => number;
  /** Refuses further appends and resolves when those accepted are answered. */
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

const noOutcome = (): Error => new Error('The store gave no outcome.');

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** One append alone, again and again while the connection is lost: its ids make that safe. */
const sendAlone = async (sender: BatchSender, entry: Entry, until: number, clock: Clock): Promise<void> => {
  for (let pause = 20; ; pause = Math.min(pause * 2, 1_000)) {
    try {
      const [result] = await sender.send([entry.append]);
      if (!result) throw noOutcome();
      return entry.resolve(result);
    } catch (error) {
      if (!sender.isTransient(error)) return entry.reject(error);
      if (clock.now() + pause > until) return entry.reject(unavailable(error));
      await delay(pause);
    }
  }
};

/** Sends a batch, and each of it alone when it fails as a whole, so that a bad one hurts only itself. */
const sendBatch = async (
  sender: BatchSender,
  batch: readonly Entry[],
  patience: number,
  clock: Clock,
): Promise<void> => {
  try {
    const results = await sender.send(batch.map((entry) => entry.append));
    batch.forEach((entry, index) => {
      const result = results[index];
      if (result) entry.resolve(result);
      else entry.reject(noOutcome());
    });
  } catch {
    // Nothing of it is in, or nobody knows.
    const until = clock.now() + patience;
    for (const entry of batch) await sendAlone(sender, entry, until, clock);
  }
};

/**
 * Sends appends of concurrent callers together. Nobody waits for company: whoever is queued when a
 * batch may start goes with it.
 */
export const createAppendBatcher = (
  sender: BatchSender,
  limits: BatchLimits,
  clock: Clock,
): AppendBatcher => {
  const queue = createAppendQueue(limits);
  let inFlight = 0;
  let scheduled = false;
  let onIdle = (): void => {};
  let closing: Promise<void> | undefined;

  const run = async (batch: readonly Entry[]): Promise<void> => {
    inFlight++;
    await sendBatch(sender, batch, limits.patience, clock);
    inFlight--;
    schedule();
  };

  const schedule = (): void => {
    if (scheduled || inFlight >= limits.inFlight || !queue.isReady()) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      while (inFlight < limits.inFlight && queue.isReady()) void run(queue.takeBatch());
    });
  };

  const leave = (append: StorableAppend): void => {
    queue.leave(append);
    if (queue.size() === 0) onIdle();
    schedule();
  };

  return {
    append: (append) =>
      new Promise((resolve, reject) => {
        if (closing) return reject(closed());
        if (queue.isFullFor(append)) return reject(overloaded());
        queue.join({
          append,
          resolve: (result) => {
            leave(append);
            resolve(result);
          },
          reject: (error) => {
            leave(append);
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
