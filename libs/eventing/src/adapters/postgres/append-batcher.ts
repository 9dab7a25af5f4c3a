import { DomainError, messageOf, type Clock } from '@tapedeck/kernel';
import type { AppendResult } from '../../event-store.ts';
import type { StorableAppend } from '../../storable.ts';

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

type Entry = Readonly<{
  append: StorableAppend;
  resolve: (result: AppendResult) => void;
  reject: (error: unknown) => void;
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

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Two batches that lock streams in different orders could wait for each other. */
const byStream = (a: Entry, b: Entry): number => (a.append.stream < b.append.stream ? -1 : 1);

/** How many entries from the front of the queue go together. */
const batchLength = (queue: readonly Entry[], limits: BatchLimits): number => {
  let events = 0;
  let bytes = 0;
  let length = 0;
  for (const { append } of queue) {
    events += append.events.length;
    bytes += append.bytes;
    if (length > 0 && (events > limits.events || bytes > limits.bytes)) break;
    length++;
    if (length === limits.appends) break;
  }
  return length;
};

/** One append alone, again and again while the connection is lost: its ids make that safe. */
const sendAlone = async (sender: BatchSender, entry: Entry, until: number, clock: Clock): Promise<void> => {
  for (let pause = 20; ; pause = Math.min(pause * 2, 1_000)) {
    try {
      const [result] = await sender.send([entry.append]);
      if (!result) throw new Error('The store gave no outcome.');
      return entry.resolve(result);
    } catch (error) {
      if (!sender.isTransient(error)) return entry.reject(error);
      if (clock.now() + pause > until) return entry.reject(unavailable(error));
      await delay(pause);
    }
  }
};

/**
 * Sends appends of concurrent callers together. Nobody waits for company: whoever is queued when a
 * batch may start goes with it. A stream occurs once in a batch; later appends to it wait in its own line.
 */
export const createAppendBatcher = (
  sender: BatchSender,
  limits: BatchLimits,
  clock: Clock,
): AppendBatcher => {
  const queue: Entry[] = [];
  const lines = new Map<string, Entry[]>();
  let inFlight = 0;
  let waiting = 0;
  let waitingBytes = 0;
  let scheduled = false;
  let onIdle: (() => void) | undefined;
  let closing: Promise<void> | undefined;

  const schedule = (): void => {
    if (scheduled || inFlight >= limits.inFlight || queue.length === 0) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      while (inFlight < limits.inFlight && queue.length > 0) {
        void run(queue.splice(0, batchLength(queue, limits)).sort(byStream));
      }
    });
  };

  /** Makes room, and lets the next append of the stream go on. */
  const leave = (append: StorableAppend): void => {
    waiting--;
    waitingBytes -= append.bytes;
    const line = lines.get(append.stream);
    const next = line?.shift();
    if (next) queue.push(next);
    else lines.delete(append.stream);
    if (waiting === 0) onIdle?.();
    schedule();
  };

  const sendBatch = async (batch: readonly Entry[]): Promise<void> => {
    try {
      const results = await sender.send(batch.map((entry) => entry.append));
      batch.forEach((entry, index) => {
        const result = results[index];
        if (result) entry.resolve(result);
        else entry.reject(new Error('The store gave no outcome.'));
      });
    } catch {
      // Nothing of it is in, or nobody knows: each alone, so that a bad one hurts only itself.
      const until = clock.now() + limits.patience;
      for (const entry of batch) await sendAlone(sender, entry, until, clock);
    }
  };

  const run = async (batch: readonly Entry[]): Promise<void> => {
    inFlight++;
    await sendBatch(batch);
    inFlight--;
    schedule();
  };

  const enqueue = (entry: Entry): void => {
    waiting++;
    waitingBytes += entry.append.bytes;
    const line = lines.get(entry.append.stream);
    if (line) {
      line.push(entry);
      return;
    }
    lines.set(entry.append.stream, []);
    queue.push(entry);
    schedule();
  };

  return {
    append: (append) =>
      new Promise((resolve, reject) => {
        const full = waiting >= limits.waiting || waitingBytes + append.bytes > limits.waitingBytes;
        if (closing) return reject(closed());
        if (full && waiting > 0) return reject(overloaded());
        enqueue({
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
      }),
    waiting: () => waiting,
    close: () =>
      (closing ??= new Promise((resolve) => {
        if (waiting === 0) resolve();
        else onIdle = resolve;
      })),
  };
};
