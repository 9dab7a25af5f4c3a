import { searchBusy, type RequestOptions, type RequestSender } from '@tapedeck/search-engine/port';

export type SearchQueueOptions = Readonly<{
  /** Searches that the server has at a time; a request counts as many as it consists of. */
  maxRunning: number;
  /** A request that would wait longer is refused. */
  maxWaitMs: number;
}>;

export type QueuedOptions = RequestOptions &
  Readonly<{
    /** Continues a request that was admitted before: it goes first, and is not refused because others wait. */
    isContinuation?: boolean;
  }>;

/** Limits what one process demands of the search server: what cannot be answered in time is refused at once. */
export type SearchQueue = Readonly<{
  /** @throws DomainError SEARCH_BUSY, or the reason of the aborted signal, before the work has begun. */
  run: <T>(searches: number, work: () => Promise<T>, options?: QueuedOptions) => Promise<T>;
  /** Whether such a request that arrived now would be refused, however small it is. */
  isBusy: (sender: RequestSender) => boolean;
}>;

type Priority = 'continuation' | 'client' | 'background';
const order: Readonly<Record<Priority, number>> = { continuation: 0, client: 1, background: 2 };

type Waiting = Readonly<{ searches: number; priority: Priority; start: () => void }>;

const priorityOf = ({ isContinuation = false, isBackground = false }: QueuedOptions): Priority => {
  if (isContinuation) return 'continuation';
  return isBackground ? 'background' : 'client';
};

/** Share of the newest duration in the mean. */
const newestShare = 0.1;
/** The refusal at the start uses an estimate; when the server has become slower since, a request waits this much longer. */
const maxOverrun = 2;
/** For what was admitted before, for patient requests, and for background work. */
const maxPatienceMs = 10_000;

/**
 * First in, first out, but background work comes last. How long a request would wait follows from the searches before it and the mean duration of the
 * latest ones.
 *
 * @example
 * const queue = createSearchQueue({ maxRunning: 20, maxWaitMs: 500 });
 * await queue.run(requests.length, () => multiSearch(client, pit, requests), { signal });
 */
export const createSearchQueue = ({ maxRunning, maxWaitMs }: SearchQueueOptions): SearchQueue => {
  const waiting: Waiting[] = [];
  let running = 0;
  let meanMs = 0;

  const hasCapacity = (searches: number): boolean => running === 0 || running + searches <= maxRunning;
  const expectedWaitMs = (searches: number): number => {
    const before = waiting
      .filter(({ priority }) => priority !== 'background')
      .reduce((sum, one) => sum + one.searches, searches);
    return (before / maxRunning) * meanMs;
  };
  const startNext = (): void => {
    for (let first = waiting[0]; first && hasCapacity(first.searches); first = waiting[0]) {
      waiting.shift();
      running += first.searches;
      first.start();
    }
  };

  const maxWaitOf = ({ isPatient = false }: RequestSender): number => (isPatient ? maxPatienceMs : maxWaitMs);

  const insert = (entry: Waiting): void => {
    const next = waiting.findIndex(({ priority }) => order[priority] > order[entry.priority]);
    waiting.splice(next < 0 ? waiting.length : next, 0, entry);
  };

  const enter = (searches: number, options: QueuedOptions, priority: Priority): Promise<void> =>
    new Promise((resolve, reject) => {
      const { signal, isPatient } = options;
      const leave = (error: unknown): void => {
        waiting.splice(waiting.indexOf(entry), 1);
        finish();
        reject(error);
        startNext();
      };
      const onAbort = (): void => leave(signal?.reason);
      const limitMs = priority === 'client' && !isPatient ? maxWaitMs * maxOverrun : maxPatienceMs;
      const timer = setTimeout(() => leave(searchBusy()), limitMs);
      const finish = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const entry: Waiting = {
        searches,
        priority,
        start: () => {
          finish();
          resolve();
        },
      };
      signal?.addEventListener('abort', onAbort);
      insert(entry);
    });

  const admit = async (searches: number, options: QueuedOptions): Promise<void> => {
    options.signal?.throwIfAborted();
    if (waiting.length === 0 && hasCapacity(searches)) {
      running += searches;
      return;
    }
    const priority = priorityOf(options);
    if (priority === 'client' && expectedWaitMs(searches) > maxWaitOf(options)) throw searchBusy();
    await enter(searches, options, priority);
  };

  return {
    isBusy: (sender) => (waiting.length > 0 || !hasCapacity(1)) && expectedWaitMs(1) > maxWaitOf(sender),
    run: async (searches, work, options = {}) => {
      await admit(searches, options);
      const startedAt = performance.now();
      try {
        return await work();
      } finally {
        running -= searches;
        // What was aborted says nothing about the server.
        if (!options.signal?.aborted) meanMs += (performance.now() - startedAt - meanMs) * newestShare;
        startNext();
      }
    },
  };
};
