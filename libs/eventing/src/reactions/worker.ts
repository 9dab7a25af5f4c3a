import { DomainError } from '@tapedeck/kernel';
import type { Position, RecordedEvent } from '../event.ts';
import { attemptEvents, type Handled, type Outcome } from './attempt.ts';
import {
  countPending,
  deletePending,
  laterEvents,
  nextHeads,
  recordFailures,
  type Failure,
  type HeadEvent,
} from './pending-rows.ts';
import { RunEnded, underLease, type ConsumerRun } from './consumer.ts';

/** Other processes retry and ignore parked events without telling this one. */
const maxPollIntervalMs = 500;

/** How many events of a key an effect handles together: as many as fit into the time of an attempt. */
const maxTogether = 20;

/** An attempt of the first pending event of a key, with later ones that it handles together with it. */
type Work = Readonly<{ head: HeadEvent; later: readonly HeadEvent[] }>;
type Ended = Work & Readonly<{ result: Outcome }>;

/** @throws DomainError EVENT_MISSING, EVENT_UNKNOWN or EVENT_UNREADABLE */
const readAgain = async (
  { store, consumer: { form = 'current' } }: ConsumerRun,
  { stream, streamVersion, position }: HeadEvent,
): Promise<RecordedEvent> => {
  const [event] = await store.readStream(stream, { from: streamVersion, upTo: streamVersion, form });
  if (event?.position === position) return event;
  throw new DomainError(
    'not-found',
    'EVENT_MISSING',
    `The tape has no event of ${stream} at position ${position}.`,
  );
};

const readHandled = async (run: ConsumerRun, { head, later }: Work): Promise<Handled> => {
  const eventOf = async (one: HeadEvent): Promise<RecordedEvent> =>
    run.takenIn.take(one.position) ?? readAgain(run, one);
  return [await eventOf(head), ...(await Promise.all(later.map(eventOf)))];
};

/** A pause that others can end. */
const createPause = (): Readonly<{ wait: (ms: number) => Promise<void>; end: () => void }> => {
  let ended = false;
  let resume = (): void => {};
  return {
    wait: async (ms) => {
      if (!ended) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          resume = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      ended = false;
      resume = () => {};
    },
    end: () => {
      ended = true;
      resume();
    },
  };
};

const logFailure = (
  { logger, consumer }: ConsumerRun,
  { position, key, type, attempts }: HeadEvent,
  { error, parks, waitingFor }: Failure,
): void => {
  const details = { reaction: consumer.name, position: String(position), key, type, attempts, error };
  if (parks) logger.error(details, 'event parked; later events of its key wait behind it');
  else if (waitingFor === undefined) logger.warn(details, 'event failed, will be retried');
  else logger.debug(details, 'event waits for its cause');
};

/**
 * Stores the results of attempts.
 * @throws RunEnded when another process has the lease, whose rows stay as they are, or when attempts were interrupted
 */
const storeResults = async (run: ConsumerRun, results: readonly Ended[]): Promise<void> => {
  const { pool, consumer } = run;
  const { name } = consumer;
  const done = results.flatMap(({ head, later, result }) =>
    result.outcome === 'done' ? [head, ...later] : [],
  );
  const failed = results.flatMap(({ head, result }) =>
    result.outcome === 'failed' ? [{ ...head, failure: result.failure }] : [],
  );
  if (done.length + failed.length > 0) {
    await underLease(run, async (client) => {
      await deletePending(client, name, done);
      await recordFailures(client, name, failed);
    });
  }
  run.pending -= done.length;
  for (const one of failed) logFailure(run, one, one.failure);
  if (failed.some(({ failure }) => failure.parks)) run.held = (await countPending(pool, name)).held;
  if (results.some(({ result }) => result.outcome === 'interrupted')) throw new RunEnded('interrupted');
};

export type Worker = Readonly<{
  /** There are new pending events. */
  wake: () => void;
  /** Handles pending events until the signal is aborted. @throws RunEnded when another process has the lease */
  work: () => Promise<void>;
}>;

/** Handles pending events: the first one of each key, several keys at the same time. */
export const createWorker = (run: ConsumerRun): Worker => {
  const { pool, consumer, concurrency, signal } = run;
  const pause = createPause();
  const handling = new Map<Position, Promise<void>>();
  let ended: Ended[] = [];

  const attempt = async (work: Work): Promise<void> => {
    const result = await attemptEvents(run, () => readHandled(run, work), work.head.attempts + 1);
    ended.push({ ...work, result });
    pause.end();
  };

  /** What has failed is tried alone, so that only one event is held responsible. */
  const withLater = async (heads: readonly HeadEvent[]): Promise<readonly Work[]> => {
    const untried = consumer.handleTogether ? heads.filter(({ attempts }) => attempts === 0) : [];
    const later =
      untried.length > 0 ? await laterEvents(pool, consumer.name, untried, maxTogether - 1) : undefined;
    return heads.map((head) => ({ head, later: (head.attempts === 0 && later?.get(head.key)) || [] }));
  };

  const storeEnded = async (): Promise<void> => {
    const results = ended;
    if (results.length === 0) return;
    ended = [];
    await storeResults(run, results);
    for (const { head } of results) handling.delete(head.position);
  };

  /** Starts what is due, and returns in how many milliseconds the next one is. */
  const startDue = async (): Promise<number> => {
    const free = concurrency - handling.size;
    if (free <= 0) return maxPollIntervalMs;
    const heads = await nextHeads(pool, consumer.name, [...handling.keys()], free);
    const works = await withLater(heads.filter(({ dueInMs }) => dueInMs <= 0));
    for (const work of works) handling.set(work.head.position, attempt(work));
    const later = heads.map(({ dueInMs }) => dueInMs).filter((ms) => ms > 0);
    return Math.min(maxPollIntervalMs, ...later);
  };

  const workUntilStopped = async (): Promise<void> => {
    while (!signal.aborted) {
      const nextInMs = await startDue();
      if (ended.length === 0) await pause.wait(nextInMs);
      await storeEnded();
    }
  };

  return {
    wake: pause.end,
    work: async () => {
      signal.addEventListener('abort', pause.end, { once: true });
      try {
        await workUntilStopped();
      } finally {
        signal.removeEventListener('abort', pause.end);
        await Promise.all(handling.values());
      }
      await storeEnded();
    },
  };
};
