import { DomainError } from '@tapedeck/kernel';
import type { EventStore } from '../event-store.ts';

export type StreamQueueLimits = Readonly<{
  /** How many commands may wait for one stream. */
  maxWaiting: number;
  /** How long one of them waits at most. */
  maxWaitMs: number;
}>;

export type StreamQueue = Readonly<{
  /**
   * Runs the task when the earlier tasks of the stream have ended, whether they succeeded or failed.
   * @throws DomainError STREAM_BUSY
   */
  run: <Result>(stream: string, task: () => Promise<Result>) => Promise<Result>;
  /** The number of streams for which a task runs. */
  streams: () => number;
}>;

const defaultLimits: StreamQueueLimits = { maxWaiting: 256, maxWaitMs: 10_000 };

/** `unavailable`, because nothing was decided: the same command may succeed in a moment. */
export const streamBusy = (): DomainError =>
  new DomainError(
    'unavailable',
    'STREAM_BUSY',
    'Too many changes to the same thing at once: try again in a moment.',
  );

/** Runs the tasks of one stream one after the other, in the order of their arrival; those of different streams at once. */
export const createStreamQueue = ({ maxWaiting, maxWaitMs }: StreamQueueLimits): StreamQueue => {
  /** By stream the functions that start its waiting tasks; a stream without a running task has no entry. */
  const waitingByStream = new Map<string, Set<() => void>>();

  const begin = async (stream: string): Promise<void> => {
    const waiting = waitingByStream.get(stream);
    if (!waiting) {
      waitingByStream.set(stream, new Set());
      return;
    }
    if (waiting.size >= maxWaiting) throw streamBusy();
    await new Promise<void>((resolve, reject) => {
      const start = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(start);
        reject(streamBusy());
      }, maxWaitMs);
      waiting.add(start);
    });
  };

  const end = (stream: string): void => {
    const waiting = waitingByStream.get(stream) ?? new Set();
    const [start] = waiting;
    if (!start) {
      waitingByStream.delete(stream);
      return;
    }
    waiting.delete(start);
    start();
  };

  return {
    run: async (stream, task) => {
      await begin(stream);
      try {
        return await task();
      } finally {
        end(stream);
      }
    },
    streams: () => waitingByStream.size,
  };
};

const queues = new WeakMap<EventStore, StreamQueue>();

/** The queue of all commands that this process sends to the store. */
export const queueOf = (store: EventStore): StreamQueue => {
  const queue = queues.get(store) ?? createStreamQueue(defaultLimits);
  queues.set(store, queue);
  return queue;
};
