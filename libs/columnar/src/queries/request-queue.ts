import { searchBusy, type RequestOptions, type RequestSender } from '@tapedeck/search-engine/port';

export type QueueLimits = Readonly<{
  /** Waiting requests; one client may use as many as are left for the others. */
  maxWaiting: number;
  /** A request that has not started so long after its arrival is refused. */
  maxAgeMs: number;
  maxBackgroundAgeMs: number;
  maxPatientAgeMs: number;
}>;

const defaultLimits: QueueLimits = {
  maxWaiting: 256,
  maxAgeMs: 400,
  maxBackgroundAgeMs: 5_000,
  maxPatientAgeMs: 10_000,
};

/** While clients wait, one turn of so many is for background work. */
const turnsPerBackgroundTurn = 8;
/** Weight of the newest turn in the mean duration of a turn. */
const newestWeight = 0.1;

/** Lets one request run at a time, because requests share the kernel's mask and working memory. Clients take turns. */
export type RequestQueue = Readonly<{
  /**
   * Resolves when it is this request's turn; the returned function ends the turn. Rejects with the signal's reason when
   * the signal aborts before.
   * @throws DomainError SEARCH_BUSY when the request cannot start in time
   */
  enter: (options?: RequestOptions) => Promise<() => void>;
  /** Whether such a request that arrived now would be refused. */
  isBusy: (sender: RequestSender) => boolean;
  /** Runs the work at once, or as soon as the current request is done. */
  runBetween: (work: () => void) => void;
}>;

type Waiting = Readonly<{ start: () => void; refuse: () => void; deadline: number }>;

/** Of so many turns in a row one is of a client with several requests, when one waits. */
const turnsPerBacklogTurn = 4;

/**
 * Waiting requests of clients, who take turns. Before all others come clients that had none waiting or running, each with
 * one request (as the new flows of FQ-CoDel, RFC 8290): a sparse client is not delayed by the number of busy ones.
 */
const createTurns = () => {
  const byClient = new Map<string, Set<Waiting>>();
  const sparse = new Set<string>();
  let size = 0;
  let sparseTurns = 0;
  const remove = (client: string, waiting: Waiting): void => {
    const own = byClient.get(client);
    if (!own?.delete(waiting)) return;
    size--;
    if (own.size > 0) return;
    byClient.delete(client);
    sparse.delete(client);
  };
  const firstBusy = (): string | undefined => {
    for (const client of byClient.keys()) if (!sparse.has(client)) return client;
    return undefined;
  };
  const nextClient = (): string | undefined => {
    const [firstSparse] = sparse;
    const isBacklogTurn = firstSparse === undefined || sparseTurns >= turnsPerBacklogTurn - 1;
    const client = isBacklogTurn ? (firstBusy() ?? firstSparse) : firstSparse;
    sparseTurns = client !== undefined && sparse.has(client) ? sparseTurns + 1 : 0;
    return client;
  };
  return {
    size: () => size,
    sizeOf: (client: string) => byClient.get(client)?.size ?? 0,
    add: (client: string, waiting: Waiting, isRunning: boolean): void => {
      const own = byClient.get(client) ?? new Set();
      if (own.size === 0 && !isRunning) sparse.add(client);
      byClient.set(client, own.add(waiting));
      size++;
    },
    remove,
    /** Removes the request whose turn it is. */
    next: (): readonly [client: string, waiting: Waiting] | undefined => {
      const client = nextClient();
      const own = client === undefined ? undefined : byClient.get(client);
      const [waiting] = own ?? [];
      if (client === undefined || !own || !waiting) return undefined;
      sparse.delete(client);
      byClient.delete(client);
      byClient.set(client, own);
      remove(client, waiting);
      return [client, waiting];
    },
    /** The number of turns before that of a further request of this client. */
    turnsBefore: (client: string, isRunning: boolean): number => {
      const waiting = byClient.get(client)?.size ?? 0;
      if (waiting === 0 && !isRunning) {
        const backlogTurns = Math.floor(sparse.size / (turnsPerBacklogTurn - 1));
        return sparse.size + Math.min(backlogTurns, size - sparse.size);
      }
      let turns = waiting;
      for (const [other, own] of byClient) if (other !== client) turns += Math.min(own.size, waiting + 1);
      return turns;
    },
    all: (): readonly Waiting[] => [...byClient.values()].flatMap((own) => [...own]),
  };
};

/** Refuses requests at their deadlines, also while the current turn does not end. */
const createDeadlines = (all: () => readonly Waiting[], now: () => number) => {
  let timer: NodeJS.Timeout | undefined;
  const schedule = (): void => {
    if (timer) return;
    const earliest = Math.min(...all().map(({ deadline }) => deadline));
    if (earliest === Infinity) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        const firedAt = now();
        for (const { deadline, refuse } of all()) if (deadline <= firedAt) refuse();
        schedule();
      },
      Math.max(1, earliest - now()),
    ).unref();
  };
  return { schedule };
};

export const requestQueue = (
  limits: QueueLimits = defaultLimits,
  now: () => number = () => performance.now(),
): RequestQueue => {
  const clients = createTurns();
  const background = createTurns();
  const deadlines = createDeadlines(() => [...clients.all(), ...background.all()], now);
  let worksBetween: (() => void)[] = [];
  let isRunning = false;
  let runningClient: string | undefined;
  let turnStartedAt = 0;
  let meanTurnMs = 0;
  let turnsSinceBackground = 0;

  const runWorksBetween = (): void => {
    const works = worksBetween;
    worksBetween = [];
    for (const work of works) work();
  };
  const nextWaiting = (): readonly [client: string, waiting: Waiting] | undefined => {
    const isBackgroundTurn = clients.size() === 0 || turnsSinceBackground >= turnsPerBackgroundTurn - 1;
    const ofBackground = isBackgroundTurn ? background.next() : undefined;
    turnsSinceBackground = ofBackground ? 0 : turnsSinceBackground + 1;
    return ofBackground ?? clients.next();
  };
  const startNext = (): void => {
    const endedAt = now();
    meanTurnMs += newestWeight * (endedAt - turnStartedAt - meanTurnMs);
    runWorksBetween();
    let next = nextWaiting();
    while (next && next[1].deadline <= endedAt) {
      next[1].refuse();
      next = nextWaiting();
    }
    const [client, waiting] = next ?? [];
    isRunning = waiting !== undefined;
    runningClient = client;
    turnStartedAt = endedAt;
    waiting?.start();
  };
  const maxAgeOf = ({ isBackground = false, isPatient = false }: RequestOptions): number => {
    if (isBackground) return limits.maxBackgroundAgeMs;
    return isPatient ? limits.maxPatientAgeMs : limits.maxAgeMs;
  };
  const isBusy = (options: RequestOptions): boolean => {
    const { client = '', arrivedAt = now() } = options;
    if (!isRunning) return false;
    if (clients.sizeOf(client) >= limits.maxWaiting - clients.size()) return true;
    const startsAt = now() + clients.turnsBefore(client, client === runningClient) * meanTurnMs;
    return startsAt > arrivedAt + maxAgeOf(options);
  };
  const untilTurn = (options: RequestOptions): Promise<void> =>
    new Promise((resolve, reject) => {
      const { signal, client = '', arrivedAt = now(), isBackground = false } = options;
      const turns = isBackground ? background : clients;
      const leave = (): void => {
        turns.remove(client, waiting);
        signal?.removeEventListener('abort', onAbort);
      };
      const onAbort = (): void => {
        leave();
        reject(signal?.reason as Error);
      };
      const waiting: Waiting = {
        start: () => {
          leave();
          resolve();
        },
        refuse: () => {
          leave();
          reject(searchBusy());
        },
        deadline: arrivedAt + maxAgeOf(options),
      };
      turns.add(client, waiting, client === runningClient);
      signal?.addEventListener('abort', onAbort, { once: true });
      deadlines.schedule();
    });

  return {
    enter: async (options = {}) => {
      options.signal?.throwIfAborted();
      if (isRunning) {
        const isFull = options.isBackground ? background.size() >= limits.maxWaiting : isBusy(options);
        if (isFull) throw searchBusy();
        await untilTurn(options);
      } else {
        isRunning = true;
        runningClient = options.client ?? '';
        turnStartedAt = now();
      }
      return startNext;
    },
    isBusy,
    runBetween: (work) => {
      worksBetween.push(work);
      if (!isRunning) runWorksBetween();
    },
  };
};
